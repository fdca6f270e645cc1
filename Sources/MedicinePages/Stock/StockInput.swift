// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Supply
import Web

/// The fields of the forms of a supply, as typed.
struct StockInput: Sendable {
  var medicine = ""
  var name = ""
  var unit = DoseUnit.tablet.rawValue
  var amount = ""
  var packSize = ""
  var expires = ""
  var opened = ""
  var label = ""
  var form = StockForm.other.rawValue
  var openDays = ""
  var strength = ""
  var leadDays = ""
  var repeats = ""
  var doctorWeeks = ""
  var isPrescribed = true
  /// The chosen plans that take from it.
  var uses: [String] = []
  /// The counts, by pack.
  var counts: [LotID: String] = [:]
  /// The pack or dispense of the form, whose id tells its fields from others on the page.
  var lot = ""
  var suffix = ""
  var kind = ""
  var isQuiet = false
  var isConfirmed = false
  var issues: [StockIssue] = []

  init() {}

  init(_ form: FormBody) {
    func typed(_ name: String) -> String { form.text(name) ?? "" }
    medicine = typed("medicine")
    name = typed("name")
    unit = typed("unit")
    amount = typed("amount")
    packSize = typed("pack-size")
    expires = typed("expires")
    opened = typed("opened")
    label = typed("label")
    self.form = typed("form")
    openDays = typed("open-days")
    strength = typed("strength")
    leadDays = typed("lead-days")
    repeats = typed("repeats")
    doctorWeeks = typed("doctor-weeks")
    // An unticked box counts only if the form asked the question.
    isPrescribed = form.text("asks-prescription") == nil || form.isChecked("prescribed")
    uses = form.all("use")
    kind = typed("kind")
    isQuiet = form.isChecked("quiet")
    isConfirmed = form.isChecked("confirmed")
  }

  /// Creates the input from the stored values, to change them.
  init(_ stock: Stock) {
    name = stock.medicineName
    packSize = stock.packSize?.text ?? ""
    form = stock.form.rawValue
    openDays = stock.openDays.map { "\($0)" } ?? ""
    strength = stock.unit.strength?.value ?? ""
    leadDays = stock.leadDays.map { "\($0)" } ?? ""
    repeats = stock.repeats.map { "\($0)" } ?? ""
    doctorWeeks = stock.doctorWeeks.map { "\($0)" } ?? ""
    isQuiet = stock.isQuiet
  }

  /// Returns the settings as a draft; unreadable fields become issues.
  mutating func draft(name: String) -> StockDraft {
    let known = DoseUnit(rawValue: unit)
    return StockDraft(
      name: name,
      unit: StockUnit(
        unit: known?.rawValue ?? "", code: known?.ucumCode,
        strength: read(strength, .strength) {
          Amount(value: LocalMoment.decimal($0), unit: "mg")
        }),
      form: StockForm(rawValue: form) ?? .other, openDays: read(openDays, .openDays) { Int($0) },
      leadDays: read(leadDays, .leadDays) { Int($0) },
      repeats: read(repeats, .repeats) { Int($0) },
      doctorWeeks: read(doctorWeeks, .doctorWeeks) { Int($0) }, isQuiet: isQuiet,
      packSize: read(packSize, .packSize) { StockQuantity(text: LocalMoment.decimal($0)) })
  }

  /// - Parameter size: The amount if nothing was typed.
  mutating func pack(size: StockQuantity? = nil) -> StockPack {
    var given = read(amount, .amount) { StockQuantity(text: LocalMoment.decimal($0)) }
    if amount.isEmpty {
      given = size
      if size == nil { note(.amount) }
    }
    return StockPack(
      amount: given ?? .zero, expires: date(expires, .expires), opened: date(opened, .opened),
      label: label.isEmpty ? nil : label, isConfirmed: isConfirmed,
      isPrescribed: isPrescribed)
  }

  mutating func date(_ text: String, _ issue: StockIssue) -> CivilDate? {
    read(text, issue) { CivilDate(text: $0) }
  }

  private mutating func read<Value>(
    _ text: String, _ issue: StockIssue, _ convert: (String) -> Value?
  ) -> Value? {
    guard !text.isEmpty else { return nil }
    let value = convert(text)
    if value == nil { note(issue) }
    return value
  }

  /// Reads the fields of a form that the page repeats, for example for each pack.
  mutating func take(_ form: FormBody, of lot: String) {
    self.lot = lot
    suffix = form.text("suffix") ?? ""
    amount = form.text("amount" + suffix) ?? amount
    expires = form.text("expires" + suffix) ?? expires
    opened = form.text("opened" + suffix) ?? opened
    isConfirmed = form.isChecked("confirmed" + suffix)
  }

  /// Reads the actual count of each pack; an unreadable number is an issue of its field.
  mutating func count(_ form: FormBody, of lots: [StockLot]) -> [LotID: StockQuantity] {
    var amounts: [LotID: StockQuantity] = [:]
    for lot in lots {
      let typed = form.text("lot-\(lot.id)") ?? ""
      counts[lot.id] = typed
      if let amount = Self.counted(typed) {
        amounts[lot.id] = amount
      } else {
        note(.amount)
      }
    }
    return amounts
  }

  /// Reads a counted number, which may be zero.
  static func counted(_ typed: String) -> StockQuantity? {
    let text = LocalMoment.decimal(typed)
    if text.contains("0"), text.allSatisfy({ $0 == "0" || $0 == "." }) { return .zero }
    return StockQuantity(text: text)
  }

  /// Returns the names of the fields with an issue, as they are on the page.
  func fields(of issue: StockIssue, in deed: String) -> [String] {
    switch (deed, issue) {
    case ("count", .amount):
      let wrong = counts.filter { Self.counted($0.value) == nil }.map { "lot-\($0.key)" }.sorted()
      return wrong.isEmpty ? ["more"] : wrong
    case ("remove", .amount): return ["lost-amount"]
    case ("share", .medicine): return ["use"]
    case (_, .expired): return ["confirmed" + suffix]
    case (_, .amount), (_, .expires), (_, .opened): return [issue.rawValue + suffix]
    default: return [issue.rawValue]
    }
  }

  mutating func note(_ issue: StockIssue) {
    if !issues.contains(issue) { issues.append(issue) }
  }
}
