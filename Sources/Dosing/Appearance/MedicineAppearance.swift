// SPDX-License-Identifier: Apache-2.0

import People
import Storage

/// What is wrong with what was said of a look.
package enum AppearanceIssue: String, Sendable, Hashable, CaseIterable {
  /// Something is said of it, and not what shape it has.
  case shapeMissing = "shape-missing"
  /// No shape or colour of the list.
  case unknown
  /// A second colour without a first, or the same one twice.
  case secondColor = "second-color"
  /// Two colours of what has one.
  case twoColors = "two-colors"
  /// A line to break at, on what is not broken.
  case score
  /// Letters on what bears none.
  case imprint
  case imprintTooLong = "imprint-too-long"

  /// The field in which it can be put right.
  package var field: AppearanceField {
    switch self {
    case .shapeMissing, .unknown: .shape
    case .secondColor, .twoColors: .secondColor
    case .score: .score
    case .imprint, .imprintTooLong: .imprint
    }
  }
}

/// What is asked about a look.
package enum AppearanceField: String, Sendable, Hashable, CaseIterable {
  case shape
  case color
  case secondColor = "second-color"
  case score
  case imprint
}

/// What a medicine looks like, in words of two short lists: never guessed, only said.
package struct MedicineAppearance: Sendable, Hashable {
  /// The most letters on one tablet that are kept.
  package static let longestImprint = 20

  package let shape: MedicineShape
  package let color: MedicineColor?
  package let secondColor: MedicineColor?
  /// Whether it has a line to break it at.
  package let isScored: Bool
  /// The letters and numbers on it.
  package let imprint: String?

  /// The colours in their order, none to two.
  package var colors: [MedicineColor] { [color, secondColor].compactMap(\.self) }

  /// Makes one of what goes together.
  package init(
    shape: MedicineShape, color: MedicineColor? = nil, secondColor: MedicineColor? = nil,
    isScored: Bool = false, imprint: String? = nil
  ) throws(AppearanceProblem) {
    let letters = imprint.map(Self.tidied).flatMap { $0.isEmpty ? nil : $0 }
    var issues: [AppearanceIssue] = []
    if secondColor != nil {
      if !shape.isMarked {
        issues.append(.twoColors)
      } else if color == nil || color == secondColor {
        issues.append(.secondColor)
      }
    }
    if isScored, !shape.isTablet { issues.append(.score) }
    if let letters {
      if !shape.isMarked { issues.append(.imprint) }
      if letters.count > Self.longestImprint { issues.append(.imprintTooLong) }
    }
    guard issues.isEmpty else { throw AppearanceProblem(issues: issues) }
    self.shape = shape
    self.color = color
    self.secondColor = secondColor
    self.isScored = isScored
    self.imprint = letters
  }

  /// On one line, without what cannot be seen.
  private static func tidied(_ text: String) -> String {
    let seen = text.map { $0.isWhitespace ? " " : $0 }.filter { character in
      character.unicodeScalars.allSatisfy {
        switch $0.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        default: true
        }
      }
    }
    return seen.split(separator: " ").map { String($0) }.joined(separator: " ")
  }
}

/// Why a look is none.
package struct AppearanceProblem: Error, Sendable, Hashable {
  package let issues: [AppearanceIssue]

  package init(issues: [AppearanceIssue]) {
    self.issues = issues
  }
}

/// A look as it is typed: every field as it was sent.
package struct AppearanceDraft: Sendable, Hashable {
  package var shape = ""
  package var color = ""
  package var secondColor = ""
  package var isScored = false
  package var imprint = ""

  package init() {}

  package init(_ look: MedicineAppearance?) {
    shape = look?.shape.rawValue ?? ""
    color = look?.color?.rawValue ?? ""
    secondColor = look?.secondColor?.rawValue ?? ""
    isScored = look?.isScored ?? false
    imprint = look?.imprint ?? ""
  }

  /// The look; nil where nothing is said of it.
  package func look() throws(AppearanceProblem) -> MedicineAppearance? {
    let letters = DraftText.trimmed(imprint)
    let known = MedicineShape(rawValue: shape)
    let (first, second) = (
      MedicineColor(rawValue: color), MedicineColor(rawValue: secondColor)
    )
    guard shape.isEmpty || known != nil, color.isEmpty || first != nil,
      secondColor.isEmpty || second != nil
    else { throw AppearanceProblem(issues: [.unknown]) }
    guard let known else {
      if first == nil, second == nil, !isScored, letters.isEmpty { return nil }
      throw AppearanceProblem(issues: [.shapeMissing])
    }
    return try MedicineAppearance(
      shape: known, color: first, secondColor: second, isScored: isScored, imprint: letters)
  }
}
