// SPDX-License-Identifier: Apache-2.0

/// The shape of a medicine, or the form of one that has no shape, as a person sees it.
package enum MedicineShape: String, Sendable, Hashable, CaseIterable {
  case round, oval, oblong, capsule, square, triangle
  case drops, liquid, inhaler, spray, patch, injection, cream, sachet, suppository

  /// True for a tablet, which may have a score line.
  package var isTablet: Bool {
    switch self {
    case .round, .oval, .oblong, .square, .triangle: true
    case .capsule, .drops, .liquid, .inhaler, .spray, .patch, .injection, .cream, .sachet,
      .suppository:
      false
    }
  }

  /// True if it can carry an imprint and have two colours.
  package var isMarked: Bool { isTablet || self == .capsule }
}

/// A colour with a common name.
package enum MedicineColor: String, Sendable, Hashable, CaseIterable {
  case white, beige, yellow, orange, pink, red, purple, blue, green, brown, grey, black
  /// Transparent.
  case clear
}
