// SPDX-License-Identifier: Apache-2.0

import Adherence
import Localization
import Scheduling

/// The fields of the forms of a stock, as they were typed.
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
    isQuiet = form.isChecked("quiet")
    isConfirmed = form.isChecked("confirmed")
  }

  /// What is kept already, for changing it.
  init(_ stock: Stock) {
    name = stock.medicineName
    packSize = stock.packSize.text
    form = stock.form.rawValue
    openDays = stock.openDays.map { "\($0)" } ?? ""
    strength = stock.unit.strength?.value ?? ""
    leadDays = stock.leadDays.map { "\($0)" } ?? ""
    repeats = stock.repeats.map { "\($0)" } ?? ""
    isQuiet = stock.isQuiet
  }

  /// What is said of the stock; what cannot be read is noted as an issue.
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
      repeats: read(repeats, .repeats) { Int($0) }, isQuiet: isQuiet,
      packSize: read(packSize, .packSize) { StockQuantity(text: LocalMoment.decimal($0)) })
  }

  /// - Parameter size: what holds where nothing was typed.
  mutating func pack(size: StockQuantity? = nil) -> StockPack {
    var given = read(amount, .amount) { StockQuantity(text: LocalMoment.decimal($0)) }
    if amount.isEmpty {
      given = size
      if size == nil { note(.amount) }
    }
    return StockPack(
      amount: given ?? .zero, expires: date(expires, .expires), opened: date(opened, .opened),
      label: label.isEmpty ? nil : label, isConfirmed: isConfirmed)
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

  mutating func note(_ issue: StockIssue) {
    if !issues.contains(issue) { issues.append(issue) }
  }
}
