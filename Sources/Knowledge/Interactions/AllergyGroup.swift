// SPDX-License-Identifier: Apache-2.0
import Localization

/// Medicines that someone who must not have one of them is warned of together.
public struct AllergyGroup: Sendable, Hashable {
  /// `g01`.
  public let id: String
  /// The source that groups these medicines.
  public let citation: Source
  /// What it is called, in English.
  let label: String
  /// The beginnings of the ATC codes of its members.
  let codes: [String]
  /// What people call it, in one form.
  let names: [String]

  /// Returns true if a person's own words name the group.
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

/// Something that a person must not have, with what is known of it.
public struct KnownAllergy: Sendable, Hashable {
  /// As the person calls it.
  public let name: String
  /// What it is, where it is a medicine.
  let substance: Substance
  /// The groups that it names or belongs to.
  let groups: [AllergyGroup]
  /// True if the list knows anything about it.
  public var isKnown: Bool { substance.isKnown || !groups.isEmpty }
}
