// SPDX-License-Identifier: Apache-2.0
import Localization

/// How bad it is when two things meet; the project's own grades, from the worst.
public enum InteractionSeverity: String, CaseIterable, Sendable, Hashable, Comparable {
  case contraindicated, severe, moderate, minor

  /// Whether it is worse.
  public static func < (left: InteractionSeverity, right: InteractionSeverity) -> Bool {
    let order = Self.allCases
    return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
  }
}

/// Two things that do not go together: two medicines, or a medicine and food, an herb, an illness.
public struct Interaction: Sendable, Hashable {
  /// `i001`.
  public let id: String
  /// How bad it is.
  public let severity: InteractionSeverity
  /// Whether it has to be confirmed before anybody relies on it.
  public let isToBeConfirmed: Bool
  /// Where it comes from.
  public let citation: Source
  let first: String
  let firstCodes: [String]
  let second: String
  let secondMatches: [String]
  let effects: [String]

  /// Whether a medicine is on the first side, on the second, or on neither.
  func side(of medicine: Medicine) -> Side? {
    if firstCodes.contains(where: { medicine.atc.hasPrefix($0) }) { return .first }
    if secondMatches.contains(where: { medicine.atc.hasPrefix($0) }) { return .second }
    return nil
  }

  enum Side { case first, second }

  static func table(
    _ table: ContentTable, phrases: Phrases, noting note: (Int, String) -> Void
  ) -> [Interaction] {
    table.rows.compactMap { row in
      guard row.cells.count == 15, let severity = InteractionSeverity(rawValue: row.cells[6]),
        let facts = FactsStatus(rawValue: row.cells[13])
      else {
        note(row.line, "expected 15 cells with a known severity, and read or named")
        return nil
      }
      if row.text(11).isEmpty { note(row.line, "\(row.text(0)): no source") }
      for phrase in [row.text(2), row.text(4)] + row.list(8) where !phrases.has(phrase) {
        note(row.line, "\(row.text(0)): not in phrases.table: \(phrase)")
      }
      return Interaction(
        id: row.text(0), severity: severity, isToBeConfirmed: row.text(14) != "no",
        citation: Source(
          id: row.text(0).uppercased(), region: nil, facts: facts, name: row.text(11),
          links: row.words(12)),
        first: row.text(2), firstCodes: row.list(3), second: row.text(4),
        secondMatches: row.list(5), effects: row.list(8))
    }
  }
}

/// An interaction as it is told on the page of a medicine.
public struct InteractionNote: Sendable, Hashable {
  /// How bad it is.
  public let severity: InteractionSeverity
  /// What the medicine does not go with.
  public let other: String
  /// What happens and what to do.
  public let effects: [String]
  /// Whether it has to be confirmed before anybody relies on it.
  public let isToBeConfirmed: Bool
  /// Where it comes from.
  public let citation: Source
}

extension Handbook {
  /// What a medicine does not go with, the worst first.
  ///
  /// Nothing found never means that it is safe.
  public func interactions(of medicine: Medicine, in language: Language) -> [InteractionNote] {
    interactions
      .compactMap { interaction -> InteractionNote? in
        guard let side = interaction.side(of: medicine) else { return nil }
        let other = side == .first ? interaction.second : interaction.first
        return InteractionNote(
          severity: interaction.severity, other: phrases.text(other, in: language),
          effects: interaction.effects.map { phrases.text($0, in: language) },
          isToBeConfirmed: interaction.isToBeConfirmed, citation: interaction.citation)
      }
      .sorted { ($0.severity, $0.citation.id) < ($1.severity, $1.citation.id) }
  }
}
