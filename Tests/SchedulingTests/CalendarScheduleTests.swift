// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@Suite struct CalendarScheduleTests {
  @Test(arguments: [
    (DayPattern.every(days: 1), ["01", "02", "03", "04", "05", "06", "07", "08", "09"]),
    (.every(days: 3), ["01", "04", "07"]),
    // Rule 15: floor(i × p / f).
    (.spread(times: 2, overDays: 5), ["01", "03", "06", "08"]),
    (.spread(times: 3, overDays: 7), ["01", "03", "05", "08"]),
    (.spread(times: 9, overDays: 7), ["01", "02", "03", "04", "05", "06", "07", "08", "09"]),
    // Rule 16: both conditions apply. 2026-03-01 is a Sunday.
    (.everyDaysOn(days: 2, [.monday, .tuesday, .saturday]), ["03", "07", "09"]),
    (.spreadOn(times: 2, overDays: 5, [.tuesday, .sunday]), ["01", "03", "08"]),
    // Rule 17: week 0 contains the anchor and ends on that day here.
    (.weekdays([.monday, .sunday], everyWeeks: 1), ["01", "02", "08", "09"]),
    (.weekdays([.monday, .sunday], everyWeeks: 2), ["01", "09"]),
    (.weekdays([.wednesday], everyWeeks: 1), ["04"]),
  ])
  func fallsOnTheDatesOfItsPattern(days: DayPattern, expected: [String]) throws {
    let expander = try expander(days, try slots("08:00"), from: "2026-03-01")
    let found = try expander.texts("2026-02-01", "2026-03-10")
    #expect(found == expected.map { "2026-03-\($0)T08:00:00+01:00" })
    for number in 1...9 {
      let date = try #require(CivilDate(year: 2026, month: 3, day: number))
      let isExpected = expected.contains(String(date.text.suffix(2)))
      #expect(days.contains(date, anchorDate: try day("2026-03-01")) == isExpected)
    }
  }

  @Test(arguments: [
    (2, 1, DayPattern.every(days: 2)), (1, 3, .every(days: 1)),
    (5, 2, .spread(times: 2, overDays: 5)),
    (5, 5, .spread(times: 5, overDays: 5)),
  ])
  func mapsPeriodsOfDays(period: Int, frequency: Int, expected: DayPattern) throws {
    #expect(try DayPattern.days(period: period, frequency: frequency) == expected)
  }

  @Test func mapsPeriodsOfWeeksWithoutWeekdays() throws {
    #expect(try DayPattern.weeks(period: 2) == .every(days: 14))
    #expect(try DayPattern.weeks(period: 1, frequency: 3) == .spread(times: 3, overDays: 7))
    #expect(
      try DayPattern.days(period: 3, frequency: 2, on: [.monday])
        == .spreadOn(times: 2, overDays: 3, [.monday]))
  }

  @Test(arguments: [
    (3, 4, ScheduleProblem.moreDosesThanDays), (0, 1, .periodOutOfRange),
    (-1, 1, .periodOutOfRange),
    (2, 0, .periodOutOfRange), (2, -1, .periodOutOfRange), (Int.max, 1, .periodOutOfRange),
  ])
  func refusesPeriodsOfDays(period: Int, frequency: Int, expected: ScheduleProblem) {
    #expect(throws: expected) { try DayPattern.days(period: period, frequency: frequency) }
  }

  @Test(arguments: [0, -1, Int.max, Int.min])
  func refusesPeriodsOfWeeks(period: Int) {
    #expect(throws: ScheduleProblem.periodOutOfRange) { try DayPattern.weeks(period: period) }
  }

  @Test(arguments: [
    "Europe/Oslo", "America/New_York", "Asia/Bangkok", "Australia/Lord_Howe", "Africa/Casablanca",
    "America/St_Johns", "Pacific/Auckland", "Pacific/Honolulu", "Pacific/Apia",
  ])
  func neverDriftsFromTheWrittenTime(identifier: String) throws {
    let expander = try expander(
      .daily, try slots("08:00", "13:30", "22:15"), from: "2015-01-01", in: identifier)
    let zone = expander.zone
    let found = expander.occurrences(
      from: zone.startOfDay(try day("2015-01-01")), until: zone.startOfDay(try day("2045-01-01")))
    #expect(found.count == 3 * 10_958)
    let times = Set(found.map { zone.local(at: $0.instant).time.text })
    #expect(times == ["08:00:00", "13:30:00", "22:15:00"])
    #expect(found.allSatisfy { $0.shift == .none })
  }

  @Test func aGapMovesOneDoseOnly() throws {
    let expander = try expander(.daily, try slots("02:30"), from: "2026-03-01")
    #expect(
      try expander.texts("2026-03-28", "2026-03-31") == [
        "2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00",
      ])
  }

  @Test func anOverlapGivesOneDose() throws {
    let expander = try expander(.daily, try slots("02:30"), from: "2026-03-01")
    #expect(
      try expander.texts("2026-10-24", "2026-10-27") == [
        "2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00",
      ])
  }

  @Test func twoTimesInAGapAreOneDose() throws {
    let expander = try expander(
      .daily, try slots("03:00", "02:10", "02:50"), from: "2026-03-01")
    let zone = expander.zone
    let found = expander.occurrences(
      from: zone.startOfDay(try day("2026-03-29")), until: zone.startOfDay(try day("2026-03-30")))
    #expect(found.map { $0.id.text } == ["20260329-1"])
    #expect(found.map { $0.shift } == [.gap])
    let before = try instant("2026-03-29T01:00:00+01:00")
    #expect(expander.first(after: before) == found.first)
    #expect(expander.last(before: try instant("2026-03-29T12:00:00+02:00")) == found.first)
  }

  @Test func aSkippedDateHasNoDoseAndCounts() throws {
    let daily = try expander(.daily, try slots("08:00"), from: "2011-12-01", in: "Pacific/Apia")
    #expect(
      try daily.texts("2011-12-28", "2012-01-01") == [
        "2011-12-28T08:00:00-10:00", "2011-12-29T08:00:00-10:00", "2011-12-31T08:00:00+14:00",
      ])
    let alternate = try expander(
      .every(days: 2), try slots("08:00"), from: "2011-12-26", in: "Pacific/Apia")
    #expect(
      try alternate.texts("2011-12-25", "2012-01-04") == [
        "2011-12-26T08:00:00-10:00", "2011-12-28T08:00:00-10:00", "2012-01-01T08:00:00+14:00",
        "2012-01-03T08:00:00+14:00",
      ])
  }

  @Test func anOffsetIntoASkippedDateComesAtItsEnd() throws {
    let late = [Slot(id: 4, time: .event(.asleep, offsetMinutes: 120))]
    let expander = try expander(.daily, late, from: "2011-12-01", in: "Pacific/Apia")
    let zone = expander.zone
    let found = expander.occurrences(
      from: zone.startOfDay(try day("2011-12-28")), until: zone.startOfDay(try day("2012-01-02")))
    #expect(found.map { $0.id.text } == ["20111227-4", "20111228-4", "20111229-4", "20111231-4"])
    #expect(text(found[2].instant, zone) == "2011-12-31T00:00:00+14:00")
  }

  @Test func anOffsetKeepsTheNominalDate() throws {
    let slots = [
      Slot(id: 1, time: .event(.asleep, offsetMinutes: 120)),
      Slot(id: 2, time: .event(.beforeBreakfast, offsetMinutes: 480)),
    ]
    // Rule 23: the weekday and the anchor apply to Sunday 1 March; its early dose is before the anchor.
    let expander = try expander(
      .weekdays([.sunday], everyWeeks: 1), slots, from: "2026-03-01")
    let zone = expander.zone
    let found = expander.occurrences(
      from: zone.startOfDay(try day("2026-02-20")), until: zone.startOfDay(try day("2026-03-10")))
    #expect(found.map { $0.id.text } == ["20260301-1", "20260308-2", "20260308-1"])
    #expect(
      found.map { text($0.instant, zone) } == [
        "2026-03-02T00:30:00+01:00", "2026-03-07T23:30:00+01:00", "2026-03-09T00:30:00+01:00",
      ])
  }

  @Test func editingATimeKeepsTheIdentity() throws {
    let before = try expander(.daily, try slots("08:00", "20:00"), from: "2026-03-01")
    let after = try expander(.daily, try slots("09:30", "06:00"), from: "2026-03-01")
    let zone = before.zone
    let window = (zone.startOfDay(try day("2026-03-05")), zone.startOfDay(try day("2026-03-09")))
    let ids = before.occurrences(from: window.0, until: window.1).map(\.id)
    #expect(Set(ids) == Set(after.occurrences(from: window.0, until: window.1).map(\.id)))
  }

  @Test func aWindowThatEndsWithinYesterdayLivedTwiceKeepsTheMidnightDose() throws {
    // At 00:01 on 29 October the clock went back to 23:01 on the 28th, so midnight occurred twice.
    let expander = try expander(
      .daily, try slots("00:00"), from: "2006-10-01", in: "America/St_Johns")
    let midnight = try instant("2006-10-29T00:00:00-02:30")
    let again = midnight.adding(milliseconds: 1_800_000)
    #expect(expander.zone.date(at: again).text == "2006-10-28")
    let found = expander.occurrences(from: midnight, until: again)
    #expect(
      found == [
        Occurrence(
          id: .slot(date: try day("2006-10-29"), slot: 0), instant: midnight, shift: .overlap)
      ])
    #expect(expander.last(before: again) == found.first)
    #expect(expander.first(after: midnight)?.id.text == "20061030-0")
  }
}
