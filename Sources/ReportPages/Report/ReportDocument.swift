// SPDX-License-Identifier: Apache-2.0

import Dosing

/// A report as text, before it becomes a page or a PDF.
struct ReportDocument: Sendable, Hashable {
  struct Table: Sendable, Hashable {
    let header: [String]
    let rows: [[String]]
    /// The last row, set apart.
    var total: [String]?
    /// The number of columns from the left that hold text; the others hold numbers.
    var wordColumns = 1
    /// The relative widths of the columns on paper.
    let shares: [Double]
    /// The appearances for the rows, drawn on a page; one per row, or none.
    var appearances: [MedicineAppearance?] = []
  }

  enum Block: Sendable, Hashable {
    case text(String)
    case list([String])
    case table(Table)
  }

  struct Part: Sendable, Hashable {
    /// The side of a part on paper, if space is short.
    enum Side: Sendable, Hashable {
      case whole, left, right
    }

    let title: String
    let blocks: [Block]
    var side = Side.whole
  }

  let title: String
  /// The lines below the title: the person, the date and the period.
  let lines: [String]
  let parts: [Part]
}
