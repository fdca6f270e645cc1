// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Media
import Presentation
import Storage
import Studies

/// A copy of a signed consent as a PDF file on A4.
struct StudyConsentPaper: Sendable {
  private static let margin = 56.0
  private static let width = PDFDrawing.Paper.a4.width - 2 * margin
  private static let text = PDFDrawing.Style(size: 11)

  let definition: StudyDefinition
  let signature: StudySignature
  let words: DoseFormatter

  /// Returns the bytes of the file, in the language in which the consent was signed.
  func bytes() throws -> [UInt8] {
    let localizer = words.localizer
    let language = Language(tag: signature.language) ?? localizer.language
    let title = definition.title.text(in: language)
    let drawing = try PDFDrawing(
      .a4, title: title, language: language.tag,
      created: FHIRDateTime.instantText(
        milliseconds: signature.signed.milliseconds, offsetMinutes: 0))
    var y = Self.margin
    func write(_ text: String, _ style: PDFDrawing.Style = Self.text) {
      let height = drawing.measure(text, width: Self.width, style: style).height
      if y > Self.margin, y + height > PDFDrawing.Paper.a4.height - Self.margin {
        drawing.nextPage()
        y = Self.margin
      }
      drawing.draw(text, x: Self.margin, y: y, width: Self.width, style: style)
      y += height + 8
    }
    write(title, PDFDrawing.Style(size: 18, isBold: true))
    write(
      localizer.text("studies.paper.version", ["version": .number(signature.version)]),
      PDFDrawing.Style(size: 10, grey: 0.35))
    for paragraph in definition.consent.paragraphs(in: language) { write(paragraph) }
    let heading = PDFDrawing.Style(size: 13, isBold: true)
    write(localizer.text("studies.shared"), heading)
    for share in StudyShare.allCases where definition.shares.contains(share) {
      write("• " + localizer.text("studies.share", ["share": .text(share.rawValue)]))
    }
    write(localizer.text("studies.shared.never"))
    write(localizer.text("studies.paper.questions"), heading)
    for question in definition.consent.questions {
      let answer = question.choices.first { $0.id == question.right }
      write("\(question.text.text(in: language)) \(answer?.text.text(in: language) ?? "")")
    }
    write(
      localizer.text(
        "studies.paper.signed",
        ["name": .text(signature.name), "time": .text(words.dated(signature.signed))]),
      heading)
    return try drawing.finish()
  }
}
