// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The document as UTF-8 with a line for each value, indented by two spaces; it ends with a line feed.
  public var prettyBytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(1_024)
    writePretty(into: &output, depth: 0)
    output.append(UInt8(ascii: "\n"))
    return output
  }

  private func writePretty(into output: inout [UInt8], depth: Int) {
    switch self {
    case .array(let items) where !items.isEmpty:
      output.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        JSONWriter.startLine(after: index, depth: depth + 1, in: &output)
        item.writePretty(into: &output, depth: depth + 1)
      }
      JSONWriter.startLine(after: 0, depth: depth, in: &output)
      output.append(UInt8(ascii: "]"))
    case .object(let object) where !object.isEmpty:
      output.append(UInt8(ascii: "{"))
      for (index, entry) in object.entries.enumerated() {
        JSONWriter.startLine(after: index, depth: depth + 1, in: &output)
        JSONWriter.quote(entry.key, to: &output)
        output.append(contentsOf: ": ".utf8)
        entry.value.writePretty(into: &output, depth: depth + 1)
      }
      JSONWriter.startLine(after: 0, depth: depth, in: &output)
      output.append(UInt8(ascii: "}"))
    default: write(into: &output)
    }
  }
}

extension JSONWriter {
  /// Begins a line, after a comma unless nothing comes before it.
  fileprivate static func startLine(after count: Int, depth: Int, in output: inout [UInt8]) {
    if count > 0 { output.append(UInt8(ascii: ",")) }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}
