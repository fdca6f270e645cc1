// SPDX-License-Identifier: Apache-2.0

/// The reason why a row of an interaction list is not valid, for its author.
public enum InteractionRowProblem: Error, Sendable, Hashable {
  /// The row has the wrong number of cells.
  case cells(expected: Int)
  case id
  case kind
  case severity
  case firstCodes
  case secondMatch
  /// A side or the effect has no text.
  case words
  case hours
  case source
  case facts
  case confirmed
  /// A text is too long for a page.
  case tooLong
  /// An earlier row has the same id.
  case twice

  /// The key of its text.
  public var code: String {
    switch self {
    case .cells: "cells"
    case .id: "id"
    case .kind: "kind"
    case .severity: "severity"
    case .firstCodes: "first-codes"
    case .secondMatch: "second-match"
    case .words: "words"
    case .hours: "hours"
    case .source: "source"
    case .facts: "facts"
    case .confirmed: "confirmed"
    case .tooLong: "too-long"
    case .twice: "twice"
    }
  }
}

extension Interaction {
  /// The names of the columns, in order.
  public static let columns = [
    "id", "kind", "a_label", "a_atc_prefixes", "b_label", "b_match", "severity", "mechanism",
    "effect_and_action", "a_before_b_hours", "a_after_b_hours", "source", "source_url",
    "facts_status", "needs_check",
  ]
  /// The maximum length of a cell, in characters.
  static let longestCell = 600
  /// The maximum time between two medicines, in hours: a quarter of a year.
  static let mostHours: Double = 2_160

  /// Reads a row; `-` is an empty cell.
  ///
  /// - Parameter isOwn: true if the operator of this server wrote it.
  init(cells: [String], isOwn: Bool) throws(InteractionRowProblem) {
    guard cells.count == Self.columns.count else {
      throw .cells(expected: Self.columns.count)
    }
    guard cells.allSatisfy({ $0.count <= Self.longestCell }) else { throw .tooLong }
    let row = ContentTable.Row(line: 0, cells: cells.map { trimmed($0) })
    id = row.text(0)
    guard Self.isID(id) else { throw .id }
    guard let kind = InteractionKind(rawValue: row.text(1)) else { throw .kind }
    self.kind = kind
    guard let severity = InteractionSeverity(rawValue: row.text(6)) else { throw .severity }
    self.severity = severity
    firstCodes = row.list(3)
    guard !firstCodes.isEmpty, firstCodes.allSatisfy(Self.isCode) else { throw .firstCodes }
    let matches = row.list(5)
    others = matches.filter { $0.contains(":") }
    secondCodes = matches.filter { !$0.contains(":") }
    guard !matches.isEmpty, secondCodes.allSatisfy(Self.isCode),
      others.allSatisfy(Self.isOther), kind != .drug || !secondCodes.isEmpty,
      kind == .drug || secondCodes.isEmpty
    else { throw .secondMatch }
    first = row.text(2)
    second = row.text(4)
    effects = row.list(8)
    guard !first.isEmpty, !second.isEmpty, !effects.isEmpty else { throw .words }
    beforeHours = try Self.hours(row.text(9))
    afterHours = try Self.hours(row.text(10))
    guard !row.text(11).isEmpty,
      row.words(12).allSatisfy({ $0.hasPrefix("https://") || $0.hasPrefix("http://") })
    else { throw .source }
    guard let facts = FactsStatus(rawValue: row.text(13)) else { throw .facts }
    guard ["yes", "no", "partly"].contains(row.text(14)) else { throw .confirmed }
    isToBeConfirmed = row.text(14) != "no"
    isDuplicate = row.text(7) == Self.duplicate
    self.isOwn = isOwn
    citation = Source(
      id: id.uppercased(), region: nil, facts: facts, name: row.text(11), links: row.words(12))
  }

  /// The mechanism of a row about one ingredient in two products.
  private static let duplicate = "duplicate ingredient"

  /// Returns true for letters, digits and dashes, at most 20.
  private static func isID(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D
      }
  }

  /// Returns true for an ATC code or its prefix: `C`, `C07`, `C07A`, `C07AB` or `C07AB02`.
  static func isCode(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard [1, 3, 4, 5, 7].contains(bytes.count) else { return false }
    return bytes.enumerated().allSatisfy { place, byte in
      [0, 3, 4].contains(place) ? (0x41...0x5A).contains(byte) : (0x30...0x39).contains(byte)
    }
  }

  private static func isOther(_ text: String) -> Bool {
    let halves = text.split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2, ["food", "herb", "cond"].contains(halves[0]) else { return false }
    return (1...40).contains(halves[1].utf8.count)
      && halves[1].utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
      }
  }

  private static func hours(_ text: String) throws(InteractionRowProblem) -> Double? {
    if text.isEmpty { return nil }
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    guard isPlain, let hours = Double(text), hours > 0, hours <= mostHours else { throw .hours }
    return hours
  }

  static func table(
    _ table: ContentTable, phrases: Phrases, noting note: (Int, String) -> Void
  ) -> [Interaction] {
    table.rows.compactMap { row in
      do throws(InteractionRowProblem) {
        let read = try Interaction(cells: row.cells, isOwn: false)
        for phrase in [read.first, read.second] + read.effects where !phrases.has(phrase) {
          note(row.line, "\(read.id): not in phrases.table: \(phrase)")
        }
        return read
      } catch {
        note(
          row.line, error == .severity ? "no known severity" : "not readable: \(error.code)")
        return nil
      }
    }
  }
}

extension ContentTable {
  /// Returns the version in the comment `# version ...` at the top of a table.
  static func version(of content: String) -> String? {
    let mark = "# version "
    for line in content.split(whereSeparator: \.isNewline).prefix(20) where line.hasPrefix(mark) {
      let version = trimmed(line.dropFirst(mark.count))
      return version.isEmpty || version.count > 60 ? nil : version
    }
    return nil
  }
}
