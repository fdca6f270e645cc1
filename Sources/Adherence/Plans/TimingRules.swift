// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Scheduling

/// Turns the Timing of one dosage into rules, refusing it whole where any element is not expanded.
struct TimingRules {
  let timing: TimingView
  let dosage: Int
  let amount: Amount?
  let anchor: PlanAnchor
  let zone: Zone

  private static let expandedElements: Set<String> = ["id", "event", "repeat"]
  private static let boundsElements: Set<String> = [
    "id", "boundsPeriod", "boundsDuration", "boundsRange",
  ]
  private static let patternElements: Set<String> = [
    "frequency", "period", "periodUnit", "dayOfWeek", "timeOfDay", "when", "offset",
  ]

  func read() throws(UnplannedReason) -> [PlanRule] {
    for element in timing.presentElements where !Self.expandedElements.contains(element) {
      throw .unsupportedTiming(element: element.hasPrefix("_") ? "extension" : element)
    }
    if timing.hasExtensions { throw .unsupportedTiming(element: "extension") }
    let present = timing.presentRepeatElements.filter { !Self.boundsElements.contains($0) }
    for element in present where !Self.patternElements.contains(element) {
      throw .unsupportedTiming(element: element)
    }
    let begin = try start()
    let end = try TimingBounds.end(of: timing, from: begin.instant, in: zone)
    var rules: [PlanRule] = []
    if !present.isEmpty {
      rules.append(
        PlanRule(
          dosage: dosage, amount: amount, pattern: try pattern(), anchor: begin.instant,
          anchorDate: begin.date, end: end))
    }
    let instants = try instants()
    if let first = instants.min() {
      // Instants hold as given (rule 26): bounds belong to what repeats.
      rules.append(
        PlanRule(
          dosage: dosage, amount: amount, pattern: .instants(instants), anchor: first,
          anchorDate: zone.date(at: first), end: nil))
    }
    if rules.isEmpty { throw .nothingToExpand }
    return rules
  }

  private func start() throws(UnplannedReason) -> (instant: Instant, date: CivilDate) {
    guard let text = timing.boundsPeriodStart else { return (anchor.instant, anchor.date) }
    return try TimingBounds.start(text, anchorZone: anchor.zone, zone: zone)
  }

  private func instants() throws(UnplannedReason) -> [Instant] {
    var instants: [Instant] = []
    for text in timing.events {
      guard let value = FHIRDateTime(text) else { throw .invalidTiming(element: "event") }
      if let milliseconds = value.epochMilliseconds {
        instants.append(Instant(milliseconds: milliseconds))
      } else if value.precision == .day,
        let date = CivilDate(year: value.year, month: value.month ?? 1, day: value.day ?? 1)
      {
        // A date that the zone skipped has no dose (rule 11).
        if let found = zone.instant(of: date, at: DefaultClockTimes.once) {
          instants.append(found.instant)
        }
      } else {
        throw .invalidTiming(element: "event")
      }
    }
    return instants
  }

  private func pattern() throws(UnplannedReason) -> PlanPattern {
    let times = try statedTimes()
    let weekdays = try weekdays()
    let frequency = timing.frequency ?? 1
    guard (1...10_000).contains(frequency) else { throw .invalidTiming(element: "frequency") }
    guard let period = timing.period else {
      if timing.periodUnit != nil { throw .invalidTiming(element: "period") }
      return try daily(times, frequency: frequency, weekdays: weekdays)
    }
    guard period > 0 else { throw .invalidTiming(element: "period") }
    switch timing.periodUnit {
    case "s", "min", "h":
      return try elapsed(period, times: times, frequency: frequency, weekdays: weekdays)
    case "d":
      let count = try wholePeriod(period)
      if count == 1 { return try daily(times, frequency: frequency, weekdays: weekdays) }
      do {
        let days = try DayPattern.days(
          period: count, frequency: times.isEmpty ? frequency : 1, on: weekdays)
        return .calendar(days, times.isEmpty ? [.clock(DefaultClockTimes.once)] : times)
      } catch {
        throw .invalidTiming(element: error == .moreDosesThanDays ? "frequency" : "period")
      }
    case "wk":
      return try weekly(
        try wholePeriod(period), times: times, frequency: frequency, weekdays: weekdays)
    default:
      throw .unsupportedTiming(element: "periodUnit")
    }
  }

  /// Rule 6, 12 and 13.
  private func daily(_ times: [SlotTime], frequency: Int, weekdays: Set<Weekday>?)
    throws(UnplannedReason) -> PlanPattern
  {
    let days = weekdays.map { DayPattern.weekdays($0, everyWeeks: 1) } ?? .daily
    return .calendar(days, try times.isEmpty ? defaultTimes(frequency) : times)
  }

  /// Rules 17 and 18.
  private func weekly(_ weeks: Int, times: [SlotTime], frequency: Int, weekdays: Set<Weekday>?)
    throws(UnplannedReason) -> PlanPattern
  {
    guard let weekdays else {
      do {
        let days = try DayPattern.weeks(
          period: weeks, frequency: times.isEmpty ? frequency : 1)
        return .calendar(days, times.isEmpty ? [.clock(DefaultClockTimes.once)] : times)
      } catch {
        throw .invalidTiming(element: "period")
      }
    }
    guard weeks <= 20_000 else { throw .invalidTiming(element: "period") }
    let perDay = frequency.isMultiple(of: weekdays.count) ? frequency / weekdays.count : 1
    return .calendar(
      .weekdays(weekdays, everyWeeks: weeks), try times.isEmpty ? defaultTimes(perDay) : times)
  }

  /// Rule 7; 24 h with clock times counts as daily.
  private func elapsed(
    _ period: Decimal, times: [SlotTime], frequency: Int, weekdays: Set<Weekday>?
  ) throws(UnplannedReason) -> PlanPattern {
    if !times.isEmpty {
      guard timing.periodUnit == "h", period == 24 else {
        throw .invalidTiming(element: "period")
      }
      return try daily(times, frequency: frequency, weekdays: weekdays)
    }
    if weekdays != nil { throw .unsupportedTiming(element: "dayOfWeek") }
    guard
      let every = TimingBounds.elapsedMilliseconds(period, unit: timing.periodUnit ?? ""),
      every <= 400 * 366 * 86_400_000
    else { throw .invalidTiming(element: "period") }
    return .elapsed(everyMilliseconds: every, times: frequency)
  }

  private func statedTimes() throws(UnplannedReason) -> [SlotTime] {
    var times: [SlotTime] = []
    for text in timing.timeOfDay {
      guard let time = ClockTime(text: text) else { throw .invalidTiming(element: "timeOfDay") }
      times.append(.clock(time))
    }
    for code in timing.when {
      guard let events = DayEvent.events(code: code) else { throw .invalidTiming(element: "when") }
      for event in events {
        if let offset = timing.offset {
          guard (0...1_440).contains(offset), event.allowsOffset else {
            throw .invalidTiming(element: "offset")
          }
        }
        times.append(.event(event, offsetMinutes: timing.offset))
      }
    }
    if timing.offset != nil && timing.when.isEmpty { throw .invalidTiming(element: "offset") }
    var unique: [SlotTime] = []
    for time in times where !unique.contains(time) { unique.append(time) }
    guard unique.count <= TimingReader.maximumSlots else { throw .tooFrequent }
    return unique
  }

  private func weekdays() throws(UnplannedReason) -> Set<Weekday>? {
    let codes = timing.dayOfWeek
    if codes.isEmpty { return nil }
    let weekdays = codes.compactMap { Weekday(code: $0) }
    guard weekdays.count == codes.count else { throw .invalidTiming(element: "dayOfWeek") }
    return Set(weekdays)
  }

  private func defaultTimes(_ count: Int) throws(UnplannedReason) -> [SlotTime] {
    guard let times = DefaultClockTimes.times(perDay: count) else {
      throw .invalidTiming(element: "frequency")
    }
    return times.map { .clock($0) }
  }

  private func wholePeriod(_ period: Decimal) throws(UnplannedReason) -> Int {
    guard let count = TimingBounds.wholeNumber(period), count <= 146_097 else {
      throw .invalidTiming(element: "period")
    }
    return count
  }
}
