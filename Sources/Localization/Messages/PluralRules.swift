// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The plural categories that the five languages use (CLDR cardinal rules).
enum PluralCategory: String, Sendable, Hashable, CaseIterable {
  case one, other

  /// The category of a number as `NumberFormat` writes it, without trailing zeros.
  ///
  /// English and German: `one` when i = 1 and v = 0. Norwegian and Turkish: `one` when n = 1. As no
  /// trailing zeros are written, both say the same. Thai has one form only.
  init(of number: Decimal, in language: Language) {
    switch language {
    case .en, .de, .nb, .tr: self = number == 1 ? .one : .other
    case .th: self = .other
    }
  }
}
