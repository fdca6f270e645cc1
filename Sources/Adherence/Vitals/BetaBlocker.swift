// SPDX-License-Identifier: Apache-2.0

/// Medicines that slow the heart, whose effect a resting heart rate shows.
package enum BetaBlocker {
  private static let names = [
    "acebutolol", "atenolol", "betaxolol", "bisoprolol", "carvedilol", "celiprolol", "esmolol",
    "labetalol", "metoprolol", "nadolol", "nebivolol", "oxprenolol", "pindolol", "propranolol",
    "sotalol", "timolol",
  ]

  /// Whether a medicine's name has that of a beta-blocker in it, in any of its salts.
  package static func isNamed(in name: String) -> Bool {
    let plain = name.lowercased()
    return names.contains { plain.contains($0) }
  }
}
