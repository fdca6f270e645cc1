// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Reminders

/// The times at which alarms ring, as a pure rule.
@Suite("Times of alarms")
struct AlarmTimesTests {
  private static let zones = ZoneCatalog()

  private func zone(_ name: String) throws -> Zone { try Self.zones.zone(name) }

  private func instant(_ text: String) -> Timestamp {
    Timestamp(text)
  }

  private func times(
    _ time: String, _ days: Set<Weekday> = Set(Weekday.allCases), starts: String = "2026-01-01",
    ends: String? = nil
  ) throws -> AlarmTimes {
    AlarmTimes(
      time: try #require(ClockTime(text: time)), days: days,
      starts: try #require(CivilDate(text: starts)), ends: ends.flatMap { CivilDate(text: $0) })
  }

  struct Case: Sendable {
    let zone: String
    let time: String
    var days: Set<Weekday> = Set(Weekday.allCases)
    var starts = "2026-01-01"
    var ends: String?
    let after: String
    let next: String?
  }

  @Test(arguments: [
    Case(
      zone: "Europe/Berlin", time: "08:00", after: "2026-03-02T07:59:59+01:00",
      next: "2026-03-02T08:00:00+01:00"),
    Case(
      zone: "Europe/Berlin", time: "08:00", after: "2026-03-02T08:00:00+01:00",
      next: "2026-03-03T08:00:00+01:00"),
    // Only on Saturdays, from a Sunday on.
    Case(
      zone: "Europe/Berlin", time: "08:00", days: [.saturday], after: "2026-03-01T12:00:00+01:00",
      next: "2026-03-07T08:00:00+01:00"),
    // The hour that is skipped: rings when the clocks go forward.
    Case(
      zone: "Europe/Berlin", time: "02:30", after: "2026-03-28T12:00:00+01:00",
      next: "2026-03-29T03:00:00+02:00"),
    // The hour that comes twice: rings only the first time.
    Case(
      zone: "Europe/Berlin", time: "02:30", after: "2026-10-24T12:00:00+02:00",
      next: "2026-10-25T02:30:00+02:00"),
    Case(
      zone: "Europe/Berlin", time: "02:30", after: "2026-10-25T02:30:00+02:00",
      next: "2026-10-26T02:30:00+01:00"),
    // A day that the zone skipped.
    Case(
      zone: "Pacific/Apia", time: "08:00", days: [.friday], starts: "2011-12-01",
      after: "2011-12-24T00:00:00-10:00", next: "2012-01-06T08:00:00+14:00"),
    // Once.
    Case(
      zone: "Europe/Berlin", time: "14:00", days: [], starts: "2026-04-01",
      after: "2026-03-02T08:00:00+01:00", next: "2026-04-01T14:00:00+02:00"),
    Case(
      zone: "Europe/Berlin", time: "14:00", days: [], starts: "2026-04-01",
      after: "2026-04-01T14:00:00+02:00", next: nil),
    // First and last day, both inclusive.
    Case(
      zone: "Europe/Berlin", time: "08:00", starts: "2026-05-01",
      after: "2026-03-02T08:00:00+01:00", next: "2026-05-01T08:00:00+02:00"),
    Case(
      zone: "Europe/Berlin", time: "08:00", ends: "2026-03-02",
      after: "2026-03-01T08:00:00+01:00", next: "2026-03-02T08:00:00+01:00"),
    Case(
      zone: "Europe/Berlin", time: "08:00", ends: "2026-03-02",
      after: "2026-03-02T08:00:00+01:00", next: nil),
  ])
  func `the next time by the person's clock`(one: Case) throws {
    let found = try times(one.time, one.days, starts: one.starts, ends: one.ends)
      .next(after: instant(one.after), in: zone(one.zone))
    #expect(found?.instant == one.next.map(instant))
  }

  /// The times come in order, at most once a day, on the alarm's days, and none is skipped: asking from any
  /// moment between two returns the later one.
  @Test(arguments: ["Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Bangkok"])
  func `times follow each other without a gap`(name: String) throws {
    let zone = try zone(name)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<60 {
      let days = Set(Weekday.allCases.filter { _ in Bool.random(using: &generator) })
      let time = try #require(
        ClockTime(secondsOfDay: Int.random(in: 0..<1_440, using: &generator) * 60))
      let times = AlarmTimes(
        time: time, days: days.isEmpty ? [.monday] : days,
        starts: try #require(CivilDate(text: "2026-01-01")),
        ends: CivilDate(text: "2026-12-31"))
      var at = instant("2025-12-30T00:00:00Z")
      var count = 0
      var last: CivilDate?
      while let next = times.next(after: at, in: zone) {
        #expect(next.instant > at && times.days.contains(next.date.weekday))
        #expect(last.map { $0 < next.date } ?? true)
        let room = next.instant.milliseconds - at.milliseconds
        let between = at.adding(milliseconds: Int64.random(in: 0..<room, using: &generator))
        #expect(times.next(after: between, in: zone) == next)
        last = next.date
        at = next.instant
        count += 1
      }
      // One for each of its days in the year; Samoa skipped its day years before.
      let all = (0..<365).count { day in
        CivilDate(text: "2026-01-01").map { times.days.contains($0.adding(days: day).weekday) }
          ?? false
      }
      #expect(count == all)
    }
  }
}
