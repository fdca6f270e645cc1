// SPDX-License-Identifier: Apache-2.0

import People
import Storage

/// A mistake in the description of an appearance.
package enum AppearanceIssue: String, Sendable, Hashable, CaseIterable {
  /// Something is described, but not the shape.
  case shapeMissing = "shape-missing"
  /// The shape or a colour is not in the list.
  case unknown
  /// A second colour without a first, or the same one twice.
  case secondColor = "second-color"
  /// Two colours for a shape that has only one.
  case twoColors = "two-colors"
  /// A score line on a medicine that is not a tablet.
  case score
  /// An imprint on a shape that has none.
  case imprint
  case imprintTooLong = "imprint-too-long"

  /// The form field in which the mistake can be corrected.
  package var field: AppearanceField {
    switch self {
    case .shapeMissing, .unknown: .shape
    case .secondColor, .twoColors: .secondColor
    case .score: .score
    case .imprint, .imprintTooLong: .imprint
    }
  }
}

/// A form field that describes an appearance.
package enum AppearanceField: String, Sendable, Hashable, CaseIterable {
  case shape
  case color
  case secondColor = "second-color"
  case score
  case imprint
}

/// The appearance of a medicine, described with two short lists: entered by people, never guessed.
package struct MedicineAppearance: Sendable, Hashable {
  /// The maximum number of characters in an imprint.
  package static let longestImprint = 20

  /// The shape, or the form of a medicine that has none, such as a spray.
  package let shape: MedicineShape
  /// The main colour; nil if it is not stated.
  package let color: MedicineColor?
  /// The second colour of a two-coloured medicine, different from the first; nil if there is none.
  package let secondColor: MedicineColor?
  /// True if it has a score line for breaking it.
  package let isScored: Bool
  /// The letters and numbers on it, on one line; nil if there are none.
  package let imprint: String?

  /// The stated colours in order, none to two.
  package var colors: [MedicineColor] { [color, secondColor].compactMap(\.self) }

  /// Creates an appearance whose parts fit together.
  ///
  /// - Throws: ``AppearanceProblem`` with every mistake found.
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

  /// Returns the text on one line, without invisible characters.
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

/// The mistakes in the description of an appearance.
package struct AppearanceProblem: Error, Sendable, Hashable {
  /// The mistakes found, at least one.
  package let issues: [AppearanceIssue]

  /// Creates a problem from the mistakes found.
  package init(issues: [AppearanceIssue]) {
    self.issues = issues
  }
}

/// An appearance as entered in the form: every field as it was sent.
package struct AppearanceDraft: Sendable, Hashable {
  /// The raw value of a ``MedicineShape``; empty if none was chosen.
  package var shape = ""
  /// The raw value of a ``MedicineColor``; empty if none was chosen.
  package var color = ""
  /// The raw value of a second ``MedicineColor``; empty if none was chosen.
  package var secondColor = ""
  /// True if the box for a score line is checked.
  package var isScored = false
  /// The imprint as typed, not yet trimmed.
  package var imprint = ""

  /// Creates an empty draft.
  package init() {}

  /// Creates a draft that shows an existing appearance; empty if nil.
  package init(_ look: MedicineAppearance?) {
    shape = look?.shape.rawValue ?? ""
    color = look?.color?.rawValue ?? ""
    secondColor = look?.secondColor?.rawValue ?? ""
    isScored = look?.isScored ?? false
    imprint = look?.imprint ?? ""
  }

  /// Returns the described appearance; nil if every field is empty.
  ///
  /// - Throws: ``AppearanceProblem`` if a value is unknown or the parts do not fit together.
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
