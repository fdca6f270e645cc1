// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@Suite struct SlotTests {
  @Test(arguments: [
    ("WAKE", "07:00"), ("CM", "07:30"), ("CD", "12:30"), ("CV", "18:30"), ("HS", "22:30"),
    ("MORN", "08:00"), ("MORN.early", "06:00"), ("MORN.late", "10:00"), ("NOON", "12:00"),
    ("AFT", "15:00"), ("AFT.early", "13:00"), ("AFT.late", "16:30"), ("EVE", "19:00"),
    ("EVE.early", "18:00"), ("EVE.late", "21:00"), ("NIGHT", "22:00"), ("PHS", "22:30"),
    ("ACM", "07:00"), ("ACD", "12:00"), ("ACV", "18:00"), ("PCM", "08:00"), ("PCD", "13:00"),
    ("PCV", "19:00"),
  ])
  func eventsHaveTheirDefaultTimes(code: String, expected: String) throws {
    let event = try #require(DayEvent(code: code))
    #expect(event.code == code)
    let seconds = SlotTime.event(event, offsetMinutes: nil).wallSeconds(in: DailyRhythm())
    #expect(ClockTime(secondsOfDay: Int(seconds))?.text == expected + ":00")
  }

  @Test func everyEventHasItsOwnCode() {
    #expect(Set(DayEvent.allCases.map(\.code)).count == DayEvent.allCases.count)
    #expect(DayEvent.allCases.count == 23)
  }

  @Test(arguments: [
    ("ACM", 45, 405), ("PCV", 90, 1200), ("HS", 30, 1320), ("PHS", 120, 1470), ("MORN", 15, 495),
    ("ACM", 480, -30), ("ACM", 0, 450), ("WAKE", 60, 480), ("NIGHT", 0, 1320),
  ])
  func offsetsLeadBeforeOrAfter(code: String, offset: Int, minutes: Int64) throws {
    let event = try #require(DayEvent(code: code))
    let time = SlotTime.event(event, offsetMinutes: offset)
    #expect(time.wallSeconds(in: DailyRhythm()) == minutes * 60)
  }

  @Test(arguments: [
    ("C", ["CM", "CD", "CV"]), ("AC", ["ACM", "ACD", "ACV"]), ("PC", ["PCM", "PCD", "PCV"]),
    ("HS", ["HS"]),
  ])
  func mealCodesNameThreeEvents(code: String, parts: [String]) {
    #expect(DayEvent.events(code: code)?.map(\.code) == parts)
  }

  @Test(arguments: ["", "cm", "MORN.", "IMD", "ACX", "MORN.EARLY"])
  func refusesUnknownCodes(code: String) {
    #expect(DayEvent.events(code: code) == nil)
  }

  @Test func mealsMoveWhatHangsOnThem() throws {
    var rhythm = DailyRhythm()
    rhythm.breakfast = try clock("09:15")
    rhythm.set(try clock("00:30"), for: .asleep)
    #expect(rhythm[.beforeBreakfast].text == "09:15:00")
    #expect(rhythm.bedtime.text == "00:30:00")
    let before = SlotTime.event(.beforeBreakfast, offsetMinutes: nil)
    #expect(before.wallSeconds(in: rhythm) == (9 * 60 - 15) * 60)
    #expect(rhythm[.lunch] == DailyRhythm()[.lunch])
    #expect(rhythm != DailyRhythm())
    rhythm.breakfast = try clock("07:30")
    rhythm.bedtime = try clock("22:30")
    #expect(rhythm == DailyRhythm())
  }

  @Test(arguments: [
    (1, ["08:00"]), (2, ["08:00", "20:00"]), (3, ["08:00", "14:00", "20:00"]),
    (4, ["08:00", "12:00", "16:00", "20:00"]),
    (5, ["08:00", "11:30", "15:00", "18:30", "22:00"]),
    (6, ["08:00", "10:48", "13:36", "16:24", "19:12", "22:00"]),
    (7, ["08:00", "10:20", "12:40", "15:00", "17:20", "19:40", "22:00"]),
  ])
  func dosesADayHaveDefaultTimes(count: Int, expected: [String]) {
    #expect(DefaultClockTimes.times(perDay: count)?.map { String($0.text.prefix(5)) } == expected)
  }

  @Test func upToTwentyFourDosesADayAreAscending() throws {
    for count in 1...24 {
      let times = try #require(DefaultClockTimes.times(perDay: count))
      #expect(times.count == count)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
    #expect(DefaultClockTimes.times(perDay: 0) == nil)
    #expect(DefaultClockTimes.times(perDay: 25) == nil)
  }

  @Test(arguments: [
    "8:00", "25:00:00", "24:00", "08:60", "08:00:60", "08:00:0", "", "08.00", "+8:00",
  ])
  func refusesMalformedTimes(text: String) {
    #expect(ClockTime(text: text) == nil)
  }

  @Test(arguments: [("08:00", "08:00:00"), ("23:59:59", "23:59:59"), ("00:00", "00:00:00")])
  func readsTimes(text: String, expected: String) {
    #expect(ClockTime(text: text)?.text == expected)
  }

  @Test func weekdaysHaveCodes() {
    #expect(Weekday.allCases.map(\.code) == ["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
    #expect(Weekday.allCases.allSatisfy { Weekday(code: $0.code) == $0 })
    #expect(Weekday(code: "Mon") == nil)
  }
}
