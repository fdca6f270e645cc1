// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation

/// The protocol of commands that answer JSON lines: `{"id",…}` in, `{"id",…}` or `{"id","error"}`
/// out.
enum AnsweredLine {
  /// Answers each line of a file, or of standard input for `-`, on standard output.
  static func answerAll(
    of file: String, _ answer: (ArraySlice<UInt8>, inout [UInt8]) -> Void
  ) throws {
    var lines = InputLines(try InputFile.open(file))
    var output: [UInt8] = []
    while let line = lines.next() {
      switch line {
      case .content(let bytes):
        guard bytes.contains(where: { $0 > 0x20 }) else { continue }
        answer(bytes, &output)
      case .tooLong:
        refuse("The line may have at most \(InputLines.longest) bytes.", into: &output)
      }
      // A pipe may wait for each answer; files are faster in large pieces.
      if output.count >= 1 << 16 || !lines.hasWaiting { try write(&output) }
    }
    try write(&output)
  }

  private static func write(_ output: inout [UInt8]) throws {
    if output.isEmpty { return }
    do {
      try FileHandle.standardOutput.write(contentsOf: output)
    } catch {
      throw CommandFailure(description: "The answers cannot be written to standard output.")
    }
    output.removeAll(keepingCapacity: true)
  }

  /// Returns the object of a line with its id; answers an invalid line with the mistake.
  static func read(
    _ line: ArraySlice<UInt8>, into output: inout [UInt8]
  ) -> (id: JSONValue, value: JSONValue)? {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: Array(line))
    } catch {
      refuse("The line is not JSON: \(error)", into: &output)
      return nil
    }
    guard value.object != nil else {
      refuse("The line must be a JSON object.", id: value["id"] ?? .null, into: &output)
      return nil
    }
    return (value["id"] ?? .null, value)
  }

  /// Appends an answer with an error.
  static func refuse(_ text: String, id: JSONValue = .null, into output: inout [UInt8]) {
    let answer = JSONObject([("id", id), ("error", .string(text))])
    JSONValue.object(answer).write(into: &output)
    output.append(UInt8(ascii: "\n"))
  }
}
