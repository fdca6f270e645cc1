// SPDX-License-Identifier: Apache-2.0

/// Something wrong in a file of the knowledge; a test and `make lint` find it before a person could.
public struct ContentFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The line; 0 where it is about more than one.
  public let line: Int
  /// The problem.
  public let problem: String

  /// File, line and problem.
  public var description: String { "\(path):\(line): \(problem)" }
}

/// One `[name]` with the `key = text` lines under it.
struct ContentBlock {
  let name: String
  let line: Int
  private(set) var fields: [String: String] = [:]
  /// The `row =` lines, which may stand more than once.
  private(set) var rows: [(line: Int, text: String)] = []

  init(name: String, line: Int) {
    self.name = name
    self.line = line
  }

  /// The text of a key; nil where it is missing or empty.
  subscript(key: String) -> String? { fields[key].flatMap { $0.isEmpty ? nil : $0 } }

  /// The parts of a list, with `;` or `,` between them.
  func list(_ key: String, separator: Character) -> [String] {
    (self[key] ?? "").split(separator: separator).map { trimmed($0) }
  }

  mutating func add(key: String, text: String, line: Int) -> Bool {
    if key == "row" {
      rows.append((line, text))
      return true
    }
    return fields.updateValue(text, forKey: key) == nil
  }

  /// The blocks of a file; `#` begins a comment line.
  static func blocks(in content: String, noting note: (Int, String) -> Void) -> [ContentBlock] {
    var result: [ContentBlock] = []
    let lines = content.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, raw) in lines.enumerated() {
      let line = trimmed(raw)
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("["), line.hasSuffix("]") {
        result.append(ContentBlock(name: String(line.dropFirst().dropLast()), line: index + 1))
        continue
      }
      let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let last = result.indices.last else {
        note(index + 1, "expected `key = text` under a [name]")
        continue
      }
      let key = trimmed(halves[0])
      if !result[last].add(key: key, text: trimmed(halves[1]), line: index + 1) {
        note(index + 1, "\(key) appears twice")
      }
    }
    return result
  }
}

/// Lines of cells with tabs between them; `-` is an empty cell, `#` begins a comment line.
struct ContentTable {
  struct Row {
    let line: Int
    let cells: [String]

    /// A cell's text, empty for `-`.
    func text(_ index: Int) -> String { cells[index] == "-" ? "" : cells[index] }

    /// A cell's parts, with `;` between them.
    func list(_ index: Int) -> [String] {
      text(index).split(separator: ";").map { trimmed($0) }.filter { !$0.isEmpty }
    }

    /// A cell's parts, with spaces between them.
    func words(_ index: Int) -> [String] { text(index).split(separator: " ").map(String.init) }
  }

  let rows: [Row]

  init(_ content: String) {
    let lines = content.split(omittingEmptySubsequences: false) { $0.isNewline }
    rows = lines.enumerated().compactMap { index, line in
      if line.isEmpty || line.hasPrefix("#") { return nil }
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Row(line: index + 1, cells: cells.map { trimmed($0) })
    }
  }
}

/// A text without white space at its ends.
func trimmed(_ text: some StringProtocol) -> String {
  var rest = text[...]
  while rest.first?.isWhitespace == true { rest.removeFirst() }
  while rest.last?.isWhitespace == true { rest.removeLast() }
  return String(rest)
}
