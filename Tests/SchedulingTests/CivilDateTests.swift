// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@Suite struct CivilDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0, Weekday.thursday), (1969, 12, 31, -1, .wednesday),
    (2000, 2, 29, 11_016, .tuesday), (2026, 3, 1, 20_513, .sunday),
    (1, 1, 1, -719_162, .monday), (9999, 12, 31, 2_932_896, .friday),
  ])
  func knowsItsDayNumberAndWeekday(
    year: Int, month: Int, day: Int, number: Int, weekday: Weekday
  ) throws {
    let date = try #require(CivilDate(year: year, month: month, day: day))
    #expect(date.daysSinceEpoch == number)
    #expect(date.weekday == weekday)
    #expect((date.year, date.month, date.day) == (year, month, day))
    #expect(CivilDate(daysSinceEpoch: number) == date)
  }

  @Test func everyDayOfFourHundredYearsFollowsTheOneBefore() throws {
    var previous = try #require(CivilDate(year: 1799, month: 12, day: 31))
    for _ in 0..<146_097 {
      let date = previous.adding(days: 1)
      let (year, month, day) = date.parts
      #expect(CivilDate(year: year, month: month, day: day) == date)
      if day != 1 { #expect(day == previous.day + 1) } else { #expect(month != previous.month) }
      previous = date
    }
    #expect(previous.text == "2199-12-31")
  }

  @Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-00-10", "2026-3-01", "20260301", "2026-03-01T", "",
    "0000-01-01",
    "2026-03-0x", "١٢٣٤-01-01",
  ])
  func refusesWhatIsNoDate(text: String) {
    #expect(CivilDate(text: text) == nil)
  }

  @Test(arguments: [
    ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"),
    ("2024-02-29", 12, "2025-02-28"),
    ("2026-03-31", -1, "2026-02-28"), ("2026-11-30", 3, "2027-02-28"),
    ("2026-05-15", 0, "2026-05-15"),
    ("9999-12-01", 1, "9999-12-31"), ("0001-01-01", -1, "0001-01-01"),
  ])
  func addsMonths(from: String, months: Int, expected: String) throws {
    #expect(try #require(CivilDate(text: from)).adding(months: months).text == expected)
  }

  @Test func staysWithinItsYears() {
    #expect(CivilDate(daysSinceEpoch: .max) == .latest)
    #expect(CivilDate(daysSinceEpoch: .min) == .earliest)
    #expect(CivilDate.latest.adding(days: .max) == .latest)
    #expect(CivilDate.earliest.adding(days: .min) == .earliest)
    #expect(CivilDate.latest.adding(months: .max) == .latest)
    #expect(CivilDate.earliest.adding(months: .min) == .earliest)
  }
}
