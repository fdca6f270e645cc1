// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Scheduling
import Web

/// The part of the form about times: the kind of schedule, and the fields of each kind.
///
/// Without a script all kinds are shown one below the other; `schedule.js` shows only the chosen
/// one.
struct ScheduleFields: PagePart {
  let input: MedicineInput
  /// The field that shows all its rows.
  let expanded: String?
  let errors: [String: String]
  let localizer: Localizer

  private static let offeredMeals = [
    "WAKE", "ACM", "CM", "PCM", "ACD", "CD", "PCD", "ACV", "CV", "PCV", "HS",
  ]

  var markup: Markup {
    """
    \(FormField(
      "schedule", label: text("schedule"),
      kind: .radios(MedicineInput.Kind.usual.map(choice)), value: input.schedule?.rawValue,
      hint: text("schedule-hint"), error: errors["schedule"], localizer: localizer))\
    \(part("times weekdays", times))\(part("every-hours", everyHours))\(part("every-days", everyDays))\
    \(part("meals", "\(meals)\(mealDays)"))\(part("weekdays meals", weekdays))\
    \(part("as-needed", asNeeded))\
    \(PatternFields(input: input, expanded: expanded, errors: errors, localizer: localizer))
    """
  }

  /// Returns fields for the given kinds of schedule.
  private func part(_ kinds: String, _ content: Markup) -> Markup {
    "<div class=\"stack\" data-schedule=\"\(kinds)\">\(content)</div>"
  }

  func choice(_ kind: MedicineInput.Kind) -> FieldChoice {
    FieldChoice(
      kind.rawValue,
      localizer.text("medicines.form.kind", ["kind": .text(kind.rawValue)]),
      hint: localizer.text("medicines.form.kind-hint", ["kind": .text(kind.rawValue)]))
  }

  private var times: Markup {
    TimeRows(
      name: "time", legend: text("times"), rows: input.times,
      openRows: expanded == "time" ? MedicineInput.offeredTimes : 4, error: errors["time"],
      localizer: localizer
    ).markup
  }

  private var everyHours: Markup {
    FieldGroup(
      text("hours-legend"),
      """
      <div class="field-row">\
      \(FormField(
        "hours", label: text("hours"), kind: .integer, value: input.hours,
        error: errors["hours"], unit: text("hours-unit"), maximumLength: 3, localizer: localizer))\
      \(FormField(
        "first-time", label: text("first-time"), kind: .time, value: input.firstTime,
        error: errors["first-time"], localizer: localizer))</div>\
      <p class="hint">\(text("hours-hint"))</p>
      """
    ).markup
  }

  private var everyDays: Markup {
    FieldGroup(
      text("days-legend"),
      """
      \(FormField(
        "days", label: text("days"), kind: .integer, value: input.days,
        hint: text("days-hint"), error: errors["days"], unit: text("days-unit"), maximumLength: 3,
        localizer: localizer))\
      \(TimeRows(
        name: "days-time", legend: text("times"), rows: input.daysTimes,
        openRows: expanded == "days-time" ? MedicineInput.offeredTimes : 2,
        error: errors["days-time"], localizer: localizer))
      """
    ).markup
  }

  private var meals: Markup {
    let codes = Self.offeredMeals + input.meals.filter { !Self.offeredMeals.contains($0) }
    let words = MedicineFormatter(localizer: localizer)
    let slots = input.mealSlots.sorted { $0.key < $1.key }
    return """
      \(FormField(
        "meal", label: text("meals"),
        kind: .checkboxes(
          codes.map { FieldChoice($0, words.name(ofEvent: $0)) }, isCompact: true),
        values: input.meals, hint: text("meals-hint"), error: errors["meal"],
        localizer: localizer))\
      \(each: slots, {
        "<input type=\"hidden\" name=\"meal-slot\" value=\"\($0.key):\($0.value)\">"
      })\
      \(FormField(
        "meal-offset", label: text("meal-offset"), kind: .integer, value: input.mealOffset,
        hint: text("meal-offset-hint"), error: errors["meal-offset"], isRequired: false,
        unit: text("minutes-unit"), maximumLength: 3, localizer: localizer))
      """
  }

  /// The reason and the limits of a medicine taken as needed.
  private var asNeeded: Markup {
    FieldGroup(
      text("need-legend"), hint: text("need-help"),
      """
      \(FormField(
        "need", label: text("need"), value: input.need, hint: text("need-hint"),
        error: errors["need"], isRequired: false, maximumLength: 200, localizer: localizer))\
      \(FormField(
        "gap", label: text("gap"), kind: .integer, value: input.gap, error: errors["gap"],
        isRequired: false, unit: text("hours-unit"), maximumLength: 2, localizer: localizer))\
      \(FormField(
        "most-doses", label: text("most-doses"), kind: .integer, value: input.mostDoses,
        error: errors["most-doses"], isRequired: false, unit: text("doses-unit"), maximumLength: 2,
        localizer: localizer))\
      \(FormField(
        "most-days", label: text("most-days"), kind: .integer, value: input.mostDays,
        hint: text("most-days-hint"), error: errors["most-days"], isRequired: false,
        unit: text("days-unit"), maximumLength: 2, localizer: localizer))
      """
    ).markup
  }

  private var mealDays: Markup {
    FormField(
      "meal-days", label: text("meal-days"),
      kind: .radios(
        MedicineInput.MealDays.allCases.map { days in
          FieldChoice(
            days.rawValue,
            localizer.text("medicines.form.meal-days-choice", ["days": .text(days.rawValue)]))
        }),
      value: input.mealDays?.rawValue, error: errors["meal-days"], localizer: localizer
    ).markup
  }

  private var weekdays: Markup {
    FormField(
      "weekday", label: text("weekdays"),
      kind: .checkboxes(
        Weekday.allCases.map {
          FieldChoice($0.code, localizer.capitalized(localizer.weekday($0.rawValue)))
        }, isCompact: true),
      values: input.weekdays, hint: text("weekdays-hint"), error: errors["weekday"],
      isRequired: false, localizer: localizer
    ).markup
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("medicines.form.\(name)"))
  }
}
