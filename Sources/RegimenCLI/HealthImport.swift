// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HealthData
import ImportPages
import Storage
import Synchronization

/// Reports the progress of an import on standard error: its rate and the time left.
final class HealthImportReporter: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) != 0
  private let begin = ContinuousClock().now
  private let last = Mutex<Int64>(-1)

  /// - Parameter verb: The action on the bytes.
  func tell(_ verb: String, _ done: Int64, of size: Int64) {
    // Once for each 16 MB, to keep logs short.
    let step = done >> 24
    let isNew = last.withLock { last in
      guard step > last else { return false }
      last = step
      return true
    }
    guard isNew else { return }
    let elapsed = ContinuousClock().now - begin
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = seconds > 0 ? Double(done) / seconds : 0
    let rest = rate > 0 ? Int(Double(max(0, size - done)) / rate) : 0
    let text =
      "\(verb) \(done >> 20) of \(size >> 20) MB, \(Int(rate) >> 20) MB/s, \(rest) s left"
    let line = isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n"
    StandardStream.error.write(line)
  }

  func finish() {
    StandardStream.error.write(isTerminal ? "\r\u{1B}[Kfinished\n" : "finished\n")
  }
}

extension AdministrationClient {
  /// Imports a file of measurements and returns the line to print.
  func importHealth(
    _ path: String, _ input: FileHandle, _ options: ImportOptions,
    columns: [TableMapping.Question: String]
  ) async throws -> JSONValue {
    let reporter = HealthImportReporter()
    return try await carryOut {
      let composition = try await open()
      do {
        let line = try await HostImport(environment: composition.environment).performHealth(
          path: path, isPrivate: false, options, columns: columns
        ) { reporter.tell("read", $0.read, of: $0.size) }
        reporter.finish()
        await composition.close()
        return line
      } catch {
        await composition.close()
        throw error
      }
    } throughSocket: {
      let size = Int64(try input.seekToEnd())
      try input.seek(toOffset: 0)
      var sent: Int64 = 0
      let answer = try SocketRequest(socket: data + "/control.sock").stream(
        HealthImportRoutes.hostPath(options, columns: columns)
      ) {
        guard let bytes = try input.read(upToCount: 1 << 20), !bytes.isEmpty else { return nil }
        sent += Int64(bytes.count)
        reporter.tell("sent", sent, of: size)
        return bytes
      }
      reporter.finish()
      guard answer.status == 200, let line = answer.body["lines"]?[0] else {
        let detail = answer.body["detail"]?.string ?? "The server answered \(answer.status)."
        throw CommandFailure(description: detail)
      }
      return line
    }
  }
}
