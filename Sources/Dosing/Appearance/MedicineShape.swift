// SPDX-License-Identifier: Apache-2.0

/// What a medicine is, as somebody sees it who holds it in the hand.
package enum MedicineShape: String, Sendable, Hashable, CaseIterable {
  case round, oval, oblong, capsule, square, triangle
  case drops, liquid, inhaler, spray, patch, injection, cream, sachet, suppository

  /// Pressed from powder: it may have a line to break it at.
  package var isTablet: Bool {
    switch self {
    case .round, .oval, .oblong, .square, .triangle: true
    case .capsule, .drops, .liquid, .inhaler, .spray, .patch, .injection, .cream, .sachet,
      .suppository:
      false
    }
  }

  /// Whether letters may stand on it, and whether it may have two colours.
  package var isMarked: Bool { isTablet || self == .capsule }
}

/// The colours that people have words for.
package enum MedicineColor: String, Sendable, Hashable, CaseIterable {
  case white, beige, yellow, orange, pink, red, purple, blue, green, brown, grey, black
  /// One sees through it.
  case clear
}
