// SPDX-License-Identifier: Apache-2.0

import Dosing

/// A report in words, before it becomes a page or paper.
struct ReportDocument: Sendable, Hashable {
  struct Table: Sendable, Hashable {
    let header: [String]
    let rows: [[String]]
    /// The last row, set apart.
    var total: [String]?
    /// How many columns from the left hold words; the others hold numbers.
    var wordColumns = 1
    /// How the width is divided on paper.
    let shares: [Double]
    /// What the medicines of the rows look like, to be drawn on a page; as many as rows, or none.
    var appearances: [MedicineAppearance?] = []
  }

  enum Block: Sendable, Hashable {
    case text(String)
    case list([String])
    case table(Table)
  }

  struct Part: Sendable, Hashable {
    /// Where it may stand on paper that is short of room.
    enum Side: Sendable, Hashable {
      case whole, left, right
    }

    let title: String
    let blocks: [Block]
    var side = Side.whole
  }

  let title: String
  /// Under the title: who, when, of which days.
  let lines: [String]
  let parts: [Part]
}
