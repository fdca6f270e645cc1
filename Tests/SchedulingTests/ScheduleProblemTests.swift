// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@Suite struct ScheduleProblemTests {
  private static let noon = Slot(id: 0, time: .event(.noon, offsetMinutes: nil))
  private static let hour: Int64 = 3_600_000

  @Test(arguments: [
    (ScheduleRule.calendar(days: .daily, slots: []), ScheduleProblem.noTimes),
    (.calendar(days: .every(days: 0), slots: [noon]), .periodOutOfRange),
    (.calendar(days: .every(days: -3), slots: [noon]), .periodOutOfRange),
    (.calendar(days: .every(days: .max), slots: [noon]), .periodOutOfRange),
    (.calendar(days: .everyDaysOn(days: 0, [.monday]), slots: [noon]), .periodOutOfRange),
    (.calendar(days: .everyDaysOn(days: 1, []), slots: [noon]), .noWeekdays),
    (.calendar(days: .weekdays([], everyWeeks: 1), slots: [noon]), .noWeekdays),
    (.calendar(days: .weekdays([.monday], everyWeeks: .max), slots: [noon]), .periodOutOfRange),
    (.calendar(days: .spread(times: 0, overDays: 7), slots: [noon]), .periodOutOfRange),
    (.calendar(days: .spreadOn(times: 1, overDays: 7, []), slots: [noon]), .noWeekdays),
    (.calendar(days: .daily, slots: [noon, noon]), .duplicateSlot(0)),
    (
      .calendar(days: .daily, slots: [Slot(id: 7, time: .event(.lunch, offsetMinutes: 10))]),
      .offsetNotAllowed(slot: 7)
    ),
    (
      .calendar(days: .daily, slots: [Slot(id: 7, time: .event(.wake, offsetMinutes: -10))]),
      .offsetNotAllowed(slot: 7)
    ),
    (.elapsed(everyMilliseconds: 0), .periodOutOfRange),
    (.elapsed(everyMilliseconds: -hour), .periodOutOfRange),
    (.elapsed(everyMilliseconds: .max), .periodOutOfRange),
    (.elapsed(everyMilliseconds: hour, times: 0), .periodOutOfRange),
    (.elapsed(everyMilliseconds: hour, times: .max), .periodOutOfRange),
    (.elapsed(everyMilliseconds: 2, times: 3), .periodOutOfRange),
    (.instants([]), .noInstants),
    // Every seventh day from a Sunday is never a Monday.
    (.calendar(days: .everyDaysOn(days: 7, [.monday]), slots: [noon]), .neverFires),
    (.instants([Instant(milliseconds: 0)]), .neverFires),
  ])
  func saysWhyItNeverFires(rule: ScheduleRule, expected: ScheduleProblem) throws {
    let zone = try zone("Europe/Oslo")
    let schedule = Schedule(rule: rule, from: try day("2026-03-01"), in: zone)
    let expander = ScheduleExpander(schedule: schedule, zone: zone)
    #expect(expander.problem == expected)
    #expect(!expander.canFire)
    #expect(expander.first(after: .earliest) == nil)
    #expect(expander.last(before: .latest) == nil)
    #expect(
      expander.occurrences(
        from: schedule.anchor, until: schedule.anchor.adding(milliseconds: 400 * 24 * Self.hour)
      ).isEmpty)
  }

  @Test func anEndBeforeTheStartIsNamed() throws {
    let expander = try expander(
      .daily, try slots("08:00"), from: "2026-03-02",
      end: .through(try instant("2026-03-01T23:00:00+01:00")))
    #expect(expander.problem == .endBeforeStart)
  }

  @Test(arguments: [Int64.min, .max])
  func aStartBeyondTheCalendarIsNamed(milliseconds: Int64) throws {
    let zone = try zone("Europe/Oslo")
    let schedule = Schedule(
      rule: .elapsed(everyMilliseconds: Self.hour), anchor: Instant(milliseconds: milliseconds),
      in: zone)
    let expander = ScheduleExpander(schedule: schedule, zone: zone)
    #expect(expander.problem == .startOutOfRange)
    #expect(expander.first(after: Instant(milliseconds: 0)) == nil)
    #expect(expander.last(before: Instant(milliseconds: 0)) == nil)
  }

  @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
  func anyInstantMayBeAsked(milliseconds: Int64) throws {
    let asked = Instant(milliseconds: milliseconds)
    let zone = try zone("Europe/Oslo")
    let offset = Slot(id: 1, time: .event(.asleep, offsetMinutes: .max))
    for rule: ScheduleRule in [
      .calendar(days: .every(days: 146_097), slots: [Self.noon, offset]),
      .elapsed(everyMilliseconds: Self.hour), .instants([asked]),
    ] {
      let schedule = Schedule(rule: rule, from: .earliest, in: zone)
      let expander = ScheduleExpander(schedule: schedule, zone: zone)
      let next = expander.first(after: asked)
      #expect(next.map { $0.instant > asked } ?? true)
      let previous = expander.last(before: asked)
      #expect(previous.map { $0.instant < asked } ?? true)
    }
  }

  @Test(arguments: [
    (ScheduleRule.calendar(days: .daily, slots: [noon]), 24 * hour),
    (.calendar(days: .every(days: 3), slots: [noon]), 72 * hour),
    (
      .calendar(
        days: .daily,
        slots: [noon, Slot(id: 1, time: .event(.night, offsetMinutes: nil))]), 10 * hour
    ),
    (
      .calendar(
        days: .every(days: 2),
        slots: [noon, Slot(id: 1, time: .event(.night, offsetMinutes: 60))]), 11 * hour
    ),
    (.calendar(days: .weekdays([.monday, .wednesday], everyWeeks: 1), slots: [noon]), 48 * hour),
    (.calendar(days: .weekdays([.monday, .sunday], everyWeeks: 1), slots: [noon]), 24 * hour),
    (.calendar(days: .weekdays([.monday, .sunday], everyWeeks: 2), slots: [noon]), 144 * hour),
    (.calendar(days: .spread(times: 2, overDays: 5), slots: [noon]), 48 * hour),
    (.calendar(days: .everyDaysOn(days: 2, [.monday]), slots: [noon]), 14 * 24 * hour),
    (.elapsed(everyMilliseconds: 8 * hour), 8 * hour),
  ])
  func knowsItsShortestInterval(rule: ScheduleRule, expected: Int64) throws {
    let zone = try zone("Europe/Oslo")
    let schedule = Schedule(rule: rule, from: try day("2026-03-03"), in: zone)
    let expander = ScheduleExpander(schedule: schedule, zone: zone)
    #expect(expander.shortestRegularIntervalMilliseconds == expected)
    #expect(expander.minimumGapMilliseconds == expected / 2)
  }
}
