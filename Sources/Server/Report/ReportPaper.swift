// SPDX-License-Identifier: Apache-2.0

import Localization
import Media

/// A report as a PDF file on A4: one page where it fits in a size that can be read, else more.
struct ReportPaper: Sendable {
  let document: ReportDocument
  let localizer: Localizer
  /// An ISO 8601 instant.
  let created: String

  /// The sizes of text that are tried for one page, in points; the last but one is used where none does.
  private static let sizes = [10.0, 9, 8, 7.5]
  private static let sizeOfMany = 9.0
  private static let margin = 40.0

  func bytes() throws -> [UInt8] {
    for size in Self.sizes {
      let setting = Setting(self, size: size)
      setting.run()
      if setting.pages == 1 { return try setting.finish() }
    }
    let setting = Setting(self, size: Self.sizeOfMany)
    setting.run()
    return try setting.finish()
  }

  /// One try at setting it.
  private final class Setting {
    private let drawing: PDFDrawing
    private let paper: ReportPaper
    private let size: Double
    private(set) var pages = 1
    private var y = ReportPaper.margin
    private let width = PDFDrawing.Paper.a4.width - 2 * ReportPaper.margin
    private let bottom = PDFDrawing.Paper.a4.height - ReportPaper.margin

    init(_ paper: ReportPaper, size: Double) {
      self.paper = paper
      self.size = size
      drawing = PDFDrawing(
        .a4, title: paper.document.title, language: paper.localizer.language.tag,
        created: paper.created)
    }

    func run() {
      write(paper.document.title, .init(size: size * 1.7, isBold: true))
      for (index, line) in paper.document.lines.enumerated() {
        write(line, .init(size: size, isBold: index == 0, grey: index > 1 ? 0.35 : 0))
      }
      for part in paper.document.parts { write(part) }
      if drawing.unknownCharacters > 0 {
        y += size * 0.6
        write(
          paper.localizer.text("report.unprintable"), .init(size: size * 0.85, grey: 0.35))
      }
    }

    func finish() throws -> [UInt8] { try drawing.finish() }

    // MARK: Parts

    private func write(_ part: ReportDocument.Part) {
      y += size * 0.9
      // A title stays with what follows it.
      makeRoom(size * 5)
      write(part.title, .init(size: size * 1.2, isBold: true))
      y += size * 0.2
      for block in part.blocks {
        switch block {
        case .text(let text): write(text, .init(size: size))
        case .list(let items): for item in items { write("• \(item)", .init(size: size)) }
        case .table(let table): write(table)
        }
      }
    }

    private func write(_ table: ReportDocument.Table) {
      row(table.header, table, .init(size: size * 0.9, isBold: true, grey: 0.3))
      for cells in table.rows { row(cells, table, .init(size: size)) }
      if let total = table.total { row(total, table, .init(size: size, isBold: true)) }
    }

    private func row(
      _ cells: [String], _ table: ReportDocument.Table, _ style: PDFDrawing.Style
    ) {
      let sum = table.shares.reduce(0, +)
      let gap = size * 0.7
      let widths = table.shares.map { width * $0 / sum - gap }
      let styles = cells.indices.map { column in
        var style = style
        style.alignment = table.isNumber(column) ? .end : .start
        return style
      }
      let height =
        zip(cells.indices, cells).map { column, text in
          drawing.height(of: text, width: widths[column], style: styles[column])
        }.max() ?? 0
      makeRoom(height + size * 0.4)
      var x = ReportPaper.margin
      for (column, text) in cells.enumerated() {
        drawing.draw(text, x: x, y: y, width: widths[column], style: styles[column])
        x += widths[column] + gap
      }
      y += height + size * 0.15
      drawing.line(fromX: ReportPaper.margin, y: y, toX: ReportPaper.margin + width)
      y += size * 0.2
    }

    private func write(_ text: String, _ style: PDFDrawing.Style) {
      let height = drawing.height(of: text, width: width, style: style)
      makeRoom(height)
      drawing.draw(text, x: ReportPaper.margin, y: y, width: width, style: style)
      y += height + size * 0.2
    }

    private func makeRoom(_ height: Double) {
      guard y + height > bottom, y > ReportPaper.margin else { return }
      drawing.nextPage()
      pages += 1
      y = ReportPaper.margin
    }
  }
}
