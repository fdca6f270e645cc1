// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@testable import TimeZones

@Suite struct PosixRuleTests {
  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200), ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 37_800, 39_600),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", 3600, 0), ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600),
    ("XXX3EDT4,0/0,J365/23", -10_800, -14_400), ("NST3:30NDT,M3.2.0,M11.1.0", -12_600, -9000),
    ("LMT-0:01:15LST,J60/167:59:59,59/-167", 75, 3675),
  ])
  func readsDaylightSaving(text: String, standard: Int, summer: Int) throws {
    let rule = try #require(PosixRuleReader.rule(Array(text.utf8)[...]))
    #expect(rule.standardOffsetSeconds == standard)
    #expect(rule.daylight?.offsetSeconds == summer)
  }

  @Test(arguments: [("<+07>-7", 25_200), ("HST10", -36_000), ("UTC0", 0), ("<-03>3", -10_800)])
  func readsZonesWithoutIt(text: String, standard: Int) {
    let expected = ZoneRule(standardOffsetSeconds: standard)
    #expect(PosixRuleReader.rule(Array(text.utf8)[...]) == expected)
  }

  @Test func readsEveryPartOfADate() throws {
    let text = "AAA1BBB,M3.5.0/-1:30,J60/26"
    let daylight = try #require(PosixRuleReader.rule(Array(text.utf8)[...])?.daylight)
    #expect(
      daylight.begins
        == YearlyMoment(day: .monthWeekday(month: 3, week: 5, weekday: .sunday), seconds: -5400))
    #expect(daylight.ends == YearlyMoment(day: .dayWithoutLeapDay(60), seconds: 93_600))
  }

  @Test(arguments: [
    "", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-25", "CET-1CEST,M13.5.0,M10.5.0",
    "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J5", "CET-1CEST,366,5",
    "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0/3x", "<+03-3", "CET-1:60",
  ])
  func refusesWhatIsMalformed(text: String) {
    #expect(PosixRuleReader.rule(Array(text.utf8)[...]) == nil)
  }
}
