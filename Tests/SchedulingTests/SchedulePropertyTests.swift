// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Testing
import TestSupport

/// Properties of every schedule, tested with random ones in zones with every kind of change.
@Suite struct SchedulePropertyTests {
  static let zones = [
    "Europe/Oslo", "America/New_York", "Pacific/Apia", "Asia/Bangkok", "Australia/Lord_Howe",
    "Africa/Casablanca", "America/St_Johns", "Pacific/Auckland", "Pacific/Honolulu",
    "Europe/Dublin", "Pacific/Kwajalein", "America/Nuuk",
  ]

  /// Dates near a change in one of the zones.
  private static let startDays = [
    "2011-12-20", "2026-03-01", "2026-10-10", "2026-03-20", "1993-08-15", "2038-01-10",
    "2088-03-20",
    "2005-10-20",
  ]

  private static func drawn(
    in zone: Zone, with generator: inout SeededGenerator
  ) throws -> ScheduleExpander {
    let start = try day(startDays.randomElement(using: &generator) ?? "2026-03-01")
      .adding(days: Int.random(in: -10...10, using: &generator))
    let anchor = zone.startOfDay(start)
      .adding(milliseconds: Int64.random(in: 0...86_400, using: &generator) * 1000)
    let anchorDate = zone.date(at: anchor)
    var end: ScheduleEnd?
    switch Int.random(in: 0...3, using: &generator) {
    case 0:
      let days = Int.random(in: 0...20, using: &generator)
      end = .through(anchorDate.adding(days: days), in: zone)
    case 1: end = BoundsDuration.weeks(1).end(from: anchor, in: zone)
    default: break
    }
    let schedule = Schedule(
      rule: rule(anchor: anchor, with: &generator), anchor: anchor, anchorDate: anchorDate, end: end
    )
    var rhythm = DailyRhythm()
    if Bool.random(using: &generator) {
      rhythm.bedtime = try #require(ClockTime(hour: 0, minute: 40))
      rhythm.breakfast = try #require(ClockTime(hour: 2, minute: 50))
    }
    return ScheduleExpander(schedule: schedule, zone: zone, rhythm: rhythm)
  }

  private static func rule(
    anchor: Instant, with generator: inout SeededGenerator
  ) -> ScheduleRule {
    switch Int.random(in: 0...10, using: &generator) {
    case 10:
      return .elapsedOn(
        everyMilliseconds: Int64.random(in: 1...72, using: &generator) * 1_800_000,
        times: Int.random(in: 1...3, using: &generator), [.tuesday, .sunday])
    case 0:
      return .elapsed(
        everyMilliseconds: Int64.random(in: 1...72, using: &generator) * 1_800_000,
        times: Int.random(in: 1...7, using: &generator))
    case 1:
      return .instants(
        (0..<8).map { _ in
          anchor.adding(milliseconds: Int64.random(in: -9...99, using: &generator) * 7_200_000)
        })
    default:
      var slots: [Slot] = []
      for id in 0..<Int.random(in: 1...5, using: &generator) {
        slots.append(Slot(id: id * 3, time: slotTime(with: &generator)))
      }
      return .calendar(days: pattern(with: &generator), slots: slots)
    }
  }

  private static func slotTime(with generator: inout SeededGenerator) -> SlotTime {
    if Bool.random(using: &generator) {
      let minute = Int.random(in: 0...287, using: &generator) * 5
      return .clock(ClockTime(secondsOfDay: minute * 60) ?? .midnight)
    }
    let event = DayEvent.allCases.randomElement(using: &generator) ?? .noon
    guard event.allowsOffset, Bool.random(using: &generator) else {
      return .event(event, offsetMinutes: nil)
    }
    return .event(event, offsetMinutes: Int.random(in: 0...40, using: &generator) * 45)
  }

  private static func pattern(with generator: inout SeededGenerator) -> DayPattern {
    let days = Int.random(in: 1...9, using: &generator)
    let times = Int.random(in: 1...days, using: &generator)
    let weekdays = Set(Weekday.allCases.filter { _ in Bool.random(using: &generator) })
      .union([.tuesday])
    switch Int.random(in: 0...8, using: &generator) {
    case 6:
      let drawn = Set((0..<3).map { _ in Int.random(in: 1...31, using: &generator) })
      return .months(
        every: Int.random(in: 1...2, using: &generator),
        days: Bool.random(using: &generator) ? drawn : nil, on: times > 4 ? weekdays : nil)
    case 7: return .daysOfCycle([times, days], length: days + 1)
    case 8: return .runs(on: times, off: days - times)
    case 0: return .every(days: days)
    case 1: return .everyDaysOn(days: days, weekdays)
    case 2: return .weekdays(weekdays, everyWeeks: Int.random(in: 1...3, using: &generator))
    case 3: return .spread(times: times, overDays: days)
    case 4: return .spreadOn(times: times, overDays: days, weekdays)
    default: return .daily
    }
  }

  @Test(arguments: zones, 0..<20)
  func hold(identifier: String, seed: Int) throws {
    let zone = try zone(identifier)
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<5 {
      let expander = try Self.drawn(in: zone, with: &generator)
      let firstDay = expander.schedule.anchorDate.adding(days: -4)
      let days = (0..<36).map { zone.startOfDay(firstDay.adding(days: $0)) }
      let all = expander.occurrences(from: days[0], until: days[35])

      let byDay = zip(days, days.dropFirst()).flatMap { expander.occurrences(from: $0, until: $1) }
      #expect(byDay == all, "a window is the union of its days: \(expander.schedule)")
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.instant < $1.instant }, "ascending")
      #expect(Set(all.map(\.id)).count == all.count, "ids are unique")
      #expect(all.allSatisfy { OccurrenceID(text: $0.id.text) == $0.id }, "ids round trip")
      #expect(all.allSatisfy { $0.instant >= expander.schedule.anchor }, "none before the anchor")
      if let end = expander.schedule.end {
        #expect(all.allSatisfy { $0.instant < end.excludedInstant }, "none after the end")
      }
      #expect(
        expander.occurrences(from: days[0], until: days[35], limit: 3) == Array(all.prefix(3)))
      try neighboursAgree(expander, all, from: days[0], until: days[35], with: &generator)
      if seed.isMultiple(of: 3) { try countsAgree(expander, with: &generator) }
      if case .calendar(let pattern, let slots) = expander.schedule.rule {
        let expected = try bruteForce(expander, pattern, slots, from: days[0], until: days[35])
        #expect(all.map(\.instant) == expected, "agrees with brute force: \(expander.schedule)")
      }
    }
  }

  /// Checks that a schedule with a count is a prefix of the one without.
  private func countsAgree(
    _ expander: ScheduleExpander, with generator: inout SeededGenerator
  ) throws {
    let begin = expander.schedule.anchor
    let end = begin.adding(milliseconds: 70 * 86_400_000)
    let all = expander.occurrences(from: begin, until: end)
    for count in [1, Int.random(in: 2...40, using: &generator), 90] where count <= all.count {
      var schedule = expander.schedule
      schedule.count = count
      let counted = ScheduleExpander(
        schedule: schedule, zone: expander.zone, rhythm: expander.rhythm)
      let found = counted.occurrences(from: begin, until: end)
      #expect(found == Array(all.prefix(count)), "\(schedule)")
      #expect(counted.last(before: .latest) == found.last)
      #expect(counted.first(after: found.last?.instant ?? begin) == nil)
    }
  }

  private func neighboursAgree(
    _ expander: ScheduleExpander, _ all: [Occurrence], from: Instant, until: Instant,
    with generator: inout SeededGenerator
  ) throws {
    var asked = all.flatMap { [$0.instant, $0.instant.adding(milliseconds: 1)] }
    asked += (0..<20).map { _ in
      Instant(milliseconds: .random(in: from.milliseconds..<until.milliseconds, using: &generator))
    }
    for instant in asked where instant >= from && instant < until {
      if let next = all.first(where: { $0.instant > instant }) {
        #expect(expander.first(after: instant) == next)
      } else if let next = expander.first(after: instant) {
        #expect(next.instant >= until)
      }
      if let previous = all.last(where: { $0.instant < instant }) {
        #expect(expander.last(before: instant) == previous)
      } else {
        #expect(expander.last(before: instant) == nil)
      }
    }
  }

  /// Expands the rules day by day from the anchor, without the engine's arithmetic.
  private func bruteForce(
    _ expander: ScheduleExpander, _ pattern: DayPattern, _ slots: [Slot], from: Instant,
    until: Instant
  ) throws -> [Instant] {
    let zone = expander.zone
    let schedule = expander.schedule
    var found: Set<Instant> = []
    for index in 0..<45 {
      let date = schedule.anchorDate.adding(days: index)
      guard isListed(date, index, pattern, anchor: schedule.anchorDate), !zone.skips(date) else {
        continue
      }
      for slot in slots {
        let seconds = Int(slot.time.wallSeconds(in: expander.rhythm))
        let shift = (Double(seconds) / 86_400).rounded(.down)
        let wallDate = date.adding(days: Int(shift))
        let time = try #require(ClockTime(secondsOfDay: seconds - Int(shift) * 86_400))
        let instant = zone.instant(of: wallDate, at: time)?.instant ?? zone.startOfDay(wallDate)
        if instant < schedule.anchor || instant < from || instant >= until { continue }
        if let end = schedule.end, instant >= end.excludedInstant { continue }
        found.insert(instant)
      }
    }
    return found.sorted()
  }

  private func isListed(
    _ date: CivilDate, _ index: Int, _ pattern: DayPattern, anchor: CivilDate
  ) -> Bool {
    switch pattern {
    case .every(let days): return index % days == 0
    case .everyDaysOn(let days, let weekdays):
      return index % days == 0 && weekdays.contains(date.weekday)
    case .weekdays(let weekdays, let weeks):
      let week = (index + anchor.weekday.rawValue - 1) / 7
      return week % weeks == 0 && weekdays.contains(date.weekday)
    case .spread(let times, let days):
      return (0..<times).contains { $0 * days / times == index % days }
    case .spreadOn(let times, let days, let weekdays):
      return weekdays.contains(date.weekday)
        && (0..<times).contains { $0 * days / times == index % days }
    case .months(let every, let days, let weekdays):
      let months = (date.year - anchor.year) * 12 + date.month - anchor.month
      let isLast = date.adding(days: 1).month != date.month
      let isDay = (days ?? [anchor.day]).contains { $0 == date.day || isLast && $0 > date.day }
      return months % every == 0 && isDay && weekdays?.contains(date.weekday) != false
    case .daysOfCycle(let days, let length): return days.contains(index % length + 1)
    case .runs(let on, let off): return index % (on + off) < on
    }
  }

  @Test(arguments: zones)
  func anOldPlanGivesTheSameWindowAsANewOne(identifier: String) throws {
    let zone = try zone(identifier)
    let slots = try slots("02:30", "08:00", "20:00")
    let window = (zone.startOfDay(try day("2026-03-20")), zone.startOfDay(try day("2026-11-10")))
    let texts = try ["1726-04-01", "2016-04-01", "2026-03-20"].map { start in
      try expander(.daily, slots, from: start, in: identifier)
        .occurrences(from: window.0, until: window.1)
    }
    #expect(texts[0] == texts[2])
    #expect(texts[1] == texts[2])
    #expect(texts[2].count >= 3 * 234)
  }
}
