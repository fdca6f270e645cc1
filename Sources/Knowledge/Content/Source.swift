// SPDX-License-Identifier: Apache-2.0

/// The certainty about the content of a source.
public enum FactsStatus: String, Sendable, Hashable {
  /// The source's text was read.
  case read
  /// The source is cited from general knowledge and was not read again: to be confirmed.
  case named
}

/// The source of a fact.
public struct Source: Sendable, Hashable {
  /// The identifier, such as `S6` or `N2`; `M108` is a row of the medicines, `I087` one of the interactions.
  public let id: String
  /// The region whose rules it states; nil for none.
  public let region: Region?
  /// The certainty about its content.
  public let facts: FactsStatus
  /// The name of the source, in its own words.
  public let name: String
  /// The addresses at which it can be found.
  public let links: [String]

  static func table(_ table: ContentTable, noting note: (Int, String) -> Void) -> [Source] {
    table.rows.compactMap { row in
      guard row.cells.count == 5, let facts = FactsStatus(rawValue: row.cells[2]) else {
        note(row.line, "expected id, region, read or named, name, links")
        return nil
      }
      let region = Region(rawValue: row.cells[1])
      if region == nil && row.cells[1] != "-" { note(row.line, "no such region") }
      return Source(
        id: row.cells[0], region: region, facts: facts, name: row.cells[3],
        links: row.words(4))
    }
  }
}
