// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization
import People
import Scheduling

/// A schedule of several dosages, or one with an extension of ours, read into the form's terms.
struct DraftPatternReading {
  let schedule: DraftSchedule
  let start: CivilDate
  let end: CivilDate?

  /// A Timing with clock times on some days.
  private struct Clock {
    let times: [ClockTime]
    let weekdays: Set<Weekday>
    let start: CivilDate?
    let end: CivilDate?
    /// The days of a cycle and its length.
    var cycle: (days: Set<Int>, length: Int)?
  }

  private static let known: Set<String> = [
    "boundsPeriod", "frequency", "period", "periodUnit", "dayOfWeek", "timeOfDay",
  ]

  /// Reads dosages; nil if they contain anything that the form cannot express.
  init?(_ dosages: [DosageView], slots: [PlanSlot], zone: Zone, fallback: CivilDate) {
    guard !dosages.isEmpty, !dosages.contains(where: \.asNeeded) else { return nil }
    if dosages.count == 1, let stated = AfterIntake(dosages[0]) {
      guard let found = Self.interval(dosages[0], stated, zone: zone) else { return nil }
      (schedule, start, end) = found
      return
    }
    let clocks = dosages.compactMap { $0.timing.flatMap(Self.clock) }
    guard clocks.count == dosages.count else { return nil }
    func times(_ index: Int) -> [DraftTime] {
      clocks[index].times.map { time in
        let slot = slots.first { $0.dosage == index && $0.time == .clock(time) }
        return DraftTime(slot: slot?.id, time: time)
      }
    }
    if let cycle = Self.cycle(dosages, clocks, times(0)) {
      schedule = .cycle(cycle)
      (start, end) = (clocks[0].start ?? fallback, clocks[0].end)
      return
    }
    guard clocks.allSatisfy({ $0.cycle == nil }) else { return nil }
    if dosages.count == 1, let stated = StatedSpread(dosages[0]) {
      let spread = DraftSpread(
        count: stated.count, gapHours: stated.gapHours, window: stated.window,
        slots: times(0).compactMap(\.slot))
      guard spread.times.sorted() == clocks[0].times, clocks[0].weekdays.count == 7 else {
        return nil
      }
      schedule = .spread(spread)
      (start, end) = (clocks[0].start ?? fallback, clocks[0].end)
      return
    }
    guard dosages.count > 1,
      !dosages.contains(where: { dosage in
        DosageExtension.ofTimes.contains { $0.of(dosage) != nil }
      })
    else { return nil }
    let amounts = dosages.compactMap(Self.amount)
    guard amounts.count == dosages.count else { return nil }
    if let steps = Self.steps(dosages, clocks, amounts, times: times) {
      schedule = .steps(steps)
      start = clocks[0].start ?? fallback
      end = nil
      return
    }
    guard Set(dosages.map(\.sequence)).count == 1,
      clocks.allSatisfy({ $0.start == clocks[0].start && $0.end == clocks[0].end })
    else { return nil }
    var entries: [DraftEntry] = []
    for index in clocks.indices {
      entries += times(index).map {
        DraftEntry(time: $0, amount: amounts[index], weekdays: clocks[index].weekdays)
      }
    }
    schedule = .varying(entries)
    (start, end) = (clocks[0].start ?? fallback, clocks[0].end)
  }

  /// Returns the amount of a dosage as the form shows it: as tablets if they are stated, otherwise as a
  /// number.
  private static func amount(_ dosage: DosageView) -> String? {
    guard let value = dosage.doseQuantity?.valueText, DraftText.decimal(value) == value else {
      return nil
    }
    guard let mix = DoseMix(dosage) else { return value }
    return mix.makes(value) ? mix.text : nil
  }

  private static func clock(_ timing: TimingView) -> Clock? {
    guard Set(timing.presentElements).isSubset(of: ["repeat", "extension"]),
      Set(timing.presentRepeatElements).isSubset(of: known), !timing.timeOfDay.isEmpty
    else { return nil }
    let times = timing.timeOfDay.compactMap { ClockTime(text: $0) }
    let weekdays = timing.dayOfWeek.compactMap { Weekday(code: $0) }
    let start = timing.boundsPeriodStart.map { CivilDate(text: $0) }
    let end = timing.boundsPeriodEnd.map { CivilDate(text: $0) }
    // The form cannot express a start or an end within a day.
    guard times.count == timing.timeOfDay.count, weekdays.count == timing.dayOfWeek.count,
      start != .some(nil), end != .some(nil)
    else { return nil }
    var clock = Clock(
      times: times.sorted(), weekdays: weekdays.isEmpty ? Set(Weekday.allCases) : Set(weekdays),
      start: start ?? nil, end: end ?? nil)
    if timing.hasExtensions {
      guard weekdays.isEmpty, timing.periodUnit == "d", timing.json["extension"]?.array?.count == 1,
        let length = timing.period.flatMap({ TimingNumber.whole($0) }),
        let own = timing.json["extension"]?[0], own["url"]?.string == PlanDraft.cycleURL
      else { return nil }
      let days = (own["extension"]?.array ?? []).compactMap { $0["valueInteger"]?.number?.integer }
      clock.cycle = (Set(days), length)
      return clock
    }
    let isDaily = timing.period == nil || (timing.period == 1 && timing.periodUnit == "d")
    return isDaily ? clock : nil
  }

  private static func cycle(
    _ dosages: [DosageView], _ clocks: [Clock], _ times: [DraftTime]
  ) -> DraftCycle? {
    guard let (days, length) = clocks[0].cycle, days.count < length,
      days == Set(1...max(days.count, 1)), dosages.count <= 2
    else { return nil }
    if dosages.count == 2 {
      guard let (rest, other) = clocks[1].cycle, other == length,
        rest == Set((days.count + 1)...length), clocks[1].times == clocks[0].times,
        clocks[1].start == clocks[0].start, clocks[1].end == clocks[0].end,
        dosages[1].isPlacebo, dosages[1].doseQuantity?.valueText == "1"
      else { return nil }
    }
    return DraftCycle(
      daysOn: days.count, daysOff: length - days.count, times: times,
      hasPlacebo: dosages.count == 2)
  }

  private static func steps(
    _ dosages: [DosageView], _ clocks: [Clock], _ amounts: [String],
    times: (Int) -> [DraftTime]
  ) -> [DraftStep]? {
    guard dosages.map(\.sequence) == (1...dosages.count).map({ $0 }),
      clocks.allSatisfy({ $0.weekdays.count == 7 })
    else { return nil }
    var steps: [DraftStep] = []
    for (index, clock) in clocks.enumerated() {
      guard let first = clock.start else { return nil }
      if index > 0, clocks[index - 1].end?.adding(days: 1) != first { return nil }
      let days = clock.end.map { first.days(until: $0) + 1 }
      if days == nil, index < clocks.count - 1 { return nil }
      steps.append(DraftStep(days: days, amount: amounts[index], times: times(index)))
    }
    return steps
  }

  private static func interval(
    _ dosage: DosageView, _ stated: AfterIntake, zone: Zone
  ) -> (DraftSchedule, CivilDate, CivilDate?)? {
    let known: Set<String> = ["boundsPeriod", "frequency", "period", "periodUnit"]
    guard let timing = dosage.timing, timing.presentElements == ["repeat"], !timing.hasExtensions,
      Set(timing.presentRepeatElements).isSubset(of: known), timing.periodUnit == "h",
      timing.frequency ?? 1 == 1, let hours = timing.period.flatMap({ TimingNumber.whole($0) }),
      let text = timing.boundsPeriodStart,
      let milliseconds = FHIRDateTime(text)?.epochMilliseconds
    else { return nil }
    let end = timing.boundsPeriodEnd.map { CivilDate(text: $0) }
    guard end != .some(nil) else { return nil }
    let begin = zone.local(at: Instant(milliseconds: milliseconds))
    return (
      .afterIntake(DraftInterval(hours: hours, first: begin.time, waking: stated.waking)),
      begin.date, end ?? nil
    )
  }
}

extension DosageView {
  /// True for a placebo.
  var isPlacebo: Bool { doseQuantity?.code == PlanDraft.placeboCode }
}

extension CivilDate {
  /// Returns the number of days from this date to another one.
  func days(until other: CivilDate) -> Int { other.daysSinceEpoch - daysSinceEpoch }
}
