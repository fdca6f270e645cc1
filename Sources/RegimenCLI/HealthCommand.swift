// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import Operations
import Outbound

/// The command `regimen health`.
struct HealthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Asks the running server whether it works.",
    discussion: """
      For container health checks and tests: prints one line, and exits with 0 if the server \
      answers that reminders ring and data is kept, else with 1.
      """)

  @Option(help: "Ask this address instead of the data folder's server: http://127.0.0.1:8080.")
  var url: String?
  @OptionGroup var data: DataOptions

  func run() async throws {
    let answer: HealthAnswer
    if let url { answer = try await ask(url) } else { answer = try askSocket() }
    guard answer.isHealthy else { throw CommandFailure(description: answer.line) }
    print(TerminalText.line(answer.line))
  }

  private func askSocket() throws -> HealthAnswer {
    do {
      let answer = try SocketRequest(socket: data.folder + "/control.sock").get(HealthRoutes.path)
      return HealthAnswer(status: answer.status, body: Array(answer.text.utf8))
    } catch SocketRequest.Failure.unreachable {
      throw CommandFailure(description: "No server is running on \(data.folder).")
    } catch let error as SocketRequest.Failure {
      throw CommandFailure(description: error.description)
    }
  }

  private func ask(_ url: String) async throws -> HealthAnswer {
    guard let parts = URLComponents(string: url), let host = parts.host, parts.query == nil,
      let rule = HostRule(parts.port.map { "\(host):\($0)" } ?? host)
    else { throw ValidationError("--url must look like http://127.0.0.1:8080.") }
    // The operator may name a private address without https, such as another container's.
    let policy = OutboundPolicy(
      allowed: [], operatorAllowed: [rule], allowsAnyPublicHost: true)
    let logger = Logger(label: "regimen") { JSONLinesLogHandler(label: $0, level: .error) }
    let client = OutboundClient(policy: policy, monotonicNow: Composition.uptime, logger: logger)
    let base = url.hasSuffix("/") ? String(url.dropLast()) : url
    let result: Result<OutboundResponse, OutboundError>
    do throws(OutboundError) {
      let address = try policy.check(base + HealthRoutes.path)
      result = .success(try await client.send(OutboundRequest(method: "GET", url: address)))
    } catch {
      result = .failure(error)
    }
    await client.shutdown()
    switch result {
    case .success(let answer): return HealthAnswer(status: answer.status, body: answer.body)
    case .failure(.notAllowed): throw ValidationError("--url must be an http or https address.")
    case .failure(.tls):
      throw CommandFailure(
        description: "The certificate of \(base) is not trusted here. Use --data instead.")
    case .failure: throw CommandFailure(description: "No server answers at \(base).")
    }
  }
}
