// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How much of a medicine: a positive decimal, its text kept as written, with a unit.
package struct Amount: Hashable, Sendable {
  /// The decimal as given, such as "1.50".
  package let value: String
  package let unit: String
  /// The unit's code in its code system, where it has one.
  package let code: String?

  /// The largest amount accepted, beyond any medicine in any unit.
  package static let largest = Decimal(1_000_000_000)

  /// Refuses zero, negative and absurd values, and what is not a plain decimal.
  package init?(value: String, unit: String, code: String? = nil) {
    guard Self.decimal(value) != nil, unit.utf8.count <= 80 else { return nil }
    self.value = value
    self.unit = unit
    self.code = code
  }

  /// An amount that was checked before it was stored; reading it back costs nothing.
  package init(stored value: String, unit: String, code: String?) {
    self.value = value
    self.unit = unit
    self.code = code
  }

  /// An amount from its columns; nil when there is none.
  package init?(column value: String?, unit: String?, code: String?) {
    guard let value else { return nil }
    self.init(stored: value, unit: unit ?? "", code: code)
  }

  /// The number of a plain decimal text (digits, at most one point) above zero and not absurd.
  package static func decimal(_ text: String) -> Decimal? {
    let bytes = text.utf8
    guard (1...24).contains(bytes.count), let first = bytes.first, first != UInt8(ascii: "."),
      bytes.last != UInt8(ascii: "."),
      bytes.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      bytes.count(where: { $0 == UInt8(ascii: ".") }) <= 1,
      let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      number > 0, number <= largest
    else { return nil }
    return number
  }
}
