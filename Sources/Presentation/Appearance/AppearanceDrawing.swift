// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Web

/// A small drawing of a medicine's appearance: its outline has the colour of the text, so that it
/// is visible on every background, and lines inside it contrast with its fill.
///
/// It is hidden from screen readers; the page always has the description in words next to it.
package struct AppearanceDrawing: PagePart, Hashable {
  /// The appearance to draw.
  package let look: MedicineAppearance
  /// The width and height on the page, in CSS pixels.
  package var side = 40

  /// Creates a drawing.
  ///
  /// - Parameter side: The width and height on the page, in CSS pixels.
  package init(look: MedicineAppearance, side: Int = 40) {
    self.look = look
    self.side = side
  }

  /// The drawing as an inline SVG, hidden from screen readers.
  package var markup: Markup {
    """
    <svg class="look" width="\(side)" height="\(side)" viewBox="0 0 64 64" aria-hidden="true" \
    focusable="false">\(Self.turned(look.shape, content))</svg>
    """
  }

  private var content: Markup {
    let shape = AppearanceOutline(look.shape)
    let ink = look.color?.ink ?? "currentColor"
    var body: Markup
    if let halves = shape.halves, let second = look.secondColor {
      body = """
        <path d="\(halves.first)" fill="\(look.color?.fill ?? "none")"/>\
        <path d="\(halves.second)" fill="\(second.fill)"/>\
        \(line("M32 \(shape.top)V\(shape.bottom)", ink))\(outline(shape.body, fill: "none"))
        """
    } else {
      body = outline(shape.body, fill: look.color?.fill ?? "none")
      if look.shape == .capsule { body = "\(body)\(line("M32 \(shape.top)V\(shape.bottom)", ink))" }
    }
    if look.color == .clear, let glint = shape.glint {
      body = "\(body)\(line(glint, "currentColor"))"
    }
    if look.isScored, let second = look.secondColor {
      // The line runs across, since two colours already meet in the middle; on each half it has a
      // contrasting colour.
      let first = line("M\(shape.left + 6) 32H32", ink)
      body = "\(body)\(first)\(line("M32 32H\(shape.right - 6)", second.ink))"
    } else if look.isScored {
      body = "\(body)\(line("M32 \(shape.top + 5)V\(shape.bottom - 5)", ink))"
    }
    return
      "\(body)\(shape.inner.map { line($0, ink) })\(shape.outer.map { line($0, "currentColor") })"
  }

  private func outline(_ path: String, fill: String) -> Markup {
    """
    <path d="\(path)" fill="\(fill)" stroke="currentColor" stroke-width="2.5" \
    stroke-linejoin="round"/>
    """
  }

  private func line(_ path: String, _ ink: String) -> Markup {
    """
    <path d="\(path)" fill="none" stroke="\(ink)" stroke-width="2.5" stroke-linecap="round" \
    stroke-linejoin="round"/>
    """
  }

  /// Returns a shape turned by an angle: capsules and syringes, so that neither looks like a
  /// tablet.
  private static func turned(_ shape: MedicineShape, _ content: Markup) -> Markup {
    switch shape {
    case .capsule: "<g transform=\"rotate(-35 32 32)\">\(content)</g>"
    case .injection: "<g transform=\"rotate(45 32 32)\">\(content)</g>"
    default: content
    }
  }
}

/// The lines of a shape in a square of 64.
private struct AppearanceOutline {
  /// The closed outline, filled with the colour.
  let body: String
  /// The two parts of the body, if it can have two colours.
  var halves: (first: String, second: String)?
  /// Lines inside the body.
  var inner: String?
  /// Lines outside the body.
  var outer: String?
  /// A highlight on transparent material.
  var glint: String?
  var (top, bottom, left, right) = (10, 54, 10, 54)

  init(_ shape: MedicineShape) {
    switch shape {
    case .round:
      body = "M32 10a22 22 0 0 1 0 44a22 22 0 0 1 0-44z"
      halves = ("M32 10a22 22 0 0 0 0 44z", "M32 10a22 22 0 0 1 0 44z")
      glint = "M20 24a14 14 0 0 1 7-6"
    case .oval:
      body = "M32 16a25 16 0 0 1 0 32a25 16 0 0 1 0-32z"
      halves = ("M32 16a25 16 0 0 0 0 32z", "M32 16a25 16 0 0 1 0 32z")
      glint = "M16 27a18 9 0 0 1 9-4"
      (top, bottom, left, right) = (16, 48, 7, 57)
    case .oblong:
      body = "M16 21h32a11 11 0 0 1 0 22H16a11 11 0 0 1 0-22z"
      halves = ("M32 21H16a11 11 0 0 0 0 22h16z", "M32 21h16a11 11 0 0 1 0 22H32z")
      glint = "M14 28h8"
      (top, bottom, left, right) = (21, 43, 5, 59)
    case .capsule:
      body = "M17 19h30a13 13 0 0 1 0 26H17a13 13 0 0 1 0-26z"
      halves = ("M32 19H17a13 13 0 0 0 0 26h15z", "M32 19h15a13 13 0 0 1 0 26H32z")
      glint = "M15 26h9M39 26h9"
      (top, bottom, left, right) = (19, 45, 4, 60)
    case .square:
      body = "M17 11h30a6 6 0 0 1 6 6v30a6 6 0 0 1-6 6H17a6 6 0 0 1-6-6V17a6 6 0 0 1 6-6z"
      halves = (
        "M32 11H17a6 6 0 0 0-6 6v30a6 6 0 0 0 6 6h15z",
        "M32 11h15a6 6 0 0 1 6 6v30a6 6 0 0 1-6 6H32z"
      )
      glint = "M18 24v-6h6"
      (top, bottom, left, right) = (11, 53, 11, 53)
    case .triangle:
      body = "M32 10L56 52H8z"
      halves = ("M32 10V52H8z", "M32 10V52H56z")
      glint = "M26 28l-5 9"
      (top, bottom, left, right) = (12, 52, 16, 48)
    case .drops:
      body = "M28 8c9 13 15 21 15 30a15 15 0 0 1-30 0c0-9 6-17 15-30z"
      outer = "M50 9c3 5 6 8 6 12a6 6 0 0 1-12 0c0-4 3-7 6-12z"
      glint = "M20 40a8 8 0 0 0 6 7"
    case .liquid:
      body = "M16 30h32l-3 22a4 4 0 0 1-4 4H23a4 4 0 0 1-4-4z"
      outer = "M16 30L13 9h38l-3 21"
      glint = "M23 37l1 10"
    case .inhaler:
      body = "M20 24h20v14h12v16H27a7 7 0 0 1-7-7z"
      inner = "M46 42v8"
      outer = "M24 24V10h12v14"
      glint = "M26 32v10"
    case .spray:
      body = "M22 34h20v18a4 4 0 0 1-4 4H26a4 4 0 0 1-4-4z"
      outer = "M18 34h28M25 34l4-14V9h6v11l4 14M50 8h.1M56 12h.1M50 16h.1"
      glint = "M28 42v8"
    case .patch:
      body = "M18 10h28a8 8 0 0 1 8 8v28a8 8 0 0 1-8 8H18a8 8 0 0 1-8-8V18a8 8 0 0 1 8-8z"
      inner = "M23 23h18v18H23z"
      glint = "M16 24v-6h6"
    case .injection:
      body = "M16 25h28v14H16z"
      inner = "M24 25v6M31 25v6M38 25v6"
      outer = "M44 32h16M16 32H7M7 25v14"
      glint = "M20 35h18"
    case .cream:
      body = "M16 9h32l-6 36H22z"
      inner = "M18 16h28"
      outer = "M24 45h16v11H24z"
      glint = "M24 22l3 16"
    case .sachet:
      body = "M15 8h34v48H15z"
      inner = "M15 15h34M15 49h34M26 29h.1M38 29h.1M32 36h.1M26 43h.1M38 43h.1"
      glint = "M21 22v8"
    case .suppository:
      body = "M32 7c8 7 12 17 12 27v18a4 4 0 0 1-4 4H24a4 4 0 0 1-4-4V34c0-10 4-20 12-27z"
      glint = "M26 32c0-6 1-10 3-14"
    }
  }
}

extension MedicineColor {
  /// The colour of the drawing, the same on every background; transparent stays transparent.
  var fill: String {
    switch self {
    case .white: "#ffffff"
    case .beige: "#ead9b5"
    case .yellow: "#ffd93b"
    case .orange: "#f08a24"
    case .pink: "#f4a6c0"
    case .red: "#c62828"
    case .purple: "#6a3d9a"
    case .blue: "#2f6fb5"
    case .green: "#2f7d36"
    case .brown: "#7a4a21"
    case .grey: "#9aa3ab"
    case .black: "#1d1f21"
    case .clear: "none"
    }
  }

  /// A contrasting colour for lines on the fill.
  var ink: String {
    switch self {
    case .white, .beige, .yellow, .orange, .pink, .grey: "#14202b"
    case .red, .purple, .blue, .green, .brown, .black: "#ffffff"
    case .clear: "currentColor"
    }
  }
}
