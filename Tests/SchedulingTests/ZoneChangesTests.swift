// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

/// Tests the changes of a zone's UTC offset within a period, as sent to the page.
struct ZoneChangesTests {
  private static func changes(
    _ identifier: String, _ from: String, _ until: String
  ) throws -> [String] {
    let zone = try zone(identifier)
    return zone.changes(
      after: zone.startOfDay(try day(from)), until: zone.startOfDay(try day(until))
    ).map { "\(text($0.instant, zone)) \($0.before) \($0.after)" }
  }

  @Test func `each change is listed once, from the file and from its yearly rule`() throws {
    #expect(
      try Self.changes("Europe/Oslo", "2026-01-01", "2027-01-01") == [
        "2026-03-29T03:00:00+02:00 3600 7200", "2026-10-25T02:00:00+01:00 7200 3600",
      ])
    #expect(try Self.changes("Europe/Oslo", "2090-01-01", "2093-01-01").count == 6)
    #expect(
      try Self.changes("Pacific/Apia", "2011-12-01", "2012-01-15") == [
        "2011-12-31T00:00:00+14:00 -36000 50400"
      ])
  }

  @Test func `a zone without clock changes, or a period between them, lists none`() throws {
    #expect(try Self.changes("Asia/Bangkok", "1990-01-01", "2090-01-01").isEmpty)
    #expect(try Self.changes("Europe/Oslo", "2026-04-01", "2026-10-01").isEmpty)
    #expect(try Self.changes("UTC", "0001-01-01", "9999-12-31").isEmpty)
  }

  @Test func `a list of clock changes gives the same doses as its zone`() throws {
    let oslo = try zone("Europe/Oslo")
    let begin = oslo.startOfDay(try day("2025-12-01"))
    let end = oslo.startOfDay(try day("2027-02-01"))
    let listed = Zone(
      identifier: "listed",
      transitions: oslo.changes(after: begin, until: end).map {
        ZoneTransition(
          utcSeconds: $0.instant.milliseconds / 1000, offsetSeconds: $0.after)
      }, initialOffsetSeconds: oslo.offsetSeconds(at: begin), rule: nil)
    let schedule = Schedule(
      rule: .calendar(
        days: .daily, slots: [Slot(id: 1, time: .clock(try clock("02:30")))]),
      from: try day("2026-01-01"), in: oslo)
    let own = ScheduleExpander(schedule: schedule, zone: oslo)
    let others = ScheduleExpander(schedule: schedule, zone: listed)
    let until = oslo.startOfDay(try day("2027-01-01"))
    #expect(
      own.occurrences(from: begin, until: until) == others.occurrences(from: begin, until: until))
  }
}
