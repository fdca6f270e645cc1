// SPDX-License-Identifier: Apache-2.0

/// The plural categories that the languages use (CLDR cardinal rules).
enum PluralCategory: String, Sendable, Hashable, CaseIterable {
  case one, many, other

  /// The category of a number as `NumberFormat` writes it, without trailing zeros.
  ///
  /// As no trailing zeros are written, `n = 1` and `i = 1 and v = 0` say the same. French and
  /// Portuguese count what is below two as one: `1,5 comprimé`. The Romance languages have a form of
  /// its own for whole millions: `1 000 000 d’unités`. Thai has one form only.
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
  // The rules look at the absolute value.
  fileprivate var isOne: Bool { digits.magnitude == 1 && scale == 0 }

  fileprivate var isMillions: Bool { scale == 0 && digits != 0 && digits % 1_000_000 == 0 }

  fileprivate var isBelowTwo: Bool {
    var limit: UInt = 2
    for _ in 0..<scale { limit *= 10 }
    return digits.magnitude < limit
  }
}
