// SPDX-License-Identifier: Apache-2.0

/// A fault in a content file, which a test and `make lint` find before any user could.
public struct ContentFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The line; 0 if the fault concerns several lines.
  public let line: Int
  /// The problem.
  public let problem: String

  /// File, line and problem.
  public var description: String { "\(path):\(line): \(problem)" }
}

/// A `[name]` with the `key = text` lines below it.
struct ContentBlock {
  let name: String
  let line: Int
  private(set) var fields: [String: String] = [:]
  /// The `row =` lines, which can be repeated.
  private(set) var rows: [(line: Int, text: String)] = []

  init(name: String, line: Int) {
    self.name = name
    self.line = line
  }

  /// The text of a key; nil if it is missing or empty.
  subscript(key: String) -> String? { fields[key].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the parts of a list separated by `;` or `,`.
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

  /// Returns the blocks of a file; `#` starts a comment line.
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

/// Lines of cells separated by tabs; `-` is an empty cell, `#` starts a comment line.
struct ContentTable {
  struct Row {
    let line: Int
    let cells: [String]

    /// Returns a cell's text, empty for `-`.
    func text(_ index: Int) -> String { cells[index] == "-" ? "" : cells[index] }

    /// Returns a cell's parts, separated by `;`.
    func list(_ index: Int) -> [String] {
      text(index).split(separator: ";").map { trimmed($0) }.filter { !$0.isEmpty }
    }

    /// Returns a cell's parts, separated by spaces.
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

/// Returns a text without white space at its ends.
func trimmed(_ text: some StringProtocol) -> String {
  var rest = text[...]
  while rest.first?.isWhitespace == true { rest.removeFirst() }
  while rest.last?.isWhitespace == true { rest.removeLast() }
  return String(rest)
}
