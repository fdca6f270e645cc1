// SPDX-License-Identifier: Apache-2.0

/// The plural categories that the languages use (CLDR cardinal rules).
enum PluralCategory: String, Sendable, Hashable, CaseIterable {
  case one, many, other

  /// Returns the category of a number as `NumberFormat` writes it, without trailing zeros.
  ///
  /// Without trailing zeros, `n = 1` is the same as `i = 1 and v = 0`. French and Portuguese treat numbers
  /// below two as one: `1,5 comprimé`. The Romance languages have a separate form for whole millions: `1 000
  /// 000 d’unités`. Thai has only one form.
  init(of number: PlainNumber, in language: SentenceLanguage) {
    switch language {
    case .en, .de, .nb, .tr, .nl: self = number.isOne ? .one : .other
    case .es, .it: self = number.isOne ? .one : number.isMillions ? .many : .other
    case .fr, .pt: self = number.isBelowTwo ? .one : number.isMillions ? .many : .other
    case .th: self = .other
    }
  }
}

extension PlainNumber {
  // The rules use the absolute value.
  fileprivate var isOne: Bool { digits.magnitude == 1 && scale == 0 }

  fileprivate var isMillions: Bool { scale == 0 && digits != 0 && digits % 1_000_000 == 0 }

  fileprivate var isBelowTwo: Bool {
    var limit: UInt = 2
    for _ in 0..<scale { limit *= 10 }
    return digits.magnitude < limit
  }
}
