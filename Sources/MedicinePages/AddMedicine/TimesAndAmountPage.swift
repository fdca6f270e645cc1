// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTML
import Hummingbird
import Knowledge
import Localization
import Plans
import Presentation
import Scheduling
import Web

/// The third step: the amount, the times for the chosen frequency, food, and the days.
struct TimesAndAmountPage: Sendable {
  let opened: OpenedDraft
  let often: HowOften
  var errors = StepErrors()
  /// The field that shows all its rows.
  var expanded: String?

  private var localizer: Localizer { opened.localizer }
  private var input: MedicineInput { opened.fields.input }

  var response: Response {
    var frame = opened.frame(of: .times)
    frame.hasErrors = !errors.isEmpty
    frame.scripts = [PageAssets.steps]
    return opened.call.page(
      frame,
      """
      <div class="narrow stack add-steps">\(ErrorSummary(errors.all, localizer: localizer))\
      \(ChangeNotice(opened: opened))\
      \(Form(
        action: opened.address(of: .times), token: opened.site.token,
        // The first button is pressed by Enter: without this one it would be "Another time".
        fields: """
          <button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true"></button>\
          \(amount)\(times)\(food)\(days)
          """,
        buttons: Button(localizer.text("add-medicine.continue")).markup))</div>
      """, status: errors.isEmpty ? .ok : .unprocessableContent)
  }

  // MARK: Amount

  /// The form's usual unit; nil if the person must choose one.
  private var usualUnit: DoseUnit? {
    input.doseUnit.isEmpty ? MedicineForm(rawValue: input.form)?.usualUnit : nil
  }

  private var amount: Markup {
    let value = FormField(
      "dose-value", label: localizer.text("add-medicine.amount"), kind: .decimal,
      value: input.doseValue, error: errors.byField["dose-value"],
      unit: usualUnit.map { localizer.name(of: $0) }, maximumLength: 24, localizer: localizer)
    let stepper: Markup = """
      <div data-stepper="\(step)" data-decimal="\(MedicineInput.typed(".", localizer))" \
      data-less="\(localizer.text("add-medicine.less"))" \
      data-add="\(localizer.text("add-medicine.more"))">\(value)</div>
      """
    if usualUnit != nil, errors.byField["dose-unit"] == nil { return stepper }
    let units =
      [FieldChoice("", localizer.text("medicines.form.form-none"))]
      + DoseUnit.allCases.map { FieldChoice($0.rawValue, localizer.name(of: $0)) }
    return """
      <div class="field-row">\(stepper)\
      \(FormField(
        "dose-unit", label: localizer.text("medicines.form.dose-unit"), kind: .select(units),
        value: input.doseUnit, error: errors.byField["dose-unit"], localizer: localizer))</div>
      """
  }

  /// Tablets can be halved.
  private var step: String { input.form == MedicineForm.tablet.rawValue ? "0.5" : "1" }

  // MARK: Times

  private var times: Markup {
    switch often {
    case .once, .twice, .three: rows("time", input.times)
    case .weekly, .weekdays: "\(weekdays)\(rows("time", input.times))"
    case .days:
      """
      \(number("days", input.days, unit: "medicines.form.days-unit"))\
      \(rows("days-time", input.daysTimes))
      """
    case .hours:
      """
      <div class="field-row">\
      \(number("hours", input.hours, unit: "medicines.form.hours-unit"))\
      \(FormField(
        "first-time", label: localizer.text("medicines.form.first-time"), kind: .time,
        value: input.firstTime, error: errors.byField["first-time"], localizer: localizer))</div>
      """
    case .needed: needed
    case .other: Markup()
    }
  }

  private func rows(_ name: String, _ rows: [MedicineInput.TimeRow]) -> Markup {
    TimeRows(
      name: name, legend: localizer.text("medicines.form.times"), rows: rows,
      openRows: expanded == name ? MedicineInput.offeredTimes : often.times ?? 1,
      error: errors.byField[name], isCompact: true, localizer: localizer
    ).markup
  }

  /// One weekday for a weekly medicine, several for others.
  private var weekdays: Markup {
    let choices = Weekday.allCases.map {
      FieldChoice($0.code, localizer.capitalized(localizer.weekday($0.rawValue, .short)))
    }
    let isWeekly = often == .weekly
    return """
      <div class="step-days">\(FormField(
        "weekday", label: localizer.text("medicines.form.weekdays"),
        kind: isWeekly
          ? .radios(choices, isCompact: true) : .checkboxes(choices, isCompact: true),
        values: isWeekly ? Array(input.weekdays.prefix(1)) : input.weekdays,
        error: errors.byField["weekday"], localizer: localizer))</div>
      """
  }

  /// The reason and the limits of a medicine taken as needed.
  private var needed: Markup {
    """
    \(FormField(
      "need", label: localizer.text("medicines.form.need"), value: input.need,
      error: errors.byField["need"], isRequired: false, maximumLength: 200, localizer: localizer))\
    <div class="field-row">\
    \(limit("gap", "add-medicine.gap", input.gap))\
    \(limit("most-doses", "add-medicine.most-doses", input.mostDoses))\
    </div>
    """
  }

  private func limit(_ name: String, _ label: MessageKey, _ value: String) -> Markup {
    FormField(
      name, label: localizer.text(label), kind: .integer, value: value,
      error: errors.byField[name], isRequired: false, maximumLength: 2, localizer: localizer
    ).markup
  }

  private func number(_ name: String, _ value: String, unit: MessageKey) -> Markup {
    FormField(
      name, label: localizer.text(MessageKey("medicines.form.\(name)")), kind: .integer,
      value: value, error: errors.byField[name], unit: localizer.text(unit), maximumLength: 3,
      localizer: localizer
    ).markup
  }

  // MARK: Food and days

  private var food: FoodField {
    let rule = opened.fields.known?.food
    let says = rule.flatMap { rule -> String? in
      guard rule != .any, rule != .notApplicable, rule != .seeUsage else { return nil }
      return localizer.text(
        "add-medicine.food-list",
        ["says": .text(localizer.text("knowledge.food", ["food": .text(rule.rawValue)]))])
    }
    return FoodField(value: input.food, hint: says, localizer: localizer)
  }

  private var days: Markup {
    let usualStart = opened.isChange ? input.start : opened.person.today.text
    let isOpen =
      errors.byField["start"] != nil || errors.byField["end"] != nil
      || input.start != usualStart || !TypedText.trimmed(input.end).isEmpty
    return Disclosure(
      localizer.text("add-medicine.days"), isOpen: isOpen,
      """
      <div class="field-row">\
      \(FormField(
        "start", label: localizer.text("medicines.form.start"), kind: .date(), value: input.start,
        error: errors.byField["start"], localizer: localizer))\
      \(FormField(
        "end", label: localizer.text("medicines.form.end"), kind: .date(), value: input.end,
        error: errors.byField["end"], isRequired: false, localizer: localizer))</div>
      """
    ).markup
  }
}
