// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An amount of a medicine: a positive decimal, with its text kept as written, and a unit.
package struct Amount: Hashable, Sendable {
  /// The decimal as given, such as "1.50".
  package let value: String
  /// The unit as written, such as "mg" or "tablet"; empty if none was given.
  package let unit: String
  /// The unit's code in its code system; nil if it has none.
  package let code: String?

  /// The largest amount accepted, beyond any medicine in any unit.
  package static let largest = Decimal(1_000_000_000)

  /// Creates an amount; nil if the value is not a plain decimal above zero and up to ``largest``,
  /// or the unit is longer than 80 bytes.
  package init?(value: String, unit: String, code: String? = nil) {
    guard Self.decimal(value) != nil, unit.utf8.count <= 80 else { return nil }
    self.value = value
    self.unit = unit
    self.code = code
  }

  /// Creates an amount that was checked before it was stored, without checking it again.
  package init(stored value: String, unit: String, code: String?) {
    self.value = value
    self.unit = unit
    self.code = code
  }

  /// Creates an amount from its columns; nil if there is no value.
  package init?(column value: String?, unit: String?, code: String?) {
    guard let value else { return nil }
    self.init(stored: value, unit: unit ?? "", code: code)
  }

  /// Returns the number of a plain decimal text (up to 24 characters: digits, at most one point);
  /// nil if it is not above zero and up to ``largest``.
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
