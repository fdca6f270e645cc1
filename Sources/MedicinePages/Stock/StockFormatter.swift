// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import Supply

/// Formats supplies in a person's language.
struct StockFormatter: Sendable {
  let localizer: Localizer
  let today: CivilDate

  init(_ localizer: Localizer, today: CivilDate) {
    self.localizer = localizer
    self.today = today
  }

  func date(_ date: CivilDate) -> String {
    let (year, month, day) = date.parts
    // A distant date needs its year.
    let isNear = abs(date.daysSinceEpoch - today.daysSinceEpoch) < 200
    return localizer.date(
      LocalDay(year: year, month: month, day: day, isoWeekday: date.weekday.rawValue),
      isNear ? .short : .medium)
  }

  func date(_ instant: Timestamp, _ zone: Zone) -> String {
    date(zone.date(at: Instant(milliseconds: instant.milliseconds)))
  }

  /// Returns `12 tablets`; below zero with its sign.
  func amount(_ quantity: StockQuantity, of stock: Stock) -> String {
    guard quantity > .zero else { return signed(quantity, of: stock) }
    return MedicineFormatter(localizer: localizer).amount(stock.unit.amount(quantity))
  }

  private func signed(_ quantity: StockQuantity, of stock: Stock) -> String {
    if quantity == .zero { return localizer.text("stock.none") }
    return "−" + MedicineFormatter(localizer: localizer).amount(stock.unit.amount(-quantity))
  }

  /// Returns `12 tablets left`.
  func left(_ summary: StockSummary) -> String {
    let left = summary.stock.left(on: summary.today)
    if left < .zero {
      return localizer.text(
        "stock.missing", ["amount": .text(amount(-left, of: summary.stock))])
    }
    if left == .zero { return localizer.text("stock.none") }
    return localizer.text("stock.left", ["amount": .text(amount(left, of: summary.stock))])
  }

  /// Returns how long it lasts; nil if unknown.
  func lasts(_ summary: StockSummary) -> String? {
    let about = summary.forecast.isEstimate ? "about" : "exact"
    switch summary.forecast.end {
    case .runsOut:
      guard let last = summary.forecast.lastsUntil else { return localizer.text("stock.not-next") }
      return localizer.text(
        summary.forecast.endsByExpiry ? "stock.lasts-expires" : "stock.lasts",
        ["how": .text(about), "date": .text(date(last, summary.zone))])
    case .beyond: return localizer.text("stock.lasts-long", ["how": .text(about)])
    case .enough: return localizer.text("stock.lasts-all")
    case .unused: return nil
    }
  }

  /// Returns `12 tablets left, lasts until Fri 4 Dec`.
  func line(_ summary: StockSummary) -> String {
    let left = left(summary)
    guard let lasts = lasts(summary) else { return left }
    return localizer.text("stock.line", ["left": .text(left), "lasts": .text(lasts)])
  }

  /// Returns the remarks on a supply.
  func remarks(_ summary: StockSummary) -> [String] {
    let stock = summary.stock
    var remarks: [String] = []
    let expired = stock.expired(on: summary.today)
    if !expired.isEmpty {
      let sum = expired.reduce(StockQuantity.zero) { $0 + $1.left }
      remarks.append(
        localizer.text("stock.expired-besides", ["amount": .text(amount(sum, of: stock))]))
    }
    if let by = summary.prescriptionBy { remarks.append(prescription(by)) }
    if let orderBy = summary.orderBy, orderBy != summary.prescriptionBy {
      remarks.append(
        orderBy <= summary.today
          ? localizer.text("stock.order-now")
          : localizer.text("stock.order-by", ["date": .text(date(orderBy))]))
    }
    if let repeats = stock.repeats, summary.prescriptionBy == nil {
      remarks.append(localizer.text("stock.repeats-left", ["n": .number(repeats)]))
    }
    if summary.forecast.isUncertain || stock.uncounted > 0 {
      remarks.append(localizer.text("stock.uncounted"))
    }
    return remarks
  }

  /// Returns the date by which to ask for a new prescription.
  func prescription(_ by: CivilDate) -> String {
    by <= today
      ? localizer.text("stock.prescription-now")
      : localizer.text("stock.prescription-by", ["date": .text(date(by))])
  }

  func entry(_ entry: StockEntry, of stock: Stock) -> String {
    let kind = localizer.text("stock.entry.kind", ["kind": .text(entry.kind.rawValue)])
    guard entry.isCounted else { return localizer.text("stock.entry.uncounted") }
    if entry.kind == .taken, entry.amount == .zero {
      return localizer.text("stock.entry.in-count")
    }
    guard entry.amount != .zero else { return kind }
    let sign = entry.amount > .zero ? "+" : ""
    return "\(kind): \(sign)\(amount(entry.amount, of: stock))"
  }

  func lot(_ lot: StockLot) -> String {
    if let label = lot.label {
      return localizer.text("stock.lot.label", ["label": .text(label)])
    }
    return localizer.text("stock.lot.number", ["n": .number(Int(clamping: lot.number))])
  }
}
