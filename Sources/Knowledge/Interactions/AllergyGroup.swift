// SPDX-License-Identifier: Apache-2.0
import Localization

/// A group of medicines: a person with an allergy to one of them is warned about all.
public struct AllergyGroup: Sendable, Hashable {
  /// The identifier, such as `g01`.
  public let id: String
  /// The source that groups these medicines.
  public let citation: Source
  /// The name in English.
  let label: String
  /// The prefixes of its members' ATC codes.
  let codes: [String]
  /// The common names, normalised.
  let names: [String]

  /// Returns true if a person's own text names the group.
  func isNamed(in words: String) -> Bool {
    names.contains { " \(words) ".contains(" \($0) ") }
  }

  func holds(_ code: String) -> Bool { codes.contains { code.hasPrefix($0) } }

  static func table(
    _ table: ContentTable, phrases: Phrases, noting note: (Int, String) -> Void
  ) -> [AllergyGroup] {
    table.rows.compactMap { row in
      guard row.cells.count == 7, let facts = FactsStatus(rawValue: row.text(6)),
        !row.list(2).isEmpty, row.list(2).allSatisfy(Interaction.isCode), !row.list(3).isEmpty
      else {
        note(row.line, "expected id, label, ATC codes, names, source, link, read or named")
        return nil
      }
      if row.text(4).isEmpty { note(row.line, "\(row.text(0)): no source") }
      if !phrases.has(row.text(1)) {
        note(row.line, "\(row.text(0)): not in phrases.table: \(row.text(1))")
      }
      return AllergyGroup(
        id: row.text(0),
        citation: Source(
          id: row.text(0).uppercased(), region: nil, facts: facts, name: row.text(4),
          links: row.words(5)),
        label: row.text(1), codes: row.list(2), names: row.list(3).map(NameNormalizer.normalised))
    }
  }
}

/// An allergy of a person, as far as the handbook knows it.
public struct KnownAllergy: Sendable, Hashable {
  /// The name as the person typed it.
  public let name: String
  /// The substance, if it is a medicine.
  let substance: Substance
  /// The groups that it names or belongs to.
  let groups: [AllergyGroup]
  /// True if the list knows anything about it.
  public var isKnown: Bool { substance.isKnown || !groups.isEmpty }
}
