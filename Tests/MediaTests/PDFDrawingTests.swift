// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Media

@Suite struct PDFDrawingTests {
  private static func drawing(_ language: String = "en") throws -> PDFDrawing {
    try PDFDrawing(.a4, title: "Report", language: language, created: "2026-03-01T08:00:00Z")
  }

  @Test(arguments: [
    ("en", "Take 1 tablet at 08:00 — every day"), ("de", "Größe, Übelkeit, täglich"),
    ("nb", "Ta én tablett på morgenen, ærlig"), ("tr", "Sabah ağrı için içiniz, İğne"),
    ("th", "ใช้ยาครั้งละ 1 เม็ด วันละ 2 ครั้ง หลังอาหารเช้าและเย็น เป็นเวลา 7 วัน"),
  ])
  func `installed fonts cover every interface language`(language: String, text: String) throws {
    let drawing = try Self.drawing(language)
    let style = PDFDrawing.Style(size: 10)
    let height = drawing.draw(text, x: 40, y: 40, width: 500, style: style)
    #expect(drawing.unknownCharacters == 0)
    #expect(height > 9 && height < 30)
    let bytes = try drawing.finish()
    #expect(bytes.starts(with: "%PDF-1.".utf8) && bytes.count > 1_000)
  }

  @Test func `a narrow column breaks text into more lines, even in Thai`() throws {
    let drawing = try Self.drawing("th")
    let style = PDFDrawing.Style(size: 10)
    let text = "ใช้ยาครั้งละ 1 เม็ด วันละ 2 ครั้ง หลังอาหารเช้าและเย็น เป็นเวลา 7 วัน"
    let wide = drawing.measure(text, width: 500, style: style).height
    let narrow = drawing.measure(text, width: 60, style: style).height
    #expect(narrow > wide * 3)
    #expect(drawing.width(of: text, style: style) > 200)
  }

  @Test func `lines are as high as their script needs in any font`() throws {
    let drawing = try Self.drawing("th")
    let style = PDFDrawing.Style(size: 10)
    func height(_ text: String) -> Double {
      drawing.measure(text, width: 500, style: style).height
    }
    // Two fonts in one line are not exactly centred on each other.
    #expect(height("ใช้ยา") == 14 && (14..<16).contains(height("ใช้ยา 1 mg")))
    #expect(height("1 mg") == height("Größe") && height("1 mg") < 12)
    let (whole, baseline) = drawing.measure("ที่นี่ ปู่ ญู่", width: 500, style: style)
    #expect(baseline > 8 && baseline < whole)
  }

  @Test func `characters that no font has are counted`() throws {
    let drawing = try Self.drawing()
    drawing.draw("\u{10FFFD}", x: 0, y: 0, width: 100, style: .init(size: 10))
    #expect(drawing.unknownCharacters > 0)
  }

  @Test(arguments: ["", "\0", "a\0b", "\u{202E}abc\u{202C}", String(repeating: "x", count: 20_000)])
  func `any text produces a file`(text: String) throws {
    let drawing = try Self.drawing()
    drawing.draw(text, x: 40, y: 40, width: 200, style: .init(size: 8, alignment: .end))
    drawing.line(fromX: 40, y: 30, toX: 200)
    drawing.nextPage()
    drawing.draw(text, x: 40, y: 40, width: 200, style: .init(size: 8, isBold: true))
    #expect(try drawing.finish().count > 500)
  }
}
