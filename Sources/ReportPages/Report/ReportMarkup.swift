// SPDX-License-Identifier: Apache-2.0

import HTML
import Presentation
import Web

/// A report as a part of a page.
struct ReportMarkup: PagePart {
  let document: ReportDocument

  var markup: Markup {
    """
    <div class="stack">\(each: document.lines, { "<p>\($0)</p>" })</div>\
    \(each: document.parts, { Section($0.title, blocks($0)).markup })
    """
  }

  private func blocks(_ part: ReportDocument.Part) -> Markup {
    "<div class=\"stack\">\(each: part.blocks, { block($0, part.title) })</div>"
  }

  private func block(_ block: ReportDocument.Block, _ title: String) -> Markup {
    switch block {
    case .text(let text): "<p>\(text)</p>"
    case .list(let items): "<ul>\(each: items, { "<li>\($0)</li>" })</ul>"
    case .table(let table): self.table(table, title)
    }
  }

  /// Returns a table in which columns of text share one cell, one below the other, since a phone is
  /// narrow.
  private func table(_ table: ReportDocument.Table, _ title: String) -> Markup {
    let numbers = Array(table.header.dropFirst(table.wordColumns))
    let kind = table.wordColumns > 1 ? "table table-stacked" : "table"
    return """
      <div class="table-scroll" role="region" aria-label="\(title)" tabindex="0">\
      <table class="\(kind)"><thead><tr><th scope="col">\(table.header.first ?? "")</th>\
      \(each: numbers, { "<th scope=\"col\" class=\"number\">\($0)</th>" })</tr></thead>\
      <tbody>\(each: Array(table.rows.enumerated()), { row($0.element, table, look(of: $0.offset, table)) })\
      </tbody>\
      \(if: table.total != nil, "<tfoot>\(row(table.total ?? [], table))</tfoot>" as Markup)\
      </table></div>
      """
  }

  /// Returns the drawing; its description is in the row.
  private func look(of row: Int, _ table: ReportDocument.Table) -> AppearanceDrawing? {
    guard row < table.appearances.count, let look = table.appearances[row] else { return nil }
    return AppearanceDrawing(look: look, side: 28)
  }

  private func row(
    _ cells: [String], _ table: ReportDocument.Table, _ look: AppearanceDrawing? = nil
  ) -> Markup {
    let words = cells.prefix(table.wordColumns).dropFirst().filter { !$0.isEmpty }
    let more = words.map { "<br><span class=\"table-note\">\($0)</span>" as Markup }
    let numbers = cells.dropFirst(table.wordColumns)
    return """
      <tr><th scope="row">\(look)\(cells.first ?? "")\(more)</th>\
      \(each: Array(numbers), { "<td class=\"number\">\($0)</td>" })</tr>
      """
  }
}

extension ReportDocument.Table {
  func isNumber(_ column: Int) -> Bool { column >= wordColumns }
}
