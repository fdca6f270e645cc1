// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@Suite struct BoundsTests {
  @Test func dosesBeforeTheAnchorAreDropped() throws {
    let zone = try zone("Europe/Oslo")
    let schedule = Schedule(
      rule: .calendar(days: .every(days: 2), slots: try slots("08:00", "20:00")),
      anchor: try instant("2026-03-01T08:00:01+01:00"), in: zone)
    let expander = ScheduleExpander(schedule: schedule, zone: zone)
    #expect(
      try expander.texts("2026-02-01", "2026-03-04") == [
        "2026-03-01T20:00:00+01:00", "2026-03-03T08:00:00+01:00", "2026-03-03T20:00:00+01:00",
      ])
  }

  @Test func anEndDateIncludesItsWholeDay() throws {
    let zone = try zone("Europe/Oslo")
    let expander = try expander(
      .daily, try slots("00:00", "23:59:59"), from: "2026-03-28",
      end: .through(try day("2026-03-29"), in: zone))
    #expect(
      try expander.texts("2026-03-01", "2026-05-01") == [
        "2026-03-28T00:00:00+01:00", "2026-03-28T23:59:59+01:00", "2026-03-29T00:00:00+01:00",
        "2026-03-29T23:59:59+02:00",
      ])
  }

  @Test(arguments: [
    ("2026-03-02T08:00:00+01:00", true, 2), ("2026-03-02T08:00:00+01:00", false, 1),
    ("2026-03-02T07:59:59+01:00", true, 1), ("2026-03-01T08:00:00+01:00", true, 1),
    ("2026-03-01T08:00:00+01:00", false, 0),
  ])
  func anEndInstantIsItselfAllowedOrNot(end: String, isIncluded: Bool, count: Int) throws {
    let last = try instant(end)
    let expander = try expander(
      .daily, try slots("08:00"), from: "2026-03-01",
      end: isIncluded ? .through(last) : .before(last))
    #expect(try expander.texts("2026-01-01", "2027-01-01").count == count)
    #expect(expander.canFire == (count > 0))
    #expect(expander.problem == (count > 0 ? nil : .neverFires))
  }

  @Test(arguments: [
    (BoundsDuration.days(10), "2026-03-25T09:15:00+01:00", "2026-04-04T09:15:00+02:00"),
    (.days(1), "2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00"),
    (.weeks(2), "2026-10-20T08:00:00+02:00", "2026-11-03T08:00:00+01:00"),
    (.months(1), "2026-01-31T00:00:00+01:00", "2026-02-28T00:00:00+01:00"),
    (.months(6), "2026-01-15T08:00:00+01:00", "2026-07-15T08:00:00+02:00"),
    (.years(1), "2024-02-29T08:00:00+01:00", "2025-02-28T08:00:00+01:00"),
    (.elapsed(milliseconds: 86_400_000), "2026-03-28T08:00:00+01:00", "2026-03-29T09:00:00+02:00"),
  ])
  func durationsEndInWallTimeOrElapsedTime(
    duration: BoundsDuration, from: String, expected: String
  ) throws {
    let zone = try zone("Europe/Oslo")
    let end = duration.end(from: try instant(from), in: zone)
    #expect(end == .before(try instant(expected)))
  }

  @Test func aDurationKeepsPartsOfASecond() throws {
    let zone = try zone("Europe/Oslo")
    let anchor = try instant("2026-03-01T08:00:00+01:00").adding(milliseconds: 250)
    let expected = try instant("2026-03-04T08:00:00+01:00").adding(milliseconds: 250)
    #expect(BoundsDuration.days(3).end(from: anchor, in: zone) == .before(expected))
  }

  @Test func aDurationIntoASkippedDateEndsWithIt() throws {
    let zone = try zone("Pacific/Apia")
    let anchor = try instant("2011-12-29T08:00:00-10:00")
    let expected = try instant("2011-12-31T00:00:00+14:00")
    #expect(BoundsDuration.days(1).end(from: anchor, in: zone) == .before(expected))
  }

  @Test(arguments: [
    BoundsDuration.days(.max), .weeks(.max), .months(.max), .years(.max),
    .elapsed(milliseconds: .max),
    .days(.min), .weeks(.min), .months(.min), .years(.min), .elapsed(milliseconds: .min),
  ])
  func hugeDurationsAreHeld(duration: BoundsDuration) throws {
    let zone = try zone("Europe/Oslo")
    let anchor = try instant("2026-03-01T08:00:00+01:00")
    #expect(duration.end(from: anchor, in: zone).excludedInstant != anchor)
  }

  @Test func aReversedOrEmptyWindowHasNone() throws {
    let expander = try expander(.daily, try slots("08:00"), from: "2026-03-01")
    #expect(try expander.texts("2026-04-02", "2026-04-01").isEmpty)
    #expect(try expander.texts("2026-04-02", "2026-04-02").isEmpty)
  }

  @Test func aWindowIncludesItsStartAndNotItsEnd() throws {
    let expander = try expander(.daily, try slots("08:00"), from: "2026-03-01")
    let start = try instant("2026-04-01T08:00:00+02:00")
    let found = expander.occurrences(from: start, until: start.adding(milliseconds: 86_400_000))
    #expect(found.map(\.instant) == [start])
  }
}
