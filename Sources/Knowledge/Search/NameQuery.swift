// SPDX-License-Identifier: Apache-2.0

/// The text typed into the medicine search, with shorter readings to fall back on.
///
/// People copy the line on the pack: `ibuprofen 400 mg tablets`. It contains the name, but no name
/// begins with all of it.
struct NameQuery {
  private enum Bound {
    /// The maximum length of a query; no name is this long.
    static let letters = 60
    /// The minimum length of the remainder; a shorter one would match half of the list.
    static let remainder = 4
    static let readings = 5
  }

  /// A text to search for.
  struct Reading {
    /// The normalised text.
    let form: [UInt16]
    /// True if words that may have been part of the name were left out.
    ///
    /// Such a reading must match more than the beginning of a name: `vitamin` from `vitamin B12`.
    let isShortened: Bool
  }

  /// The readings, the fullest first; empty if nothing was typed.
  let readings: [Reading]

  init(_ text: String) {
    let typed = Array(NameNormalizer.units(text).prefix(Bound.letters))
    guard !typed.isEmpty else {
      readings = []
      return
    }
    var readings = [Reading(form: typed, isShortened: false)]
    let named = Self.withoutStrength(typed.split(separator: NameNormalizer.space))
    for count in stride(from: named.count, to: 0, by: -1) where readings.count < Bound.readings {
      let form = Array(named.prefix(count).joined(separator: [NameNormalizer.space]))
      if form.count >= Bound.remainder, form != typed {
        readings.append(Reading(form: form, isShortened: count < named.count))
      }
    }
    self.readings = readings
  }

  /// Returns the words without numbers, without the units that follow them, and without digits at
  /// the end of a word.
  private static func withoutStrength(_ words: [ArraySlice<UInt16>]) -> [ArraySlice<UInt16>] {
    var kept: [ArraySlice<UInt16>] = []
    var isStrength = false
    for word in words {
      if word.first.map(isDigit) == true {
        isStrength = true
      } else if isStrength, units.contains(String(decoding: word, as: UTF16.self)) {
        continue
      } else {
        isStrength = false
        let letters = word.prefix { !isDigit($0) }
        // Shortens `ibuprofen400`, but not `b12`.
        kept.append(letters.count >= Bound.remainder ? letters : word)
      }
    }
    return kept
  }

  /// Units of strength, normalised: Latin and Thai.
  private static let units: Set<String> = [
    "mg", "g", "mcg", "ug", "μg", "ml", "l", "iu", "ie", "u", "mmol", "meq", "มก", "ก", "มคก",
    "มล", "ยูนิต",
  ]

  private static func isDigit(_ unit: UInt16) -> Bool {
    (0x30...0x39).contains(unit) || (0x0E50...0x0E59).contains(unit)
  }
}
