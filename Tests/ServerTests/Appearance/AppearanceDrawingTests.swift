// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTML
import Localization
import Testing

@testable import Dosing
@testable import MedicinePages
@testable import Presentation

/// The drawing of a medicine's appearance, and its description.
@Suite struct AppearanceDrawingTests {
  @Test(arguments: MedicineShape.allCases)
  func `each shape is drawn as recorded`(shape: MedicineShape) throws {
    let plain = try MedicineAppearance(shape: shape, color: .white, isScored: shape.isTablet)
    try GoldenFile.check(AppearanceDrawing(look: plain).markup.text, "look-\(shape.rawValue).svg")
    guard shape.isMarked else { return }
    let two = try MedicineAppearance(
      shape: shape, color: .clear, secondColor: .red, isScored: shape.isTablet)
    try GoldenFile.check(
      AppearanceDrawing(look: two, side: 112).markup.text, "look-\(shape.rawValue)-two.svg")
  }

  @Test func `shapes differ, and none has inline styles`() throws {
    let drawn = try MedicineShape.allCases.map {
      AppearanceDrawing(look: try MedicineAppearance(shape: $0)).markup.text
    }
    #expect(Set(drawn).count == MedicineShape.allCases.count)
    for drawing in drawn {
      #expect(drawing.contains("stroke=\"currentColor\"") && drawing.contains("aria-hidden"))
      #expect(!drawing.contains("style="))
    }
  }

  /// Returns the relative luminance of `#rrggbb`, as WCAG 2 defines it.
  private func luminance(_ colour: String) throws -> Double {
    let number = try #require(Int(colour.dropFirst(), radix: 16))
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(number >> shift & 0xFF) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private func contrast(_ one: String, _ other: String) throws -> Double {
    let (first, second) = (try luminance(one), try luminance(other))
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  @Test func `marks and outlines have enough contrast on every colour`() throws {
    for color in MedicineColor.allCases where color != .clear {
      #expect(try contrast(color.fill, color.ink) >= 3, "\(color.rawValue)")
    }
    #expect(MedicineColor.clear.fill == "none" && MedicineColor.clear.ink == "currentColor")
    // The outline has the text colour: in both themes on their backgrounds.
    let tokens = try String(
      contentsOf: URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Web/Assets/styles/10-tokens.css"),
      encoding: .utf8)
    let texts = tokens.matches(of: /--text: (#[0-9a-f]{6});/).map { String($0.output.1) }
    for name in ["paper", "surface", "sunken"] {
      let grounds = tokens.matches(of: try Regex("--\(name): (#[0-9a-f]{6});"))
        .compactMap { $0.output[1].substring.map(String.init) }
      #expect(grounds.count == 3 && texts.count == 3)
      for (text, ground) in zip(texts, grounds) { #expect(try contrast(text, ground) >= 3) }
    }
  }

  @Test(arguments: Language.allCases)
  func `every word exists exactly once in each language`(language: Language) throws {
    let words = AppearanceFormatter(localizer: .of(language))
    #expect(
      Set(MedicineShape.allCases.map(words.name)).count == MedicineShape.allCases.count)
    #expect(
      Set(MedicineColor.allCases.map(words.name)).count == MedicineColor.allCases.count)
    for issue in AppearanceIssue.allCases {
      #expect(!AppearanceInput.message(issue, .of(language)).isEmpty)
    }
    let look = try MedicineAppearance(
      shape: .capsule, color: .white, secondColor: .blue, imprint: "A <1>")
    #expect(words.text(look).contains("A <1>"))
  }

  @Test func `an appearance is described in one line`() throws {
    let look = try MedicineAppearance(
      shape: .round, color: .white, secondColor: .blue, isScored: true, imprint: "A 10")
    let english = AppearanceFormatter(localizer: .of(.en))
    #expect(
      english.text(look)
        == "Round tablet, white and blue, with a line to break it at, marked “A 10”")
    #expect(english.photo(2, of: "Metoprolol", nil) == "Photo 2 of Metoprolol")
    #expect(
      AppearanceFormatter(localizer: .of(.th)).text(
        try MedicineAppearance(shape: .capsule, color: .red))
        == "แคปซูล, สีแดง")
  }
}
