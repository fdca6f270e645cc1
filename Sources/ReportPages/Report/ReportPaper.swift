// SPDX-License-Identifier: Apache-2.0

import Localization
import Media

/// A report as a PDF file on A4: one page if it fits at a readable size, else more.
struct ReportPaper: Sendable {
  let document: ReportDocument
  let localizer: Localizer
  /// An ISO 8601 instant.
  let created: String

  /// The attempts to fit one page: text sizes in points, and whether small parts are side by side.
  private static let tries: [(size: Double, isBeside: Bool)] = [
    (10, false), (9, false), (9, true), (8, false), (8, true), (7.5, true),
  ]
  private static let sizeOfMany = 9.0
  private static let margin = 40.0
  private static let width = PDFDrawing.Paper.a4.width - 2 * margin

  func bytes() throws -> [UInt8] {
    for (size, isBeside) in Self.tries {
      let setting = try Setting(self, size: size, isBeside: isBeside, mostPages: 1)
      setting.run()
      if setting.pages == 1 { return try setting.finish() }
    }
    let setting = try Setting(self, size: Self.sizeOfMany, isBeside: false, mostPages: .max)
    setting.run()
    return try setting.finish()
  }

  /// The state of one attempt to set the text.
  private final class Setting {
    private let drawing: PDFDrawing
    private let paper: ReportPaper
    private let size: Double
    private let isBeside: Bool
    private let mostPages: Int
    private(set) var pages = 1
    private var y = ReportPaper.margin
    /// The gap between columns.
    private var gap: Double { size * 0.7 }
    /// The left edge of lines, and their length.
    private var left = ReportPaper.margin
    private var width = ReportPaper.width
    private let bottom = PDFDrawing.Paper.a4.height - ReportPaper.margin

    /// - Parameter mostPages: The page limit; later content is dropped, to detect early that it
    ///   does not fit.
    init(_ paper: ReportPaper, size: Double, isBeside: Bool, mostPages: Int) throws {
      self.paper = paper
      self.size = size
      self.isBeside = isBeside
      self.mostPages = mostPages
      drawing = try PDFDrawing(
        .a4, title: paper.document.title, language: paper.localizer.language.tag,
        created: paper.created)
    }

    func run() {
      write(paper.document.title, .init(size: size * 1.7, isBold: true))
      for (index, line) in paper.document.lines.enumerated() {
        write(line, .init(size: size, isBold: index == 0, grey: index > 1 ? 0.35 : 0))
      }
      let parts = paper.document.parts
      if isBeside {
        let above = parts.prefix { $0.side == .whole }
        for part in above { write(part) }
        writeBeside(parts.filter { $0.side != .whole })
        for part in parts.dropFirst(above.count) where part.side == .whole { write(part) }
      } else {
        for part in parts { write(part) }
      }
      if drawing.unknownCharacters > 0 {
        y += size * 0.6
        write(
          paper.localizer.text("report.unprintable"), .init(size: size * 0.85, grey: 0.35))
      }
    }

    func finish() throws -> [UInt8] { try drawing.finish() }

    // MARK: Parts

    /// Writes some parts on the left and the others to the right of them.
    private func writeBeside(_ parts: [ReportDocument.Part]) {
      let (top, between) = (y, size * 2)
      let share = (ReportPaper.width - between) * 0.62
      width = share
      for part in parts where part.side == .left { write(part) }
      let lower = y
      (y, left, width) = (
        top, ReportPaper.margin + share + between, ReportPaper.width - between - share
      )
      for part in parts where part.side == .right { write(part) }
      (y, left, width) = (max(lower, y), ReportPaper.margin, ReportPaper.width)
    }

    private func write(_ part: ReportDocument.Part) {
      y += size * 0.9
      // A title stays with the part that follows it.
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
      let header = PDFDrawing.Style(size: size * 0.9, isBold: true, grey: 0.3)
      let widths = widths(table, header)
      row(table.header, widths, table, header)
      for cells in table.rows where pages <= mostPages {
        row(cells, widths, table, .init(size: size))
      }
      if let total = table.total {
        row(total, widths, table, .init(size: size, isBold: true))
      }
    }

    /// Returns the widths by the table's shares, adjusted so that no column heading breaks while
    /// others have room to spare.
    private func widths(_ table: ReportDocument.Table, _ header: PDFDrawing.Style) -> [Double] {
      let sum = table.shares.reduce(0, +)
      let widths = table.shares.map { width * $0 / sum - gap }
      let needs = table.header.map { title in
        title.split(separator: " ").map { drawing.width(of: String($0), style: header) + 0.5 }.max()
          ?? 0
      }
      let missing = zip(needs, widths).map { max(0, $0 - $1) }.reduce(0, +)
      let spare = zip(needs, widths).map { max(0, $1 - $0) }.reduce(0, +)
      guard missing > 0, spare > missing else { return widths }
      return zip(needs, widths).map { need, width in
        max(need, width - (width - need) * missing / spare)
      }
    }

    private func row(
      _ cells: [String], _ widths: [Double], _ table: ReportDocument.Table,
      _ style: PDFDrawing.Style
    ) {
      let styles = cells.indices.map { column in
        var style = style
        style.alignment = table.isNumber(column) ? .end : .start
        return style
      }
      // The first lines share a baseline, whatever fonts the cells use.
      let measures = zip(cells.indices, cells).map { column, text in
        drawing.measure(text, width: widths[column], style: styles[column])
      }
      let baseline = measures.map(\.baseline).max() ?? 0
      let height = measures.map { baseline - $0.baseline + $0.height }.max() ?? 0
      makeRoom(height + size * 0.4)
      var x = left
      for (column, text) in cells.enumerated() {
        drawing.draw(
          text, x: x, y: y + baseline - measures[column].baseline, width: widths[column],
          style: styles[column])
        x += widths[column] + gap
      }
      y += height + size * 0.15
      drawing.line(fromX: left, y: y, toX: left + width)
      y += size * 0.2
    }

    private func write(_ text: String, _ style: PDFDrawing.Style) {
      let height = drawing.measure(text, width: width, style: style).height
      makeRoom(height)
      drawing.draw(text, x: left, y: y, width: width, style: style)
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
