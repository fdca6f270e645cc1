// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@Suite struct ZoneTests {
  @Test(arguments: [
    // An ordinary time, a gap (rule 8) and an overlap (rule 9) in each kind of zone.
    ("Europe/Oslo", "2026-03-28", "02:30", "2026-03-28T02:30:00+01:00", ZonedShift.none),
    ("Europe/Oslo", "2026-03-29", "02:30", "2026-03-29T03:00:00+02:00", .gap),
    ("Europe/Oslo", "2026-03-29", "03:00", "2026-03-29T03:00:00+02:00", .none),
    ("Europe/Oslo", "2026-10-25", "02:30", "2026-10-25T02:30:00+02:00", .overlap),
    ("Europe/Oslo", "2026-10-25", "02:00", "2026-10-25T02:00:00+02:00", .overlap),
    ("Europe/Oslo", "2026-10-25", "03:00", "2026-10-25T03:00:00+01:00", .none),
    ("Europe/Oslo", "2095-03-27", "02:30", "2095-03-27T03:00:00+02:00", .gap),
    ("America/New_York", "2026-03-08", "02:00", "2026-03-08T03:00:00-04:00", .gap),
    ("America/New_York", "2026-11-01", "01:59:59", "2026-11-01T01:59:59-04:00", .overlap),
    ("America/New_York", "2326-03-09", "02:15", "2326-03-09T02:15:00-05:00", .none),
    ("America/St_Johns", "2026-03-08", "02:45", "2026-03-08T03:00:00-02:30", .gap),
    ("America/St_Johns", "2006-04-02", "00:01", "2006-04-02T01:01:00-02:30", .gap),
    ("Australia/Lord_Howe", "2026-10-04", "02:10", "2026-10-04T02:30:00+11:00", .gap),
    ("Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-05T01:45:00+11:00", .overlap),
    ("Australia/Lord_Howe", "2026-04-05", "01:15", "2026-04-05T01:15:00+11:00", .none),
    ("Pacific/Auckland", "2026-09-27", "02:30", "2026-09-27T03:00:00+13:00", .gap),
    ("Pacific/Auckland", "2026-04-05", "02:30", "2026-04-05T02:30:00+13:00", .overlap),
    ("Pacific/Honolulu", "2026-03-08", "02:30", "2026-03-08T02:30:00-10:00", .none),
    ("Asia/Bangkok", "2026-03-29", "02:30", "2026-03-29T02:30:00+07:00", .none),
    ("Africa/Casablanca", "2026-03-22", "02:30", "2026-03-22T03:00:00+01:00", .gap),
    ("Africa/Casablanca", "2026-02-15", "02:30", "2026-02-15T02:30:00+01:00", .overlap),
    ("Pacific/Apia", "2011-12-29", "23:59:59", "2011-12-29T23:59:59-10:00", .none),
    ("Pacific/Apia", "2011-12-31", "00:00", "2011-12-31T00:00:00+14:00", .none),
  ])
  func resolvesWallTimes(
    identifier: String, date: String, time: String, expected: String, shift: ZonedShift
  ) throws {
    let zone = try zone(identifier)
    let result = try #require(zone.instant(of: try day(date), at: try clock(time)))
    #expect(text(result.instant, zone) == expected)
    #expect(result.shift == shift)
  }

  @Test(arguments: [
    ("Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00"),
    ("Pacific/Kwajalein", "1993-08-21", "1993-08-22T00:00:00+12:00"),
    ("Pacific/Kiritimati", "1994-12-31", "1995-01-01T00:00:00+14:00"),
  ])
  func skippedDatesHaveNoTimes(identifier: String, date: String, next: String) throws {
    let zone = try zone(identifier)
    let skipped = try day(date)
    #expect(zone.skips(skipped))
    #expect(!zone.skips(skipped.adding(days: -1)))
    #expect(!zone.skips(skipped.adding(days: 1)))
    for hour in 0..<24 {
      #expect(zone.instant(of: skipped, at: try #require(ClockTime(hour: hour, minute: 0))) == nil)
    }
    #expect(text(zone.startOfDay(skipped), zone) == next)
  }

  @Test(arguments: [
    ("America/Sao_Paulo", "2018-11-04", "2018-11-04T01:00:00-02:00"),
    ("Asia/Beirut", "2026-03-29", "2026-03-29T01:00:00+03:00"),
    ("America/St_Johns", "2006-10-29", "2006-10-29T00:00:00-02:30"),
    ("Europe/Oslo", "2026-03-29", "2026-03-29T00:00:00+01:00"),
  ])
  func beginsADayWithItsFirstInstant(identifier: String, date: String, expected: String) throws {
    let zone = try zone(identifier)
    #expect(text(zone.startOfDay(try day(date)), zone) == expected)
  }

  @Test func utcNeedsNoFile() throws {
    let moment = try instant("2026-03-01T08:00:00+00:00")
    #expect(text(moment, .utc) == "2026-03-01T08:00:00+00:00")
    #expect(Zone.utc.instant(of: try day("2026-03-01"), at: try clock("08:00"))?.instant == moment)
  }

  @Test func answersForEveryInstant() throws {
    let zone = try zone("Europe/Oslo")
    for milliseconds in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
      let local = zone.local(at: Instant(milliseconds: milliseconds))
      #expect(local.date >= .earliest && local.date <= .latest)
    }
    #expect(zone.startOfDay(.earliest) < zone.startOfDay(.latest))
  }

  @Test func daylightTimeAllYearRoundStays() throws {
    let rule = ZoneRule(
      standardOffsetSeconds: -18_000,
      daylight: DaylightSaving(
        offsetSeconds: -14_400, begins: YearlyMoment(day: .zeroBasedDay(0), seconds: 0),
        ends: YearlyMoment(day: .dayWithoutLeapDay(365), seconds: 90_000)))
    let zone = Zone(identifier: "Test", transitions: [], initialOffsetSeconds: 0, rule: rule)
    for hour in stride(from: Int64(0), to: 24 * 366 * 3, by: 1) {
      #expect(zone.offsetSeconds(at: Instant(milliseconds: hour * 3_600_000)) == -14_400)
    }
  }

  @Test(arguments: [
    (YearlyDay.dayWithoutLeapDay(59), "2024-02-28"), (.dayWithoutLeapDay(60), "2024-03-01"),
    (.dayWithoutLeapDay(60), "2025-03-01"), (.zeroBasedDay(59), "2024-02-29"),
    (.zeroBasedDay(59), "2025-03-01"), (.dayWithoutLeapDay(365), "2024-12-31"),
    (.monthWeekday(month: 2, week: 5, weekday: .thursday), "2024-02-29"),
    (.monthWeekday(month: 2, week: 5, weekday: .thursday), "2025-02-27"),
    (.monthWeekday(month: 9, week: 1, weekday: .sunday), "2024-09-01"),
  ])
  func aYearlyChangeFallsOnItsDay(begins: YearlyDay, expected: String) throws {
    let rule = ZoneRule(
      standardOffsetSeconds: 0,
      daylight: DaylightSaving(
        offsetSeconds: 3600, begins: YearlyMoment(day: begins, seconds: 0),
        ends: YearlyMoment(day: begins, seconds: 36_000)))
    let zone = Zone(identifier: "Test", transitions: [], initialOffsetSeconds: 0, rule: rule)
    let change = Int64(try day(expected).daysSinceEpoch) * 86_400_000
    #expect(zone.offsetSeconds(at: Instant(milliseconds: change - 1)) == 0)
    #expect(zone.offsetSeconds(at: Instant(milliseconds: change)) == 3600)
  }

  @Test func twoGapsWithinADayEachEndWithTheirOwnInstant() throws {
    let transitions = [
      ZoneTransition(utcSeconds: 0, offsetSeconds: 3600),
      ZoneTransition(utcSeconds: 7200, offsetSeconds: 7200),
    ]
    let zone = Zone(
      identifier: "Test", transitions: transitions, initialOffsetSeconds: 0, rule: nil)
    let date = try day("1970-01-01")
    let first = zone.instant(of: date, at: try clock("00:30"))
    #expect(first?.instant == Instant(milliseconds: 0))
    #expect(first?.shift == .gap)
    let second = zone.instant(of: date, at: try clock("03:30"))
    #expect(second?.instant == Instant(milliseconds: 7_200_000))
    #expect(second?.shift == .gap)
  }
}
