// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Formats numbers as usual in a language, safe for doses.
///
/// No trailing zeros, a zero before the separator, ASCII digits in every language. Digits are grouped from
/// 10000 on. If the comma is the decimal separator, groups are separated by a narrow space and never by a
/// point, so that 10.000 cannot be read as ten.
struct NumberFormat {
  private let decimalSeparator: String
  private let groupSeparator: String

  init(_ language: SentenceLanguage) {
    switch language {
    case .en, .th: (decimalSeparator, groupSeparator) = (".", ",")
    case .de, .nb, .tr, .fr, .es, .it, .pt, .nl:
      (decimalSeparator, groupSeparator) = (",", "\u{202F}")
    }
  }

  func text(_ value: Int) -> String {
    (0..<10_000).contains(value) ? String(value) : text(Decimal(value))
  }

  func text(_ value: PlainNumber) -> String {
    if value.scale == 0 { return text(value.digits) }
    var digits = String(value.digits.magnitude)
    if digits.utf8.count <= value.scale {
      digits = String(repeating: "0", count: value.scale + 1 - digits.utf8.count) + digits
    }
    let whole = digits.dropLast(value.scale)
    let sign = value.digits < 0 ? "\u{2212}" : ""
    return sign + grouped(whole) + decimalSeparator + digits.suffix(value.scale)
  }

  func text(_ value: Decimal) -> String {
    let plain = value.description
    let isNegative = plain.hasPrefix("-")
    let halves = plain.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
    guard let whole = halves.first, whole.allSatisfy(\.isNumber) else { return plain }
    var fraction = halves.count == 2 ? halves[1] : ""
    while fraction.last == "0" { fraction.removeLast() }
    let number = grouped(whole) + (fraction.isEmpty ? "" : decimalSeparator + fraction)
    return isNegative ? "\u{2212}" + number : number
  }

  private func grouped(_ digits: Substring) -> String {
    guard digits.count >= 5 else { return String(digits) }
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += groupSeparator }
      result.append(digit)
    }
    return result
  }
}

extension Speaker {
  /// Returns an exact number with the language's decimal separator, grouped from 10000 on.
  public func number(_ value: PlainNumber) -> String {
    NumberFormat(spoken).text(value)
  }

  /// Returns a number with the language's decimal separator, without trailing zeros, grouped from 10000 on.
  public func number(_ value: Decimal) -> String {
    NumberFormat(spoken).text(value)
  }

  /// Returns a whole number, grouped from 10000 on.
  public func number(_ value: Int) -> String {
    NumberFormat(spoken).text(value)
  }
}
