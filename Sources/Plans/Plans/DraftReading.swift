// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Localization
import People
import Scheduling

extension PlanDraft {
  /// Creates the draft with which the edit form opens; nil for a request that the form cannot
  /// express in full.
  ///
  /// - Parameters:
  ///   - zone: the patient's; the first time of "every N hours" is shown on its clock.
  ///   - fallback: the start if the request names none.
  package init?(
    medicationRequest: JSONValue, slots: [PlanSlot], zone: Zone, start fallback: CivilDate,
    policy: ZonePolicy
  ) {
    let request = MedicationRequestView(medicationRequest)
    let dosages = request.dosages
    guard let first = dosages.first, let quantity = first.doseQuantity,
      let value = quantity.valueText, DraftText.decimal(value) == value,
      let unit = DoseUnit(code: quantity.code, text: quantity.unit),
      let limits = DraftLimits(first, unit: unit),
      dosages.allSatisfy({ dosage in
        guard dosage.patientInstruction == first.patientInstruction else { return false }
        let own = dosage.doseQuantity
        return dosage.isPlacebo || DoseUnit(code: own?.code, text: own?.unit) == unit
      })
    else { return nil }
    let schedule: DraftSchedule
    let days: (start: CivilDate, end: CivilDate?)
    if let pattern = DraftPatternReading(dosages, slots: slots, zone: zone, fallback: fallback) {
      schedule = pattern.schedule
      days = (pattern.start, pattern.end)
    } else {
      // The form cannot express an extension that contradicts its Timing.
      let isPlain = dosages.allSatisfy { dosage in
        dosage.doseQuantity == quantity
          && DosageExtension.ofTimes.allSatisfy { $0.of(dosage) == nil }
      }
      guard isPlain,
        let reading = DraftScheduleReading(
          dosages, slots: slots, zone: zone, fallback: fallback)
      else { return nil }
      schedule = reading.schedule
      days = (reading.start, reading.end)
    }
    let mix = DoseMix(first)
    if let mix, !mix.makes(value) { return nil }
    let details = MedicineDetails(request)
    self.init(
      medicineName: details.name, form: details.form, strengthValue: details.strengthValue,
      strengthUnit: details.strengthUnit, doseValue: schedule.statesAmounts ? "" : value,
      doseUnit: unit.rawValue, schedule: schedule, start: days.start, end: days.end,
      instruction: first.patientInstruction, policy: policy, limits: limits,
      missedDoseAdvice: MissedDoseAdvice(request))
    if !schedule.statesAmounts { self.mix = mix?.text }
    food = FoodInstruction(first)
  }
}

/// A schedule in the form's terms, read from the dosages of a request.
private struct DraftScheduleReading {
  let schedule: DraftSchedule
  let start: CivilDate
  let end: CivilDate?

  private static let known: Set<String> = [
    "boundsPeriod", "frequency", "period", "periodUnit", "dayOfWeek", "timeOfDay", "when", "offset",
  ]

  init?(_ dosages: [DosageView], slots: [PlanSlot], zone: Zone, fallback: CivilDate) {
    if dosages.count == 1, let only = dosages.first, only.asNeeded {
      guard let days = Self.days(only.timing, zone: zone, fallback: fallback) else { return nil }
      (start, end) = days
      schedule = .asNeeded(reason: only.asNeededReason)
      return
    }
    let timings = dosages.compactMap(\.timing)
    guard let timing = timings.first, timings.count == dosages.count,
      !dosages.contains(where: \.asNeeded), Set(dosages.map(\.sequence)).count == 1,
      timings.allSatisfy(Self.isKnown)
    else { return nil }
    let hours = timing.periodUnit == "h" && timing.timeOfDay.isEmpty && timing.when.isEmpty
    let begin = timing.boundsPeriodStart.flatMap { FHIRDateTime($0) }
    guard timing.boundsPeriodStart == nil || begin != nil,
      let end = Self.end(timing, zone: zone)
    else { return nil }
    self.end = end.date
    let beginning = begin?.epochMilliseconds.map { zone.local(at: Instant(milliseconds: $0)) }
    if let beginning {
      // A start in the middle of a day matters only to schedules that count hours.
      guard hours else { return nil }
      start = beginning.date
    } else if let begin {
      guard let day = begin.day, let month = begin.month,
        let date = CivilDate(year: begin.year, month: month, day: day)
      else { return nil }
      start = date
    } else {
      start = fallback
    }
    if hours {
      guard timings.count == 1, timing.frequency ?? 1 == 1, timing.dayOfWeek.isEmpty,
        let period = timing.period.flatMap({ TimingNumber.whole($0) })
      else { return nil }
      schedule = .everyHours(period, first: beginning?.time ?? .midnight)
      return
    }
    guard let found = Self.schedule(timings, slots: slots) else { return nil }
    schedule = found
  }

  /// Returns the first and the last day of an as-needed dosage; nil if it begins or ends within a day.
  private static func days(
    _ timing: TimingView?, zone: Zone, fallback: CivilDate
  ) -> (start: CivilDate, end: CivilDate?)? {
    guard let timing else { return (fallback, nil) }
    guard isKnown(timing), let end = end(timing, zone: zone) else { return nil }
    guard let text = timing.boundsPeriodStart else { return (fallback, end.date) }
    return CivilDate(text: text).map { ($0, end.date) }
  }

  private static func isKnown(_ timing: TimingView) -> Bool {
    timing.presentElements == ["repeat"] && !timing.hasExtensions
      && Set(timing.presentRepeatElements).isSubset(of: known)
  }

  private static func end(_ timing: TimingView, zone: Zone) -> (date: CivilDate?, Void)? {
    guard let text = timing.boundsPeriodEnd else { return (nil, ()) }
    guard let date = CivilDate(text: text) else { return nil }
    return (date, ())
  }

  private static func schedule(_ timings: [TimingView], slots: [PlanSlot]) -> DraftSchedule? {
    guard let timing = timings.first else { return nil }
    let listed = timing.dayOfWeek.compactMap { Weekday(code: $0) }
    guard listed.count == timing.dayOfWeek.count else { return nil }
    let weekdays = listed.isEmpty ? Set(Weekday.allCases) : Set(listed)
    let isDaily =
      timing.period == nil
      || (timing.period == 1 && (timing.periodUnit == "d" || timing.periodUnit == "wk"))
      || (timing.period == 24 && timing.periodUnit == "h")
    if timing.periodUnit == "wk" && listed.isEmpty { return nil }
    func slot(_ time: SlotTime) -> Int? { slots.first { $0.time == time }?.id }
    if timings.allSatisfy({ !$0.when.isEmpty && $0.timeOfDay.isEmpty }) {
      guard isDaily, timings.allSatisfy({ isSame($0, timing) }) else { return nil }
      var meals: [DraftMeal] = []
      for timing in timings {
        for code in timing.when {
          guard let events = DayEvent.events(code: code) else { return nil }
          for event in events {
            var meal = DraftMeal(event: event, offsetMinutes: timing.offset)
            meal.slot = slot(meal.slotTime)
            meals.append(meal)
          }
        }
      }
      return .meals(meals, weekdays: weekdays)
    }
    guard timings.count == 1, timing.when.isEmpty, !timing.timeOfDay.isEmpty else { return nil }
    let clocks = timing.timeOfDay.compactMap { ClockTime(text: $0) }
    guard clocks.count == timing.timeOfDay.count else { return nil }
    let times = clocks.map { DraftTime(slot: slot(.clock($0)), time: $0) }
    if isDaily { return .times(times, weekdays: weekdays) }
    guard timing.periodUnit == "d", listed.isEmpty,
      let days = timing.period.flatMap({ TimingNumber.whole($0) })
    else { return nil }
    return .everyDays(days, times: times)
  }

  private static func isSame(_ one: TimingView, _ other: TimingView) -> Bool {
    one.dayOfWeek == other.dayOfWeek && one.period == other.period
      && one.periodUnit == other.periodUnit && one.boundsPeriodStart == other.boundsPeriodStart
      && one.boundsPeriodEnd == other.boundsPeriodEnd
  }
}
