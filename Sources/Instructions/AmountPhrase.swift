// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

extension DosagePhrasing {
  /// Returns an amount such as `1 tablet` or `at most 5 mg`.
  func words(_ quantity: StatedQuantity) -> String {
    let amount = plain(quantity)
    guard let comparator = quantity.comparator else { return amount }
    return localizer.text(
      "dosage.comparison", ["comparator": .text(comparator), "amount": .text(amount)])
  }

  /// Returns a range such as `1 to 2 tablets`; with one end only `at least 1 tablet` or `at most 2 tablets`.
  func words(_ range: StatedRange) -> String {
    switch (range.low, range.high) {
    case (let low?, let high?): return self.range(low, high)
    case (let low?, nil): return bound(">=", low)
    case (nil, let high?): return bound("<=", high)
    case (nil, nil): return ""
    }
  }

  /// Returns a bound such as `at least 20 mL per hour`, which stays with the amount in languages that state
  /// the time first.
  private func bound(_ comparator: String, _ quantity: StatedQuantity) -> String {
    if case .compound(let unit, let per, let time?) = quantity.unit {
      let amount = bound(comparator, quantity.counted(in: unit, per: per))
      return amountWithin(amount, PlainNumber(1), time)
    }
    return localizer.text(
      "dosage.comparison", ["comparator": .text(comparator), "amount": .text(plain(quantity))])
  }

  private func range(_ low: StatedQuantity, _ high: StatedQuantity) -> String {
    let upper = plain(high)
    let lower = plain(low)
    if low.number == high.number, low.unit == high.unit { return upper }
    if low.unit == high.unit, case .compound(let unit, let per, let time?) = high.unit {
      let amount = range(low.counted(in: unit, per: per), high.counted(in: unit, per: per))
      return amountWithin(amount, PlainNumber(1), time)
    }
    // `1 to 2 tablets`, but `half a tablet to 1 tablet`: if an end has its own word for its number, or if the
    // units differ, both ends are written in full.
    let number = localizer.number(low.number)
    let isShort =
      low.unit == high.unit && lower.contains(number)
      && upper.contains(localizer.number(high.number))
    return localizer.text(
      "dosage.range", ["low": .text(isShort ? number : lower), "high": .text(upper)])
  }

  private func plain(_ quantity: StatedQuantity) -> String {
    switch quantity.unit {
    case .known(let unit): return localizer.amount(quantity.number, unit)
    case .time(let unit): return span(quantity.number, unit)
    case .compound(let unit, let per, let time):
      var amount = localizer.amount(quantity.number, unit)
      for measure in per {
        amount = localizer.text(
          "dosage.measure", ["amount": .text(amount), "measure": .text(measure)])
      }
      guard let time else { return amount }
      return amountWithin(amount, PlainNumber(1), time)
    case .unstated:
      return localizer.amount(localizer.number(quantity.number), word: "")
    case .word(let word):
      // A word that begins with a digit must not follow the number directly: `2 × “5ml spoonful”`.
      let isDigit = word.utf8.first.map { (0x30...0x39).contains($0) } ?? false
      return isDigit
        ? localizer.text(
          "dosage.amount-quoted", ["value": .exact(quantity.number), "unit": .text(word)])
        : localizer.text(
          "dosage.amount-plain", ["value": .exact(quantity.number), "unit": .text(word)])
    }
  }

  /// Returns a length of time such as `10 days`.
  func span(_ number: PlainNumber, _ unit: String) -> String {
    localizer.text("dosage.span", ["n": .exact(number), "unit": .text(unit)])
  }

  /// Returns a range such as `5 to 7 days`.
  func span(_ low: PlainNumber, _ high: PlainNumber, _ unit: String) -> String {
    guard low != high else { return span(high, unit) }
    return localizer.text(
      "dosage.range",
      ["low": .text(localizer.number(low)), "high": .text(span(high, unit))])
  }

  /// Returns an amount within a time, such as `4 tablets in 24 hours` or `100 mL per hour`.
  func amountWithin(_ amount: String, _ number: PlainNumber, _ unit: String) -> String {
    let within = localizer.text("dosage.within", ["n": .exact(number), "unit": .text(unit)])
    return localizer.text(
      "dosage.amount-within", ["amount": .text(amount), "within": .text(within)])
  }
}
