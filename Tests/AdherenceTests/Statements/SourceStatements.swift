// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The SQL written in the program's sources, as string literals with their places.
struct SourceStatements {
  struct Literal: Sendable {
    /// The file below `Sources`, with the line.
    let place: String
    let text: String
  }

  /// The statements that are complete in the source; lists of values end in one placeholder.
  private(set) var whole: [Literal] = []
  /// The files that build statements at run time, with the SQL fragments in them.
  private(set) var pieces: [String: [Literal]] = [:]
  /// The statements with columns of a row type that ``RowTypes`` does not list.
  private(set) var unresolved: [Literal] = []

  /// Reads every file that can reach the database.
  static func read() throws -> SourceStatements {
    let sources = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources")
    var found = SourceStatements()
    let files = FileManager.default.enumerator(atPath: sources.path)
    while let name = files?.nextObject() as? String {
      // The health data code reads another program's database.
      guard name.hasSuffix(".swift"), !name.hasPrefix("HealthData/"),
        !name.hasPrefix("Storage/SQL/")
      else { continue }
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      guard (words + builders).contains(where: text.contains) else { continue }
      // The tables of a row type are part of its statements only.
      let code = text.replacing(/static let (tables|joins): SQLText/, with: "")
      found.add(
        SwiftLiterals(text).all, in: name, putsTogether: builders.contains(where: code.contains))
    }
    return found
  }

  private static let words = ["SELECT", "INSERT", "UPDATE", "DELETE"]
  /// The names that occur in every file that builds a statement.
  private static let builders = ["SQLText", "HistoryQuery("]

  private mutating func add(
    _ literals: [SwiftLiterals.Literal], in file: String, putsTogether: Bool
  ) {
    for (index, literal) in literals.enumerated() {
      let place = "\(file):\(literal.line)"
      guard let resolved = RowTypes.resolve(literal) else {
        if literal.namesColumns { unresolved.append(Literal(place: place, text: literal.text)) }
        continue
      }
      let text = resolved.trimmingCharacters(in: .whitespacesAndNewlines)
      let begins = text.prefixMatch(of: /(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/) != nil
      guard begins, !putsTogether || literal.isCallArgument else {
        if putsTogether, !text.isEmpty {
          pieces[file, default: []].append(Literal(place: place, text: text))
        }
        continue
      }
      guard text.hasSuffix("IN (") else {
        whole.append(Literal(place: place, text: text))
        continue
      }
      // `query(head, arguments, in: values, tail)`: the tail is the next text of the same call.
      let tail =
        literals.dropFirst(index + 1).first { $0.call == literal.call }
        .flatMap(RowTypes.resolve) ?? ""
      let numbers = text.matches(of: /\$(\d+)/).compactMap { Int($0.output.1) }
      whole.append(
        Literal(place: place, text: text + "$\((numbers.max() ?? 0) + 1))" + tail))
    }
  }
}

/// The string literals of a Swift file, with the context needed to find statements.
struct SwiftLiterals {
  struct Literal {
    let line: Int
    var text = ""
    /// The code of its interpolations; the text has ``mark`` for each.
    var interpolations: [String] = []
    /// True if it directly follows the opening bracket of a call to `query`, `first` or `execute`, or of a
    /// statement that is assembled once.
    let isCallArgument: Bool
    /// The position of the bracket that encloses the literal.
    let call: Int?

    static let mark: Character = "\u{FFFC}"

    /// True if an interpolation is the column list of a row type.
    var namesColumns: Bool {
      interpolations.contains { $0.hasSuffix(".columns") || $0.hasSuffix(".placeholders") }
    }
  }

  private(set) var all: [Literal] = []
  private let source: [UInt8]
  private var position = 0
  private var line = 1
  private var brackets: [Int] = []

  init(_ text: String) {
    source = Array(text.utf8)
    code()
  }

  private func at(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { source[position...].starts(with: $0) }
  }

  private var isAtLineEnd: Bool { source[position] == UInt8(ascii: "\n") }

  private mutating func step(_ count: Int = 1) {
    for _ in 0..<count where position < source.count {
      if isAtLineEnd { line += 1 }
      position += 1
    }
  }

  /// Reads code up to the end, or to the bracket that closes an interpolation.
  private mutating func code(isInterpolation: Bool = false) {
    let depth = brackets.count
    while position < source.count {
      switch Character(Unicode.Scalar(source[position])) {
      case "/" where at("//"):
        while position < source.count, !isAtLineEnd { step() }
      case "/" where at("/*"):
        while position < source.count, !at("*/") { step() }
        step(2)
      case "#" where at("#\""), "#" where at("##\""):
        raw()
      case "\"":
        literal()
      case "(", "[", "{":
        brackets.append(position)
        step()
      case ")", "]", "}":
        if isInterpolation, brackets.count == depth { return step() }
        _ = brackets.popLast()
        step()
      default:
        step()
      }
    }
  }

  /// Skips a raw literal; these contain no SQL.
  private mutating func raw() {
    var hashes = 0
    while at("#") {
      hashes += 1
      step()
    }
    step()
    let ending = [UInt8(ascii: "\"")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    while position < source.count, !source[position...].starts(with: ending) { step() }
    step(1 + hashes)
  }

  private mutating func literal() {
    let isLong = at("\"\"\"")
    var found = Literal(line: line, isCallArgument: followsCall, call: brackets.last)
    var bytes: [UInt8] = []
    step(isLong ? 3 : 1)
    while position < source.count, !(isLong ? at("\"\"\"") : at("\"")) {
      guard at("\\") else {
        bytes.append(source[position])
        step()
        continue
      }
      step()
      if at("(") {
        step()
        let start = position
        code(isInterpolation: true)
        found.interpolations.append(
          String(decoding: source[start..<max(start, position - 1)], as: UTF8.self))
        bytes.append(contentsOf: String(Literal.mark).utf8)
      } else {
        // The only escapes in SQL are a line continuation, a quotation mark and a backslash.
        if position < source.count, !isAtLineEnd { bytes.append(source[position]) }
        step()
      }
    }
    step(isLong ? 3 : 1)
    found.text = String(decoding: bytes, as: UTF8.self)
    all.append(found)
  }

  private var followsCall: Bool {
    guard let bracket = brackets.last, source[bracket] == UInt8(ascii: "("),
      source[(bracket + 1)..<position].allSatisfy({ $0 == 0x20 || $0 == 0x0A })
    else { return false }
    let before = String(decoding: source[max(0, bracket - 12)..<bracket], as: UTF8.self)
    return ["query", "first", "execute", "SQLStatement"].contains(where: before.hasSuffix)
  }
}
