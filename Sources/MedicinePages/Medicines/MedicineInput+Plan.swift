// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization
import Plans
import Scheduling

extension MedicineInput {
  /// Creates the input from a stored medicine, with the slots of its times; nil if the form can't
  /// represent it.
  init?(_ draft: PlanDraft, localizer: Localizer) {
    self.init(medicine: draft, localizer: localizer)
    doseValue = Self.typed(draft.doseValue, localizer)
    doseUnit = draft.doseUnit
    food = draft.food?.rawValue ?? ""
    start = draft.start.text
    end = draft.end?.text ?? ""
    instruction = draft.instruction ?? ""
    // Plans based on hours keep them without a question.
    if draft.policy != .elapsed || !draft.schedule.countsHours { policy = draft.policy.rawValue }
    missedDoseAdvice = draft.missedDoseAdvice?.code ?? ""
    missedDoseAdviceHours = draft.missedDoseAdvice?.hours.map { String($0) } ?? ""
    mostAmount = draft.limits.amount.map { Self.typed($0, localizer) } ?? ""
    gap = draft.limits.gapHours.map { String($0) } ?? ""
    mostDoses = draft.limits.count.map { String($0) } ?? ""
    mostDays = draft.limits.days.map { String($0) } ?? ""
    switch draft.schedule {
    case .times(let times, let weekdays):
      schedule = weekdays.count == 7 ? .times : .weekdays
      self.times = Self.rows(times)
      self.weekdays = Self.codes(weekdays)
    case .everyHours(let hours, let first):
      schedule = .everyHours
      self.hours = String(hours)
      firstTime = Self.text(first)
    case .everyDays(let days, let times):
      schedule = .everyDays
      self.days = String(days)
      daysTimes = Self.rows(times)
    case .meals(let meals, let weekdays):
      // The form has a single distance for all meals.
      let offsets = Set(meals.filter { $0.event.allowsOffset }.map(\.offsetMinutes))
      guard offsets.count <= 1 else { return nil }
      schedule = .meals
      self.meals = meals.map(\.event.code)
      for meal in meals { mealSlots[meal.event.code] = meal.slot }
      mealOffset = offsets.first.flatMap { $0 }.map { String($0) } ?? ""
      self.weekdays = Self.codes(weekdays)
      mealDays = weekdays.count == 7 ? .every : .weekdays
    case .asNeeded(let reason):
      schedule = .asNeeded
      need = reason ?? ""
    case .cycle, .steps, .varying, .spread, .afterIntake:
      schedule = pattern.take(draft.schedule, localizer: localizer)
    }
    pattern.mix = draft.mix.map { Self.typed($0, localizer) } ?? ""
  }

  /// Creates the input from a medicine whose schedule the form can't represent: the person enters
  /// the times.
  ///
  /// The sender's own text becomes the note, so that it stays with the medicine.
  init(entering request: MedicationRequestView, today: CivilDate, localizer: Localizer) {
    if let medicine = Self.medicine(of: request, today: today) {
      self.init(medicine: medicine, localizer: localizer)
    } else {
      self.init()
    }
    name = request.medicationName ?? ""
    start = today.text
    let quantities = Set(request.dosages.map(\.doseQuantity))
    if quantities.count == 1, let quantity = quantities.first ?? nil,
      let value = quantity.valueText,
      let unit = DoseUnit(code: quantity.code, text: quantity.unit)
    {
      doseValue = Self.typed(value, localizer)
      doseUnit = unit.rawValue
    }
    let words = request.dosages.flatMap { [$0.patientInstruction, $0.text].compactMap(\.self) }
    instruction = words.joined(separator: "\n")
  }

  /// Fills in name, form and strength.
  private init(medicine draft: PlanDraft, localizer: Localizer) {
    self.init()
    name = draft.medicineName
    form = draft.form?.rawValue ?? ""
    if let value = draft.strengthValue, let unit = draft.strengthUnit {
      strengthValue = Self.typed(value, localizer)
      strengthUnit = unit
    }
  }

  /// Reads only the medicine, by replacing the request's dosage with the simplest one.
  private static func medicine(
    of request: MedicationRequestView, today: CivilDate
  ) -> PlanDraft? {
    var json = request.json
    json["dosageInstruction"] = [
      [
        "timing": ["repeat": ["timeOfDay": ["00:00:00"]]],
        "doseAndRate": [["doseQuantity": ["value": 1, "code": "{dose}"]]],
      ]
    ]
    return PlanDraft(
      medicationRequest: json, slots: [], zone: .utc, start: today, policy: .follow)
  }

  static func rows(_ times: [DraftTime]) -> [TimeRow] {
    times.map { TimeRow(slot: $0.slot, text: text($0.time)) }
  }

  /// Returns a time for `input type=time`, with seconds only if there are any.
  static func text(_ time: ClockTime) -> String {
    time.second == 0 ? String(time.text.prefix(5)) : time.text
  }

  /// Returns the weekday codes in order; empty for all seven.
  static func codes(_ weekdays: Set<Weekday>) -> [String] {
    weekdays.count == 7 ? [] : Weekday.allCases.filter(weekdays.contains).map(\.code)
  }

  /// Returns a decimal in the language's format without grouping, so that it can be read back.
  static func typed(_ decimal: String, _ localizer: Localizer) -> String {
    let usesComma = localizer.number(Decimal(5) / 10).contains(",")
    return usesComma ? decimal.replacingOccurrences(of: ".", with: ",") : decimal
  }
}
