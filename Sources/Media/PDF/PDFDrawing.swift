// SPDX-License-Identifier: Apache-2.0

import CPango

/// Pages with text and lines, as a PDF file.
///
/// Lengths are points (1/72 inch) from the upper left corner of the page. Pango shapes the text with the
/// machine's fonts, so that every script with an installed font works. Used by one thread at a time.
package final class PDFDrawing {
  /// The size of a page in points.
  package struct Paper: Sendable, Hashable {
    /// The width in points.
    package let width: Double
    /// The height in points.
    package let height: Double

    /// ISO 216: 210 by 297 millimetres.
    package static let a4 = Paper(width: 595.28, height: 841.89)
  }

  /// The appearance of a text: size, weight, alignment and shade.
  package struct Style: Sendable, Hashable {
    /// The edge to which lines of text are aligned.
    package enum Alignment: Sendable, Hashable {
      case start, end
    }

    /// The font size in points.
    package var size: Double
    /// True if the text is bold.
    package var isBold: Bool
    /// The edge to which lines are aligned.
    package var alignment: Alignment
    /// The shade of the text: 0 for black, 1 for white.
    package var grey: Double

    /// Creates a style; by default regular, at the start of the line, and black.
    package init(
      size: Double, isBold: Bool = false, alignment: Alignment = .start, grey: Double = 0
    ) {
      self.size = size
      self.isBold = isBold
      self.alignment = alignment
      self.grey = grey
    }
  }

  /// A reason why no file can be made.
  package enum Failure: Error, Sendable, Hashable {
    /// Cairo failed; carries its status code.
    case drawing(status: Int)
    /// Cairo or Pango is not installed on this machine.
    case notInstalled
  }

  /// The preferred fonts; Pango uses others for scripts that these lack.
  private static let family = "Liberation Sans, Garuda, DejaVu Sans, Sans"

  /// The number of characters drawn as boxes because no font for them is installed.
  package private(set) var unknownCharacters = 0

  private final class Output {
    var bytes: [UInt8] = []
  }

  private let output = Output()
  private let surface: OpaquePointer
  private let context: OpaquePointer

  /// Creates a file with its first page.
  ///
  /// - Parameter created: an ISO 8601 instant, stored as the file's creation time.
  /// - Throws: ``Failure/notInstalled``.
  package init(
    _ paper: Paper, title: String, language: String, created: String
  ) throws(Failure) {
    guard pango_load() else { throw .notInstalled }
    let write: cairo_write_func_t = { closure, data, length in
      guard let closure, let data else { return CAIRO_STATUS_SUCCESS }
      Unmanaged<Output>.fromOpaque(closure).takeUnretainedValue().bytes.append(
        contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
      return CAIRO_STATUS_SUCCESS
    }
    surface = cairo_pdf_surface_create_for_stream(
      write, Unmanaged.passUnretained(output).toOpaque(), paper.width, paper.height)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, created)
    context = cairo_create(surface)
    self.language = language
  }

  private let language: String

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Ends the page and begins the next one.
  package func nextPage() { cairo_show_page(context) }

  /// Returns the height of a text broken at a width, and the distance of its first baseline from
  /// its upper edge, in points.
  package func measure(
    _ text: String, width: Double, style: Style
  ) -> (height: Double, baseline: Double) {
    let layout = layout(text, width: width, style: style)
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    let baseline = Double(pango_layout_get_baseline(layout)) / Double(REGIMEN_PANGO_SCALE)
    return (size(of: layout).height, baseline)
  }

  /// Returns the width of a text on one line, in points.
  package func width(of text: String, style: Style) -> Double {
    let layout = layout(text, width: nil, style: style)
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    return size(of: layout).width
  }

  /// Draws a text with its upper left corner at a position, broken at a width, and returns its height in
  /// points.
  @discardableResult
  package func draw(
    _ text: String, x: Double, y: Double, width: Double, style: Style
  ) -> Double {
    let layout = layout(text, width: width, style: style)
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    unknownCharacters += Int(pango_layout_get_unknown_glyphs_count(layout))
    cairo_set_source_rgb(context, style.grey, style.grey, style.grey)
    cairo_move_to(context, x, y)
    pango_cairo_show_layout(context, layout)
    return size(of: layout).height
  }

  /// Draws a thin horizontal line; lengths in points, `grey` from 0 (black) to 1 (white).
  package func line(
    fromX: Double, y: Double, toX: Double, thickness: Double = 0.5, grey: Double = 0.6
  ) {
    cairo_set_source_rgb(context, grey, grey, grey)
    cairo_set_line_width(context, thickness)
    cairo_move_to(context, fromX, y)
    cairo_line_to(context, toX, y)
    cairo_stroke(context)
  }

  /// Ends the file and returns its bytes; nothing may be drawn afterwards.
  package func finish() throws(Failure) -> [UInt8] {
    cairo_surface_finish(surface)
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS else { throw .drawing(status: Int(status.rawValue)) }
    return output.bytes
  }

  // MARK: Layouts

  private func layout(_ text: String, width: Double?, style: Style) -> OpaquePointer {
    let layout: OpaquePointer = pango_cairo_create_layout(context)
    let description = pango_font_description_from_string(Self.family)
    defer { pango_font_description_free(description) }
    pango_font_description_set_absolute_size(
      description, style.size * Double(REGIMEN_PANGO_SCALE))
    pango_font_description_set_weight(
      description, style.isBold ? REGIMEN_PANGO_WEIGHT_BOLD : REGIMEN_PANGO_WEIGHT_NORMAL)
    pango_layout_set_font_description(layout, description)
    pango_context_set_language(
      pango_layout_get_context(layout), pango_language_from_string(language))
    if let width { pango_layout_set_width(layout, Int32(width * Double(REGIMEN_PANGO_SCALE))) }
    pango_layout_set_wrap(layout, REGIMEN_PANGO_WRAP_WORD_CHAR)
    pango_layout_set_alignment(
      layout, style.alignment == .end ? REGIMEN_PANGO_ALIGN_RIGHT : REGIMEN_PANGO_ALIGN_LEFT)
    if let height = LineHeight.of(text) { set(height * style.size, layout) }
    // Pango reads up to a NUL and rejects invalid text; of these a Swift string can only contain NUL.
    pango_layout_set_text(layout, text.replacing("\0", with: ""), -1)
    return layout
  }

  /// Sets the line height for all fonts, in place of the fonts' own.
  private func set(_ height: Double, _ layout: OpaquePointer) {
    let attributes = pango_attr_list_new()
    defer { pango_attr_list_unref(attributes) }
    pango_attr_list_insert(
      attributes,
      pango_attr_line_height_new_absolute(Int32(height * Double(REGIMEN_PANGO_SCALE))))
    pango_layout_set_attributes(layout, attributes)
  }

  private func size(of layout: OpaquePointer) -> (width: Double, height: Double) {
    var (width, height): (Int32, Int32) = (0, 0)
    pango_layout_get_size(layout, &width, &height)
    let scale = Double(REGIMEN_PANGO_SCALE)
    return (Double(width) / scale, Double(height) / scale)
  }
}

/// The line height, as a multiple of the text size.
private enum LineHeight {
  /// Thai has vowels and tones above and below its letters, but its fonts request more space than they need.
  static let thai = 1.4
  static let western = 1.15

  /// Returns the line height of a text; nil to leave it to the fonts, which know the scripts not handled
  /// here.
  static func of(_ text: String) -> Double? {
    var height = western
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case ..<0x0530, 0x1E00..<0x2600: continue
      case 0x0E00..<0x0E80: height = thai
      default: return nil
      }
    }
    return height
  }
}
