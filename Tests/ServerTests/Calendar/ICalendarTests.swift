// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Calendar
@testable import DosePages

/// The text of calendars: escaping, folding, zones.
@Suite struct ICalendarTests {
  private static func unfolded(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "")
      .split(separator: "\r\n").map(String.init)
  }

  @Test(arguments: [
    ("a,b;c\\d", "a\\,b\\;c\\\\d"), ("one\r\ntwo\nthree\rfour", "one\\ntwo\\nthree\\nfour"),
    ("bell\u{7}\u{0}\u{7F}", "bell"), ("tab\tä", "tab\tä"), ("", ""),
    ("END:VEVENT\r\nBEGIN:VALARM", "END:VEVENT\\nBEGIN:VALARM"),
  ])
  func `texts are escaped`(text: String, expected: String) {
    #expect(ICalendarText.escaped(text) == expected)
  }

  @Test(arguments: UInt64(1)...60)
  func `lines are folded at 75 bytes but never within a character`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = ["a", "ü", "ถ", "😀", ",", "\\", " "]
    let text = (0..<Int.random(in: 0...200, using: &random))
      .map { _ in letters.randomElement(using: &random) ?? "a" }.joined()
    var written = ICalendarText()
    written.text("SUMMARY", text)
    let lines = written.bytes.split(separator: 0x0A, omittingEmptySubsequences: true)
    for line in lines {
      #expect(line.count - 1 <= 75 && line.last == 0x0D)
      #expect(String(validating: Array(line), as: UTF8.self) != nil)
    }
    #expect(Self.unfolded(written.bytes) == ["SUMMARY:" + ICalendarText.escaped(text)])
  }

  @Test func `offsets`() {
    #expect(ICalendarText.offset(3_600) == "+0100" && ICalendarText.offset(-12_600) == "-0330")
    #expect(ICalendarText.offset(0) == "+0000" && ICalendarText.offset(2_572) == "+004252")
  }

  private static func event(_ text: String, _ id: String = "plan_1_0") throws -> CalendarEvent {
    let at = try #require(CivilMoment.instant(text))
    return CalendarEvent(
      id: id, at: at, sequence: 7, changed: Timestamp(milliseconds: 1_772_000_000_000),
      medicines: ["Testolol, 1 tablet"])
  }

  private static func calendar(
    _ events: [CalendarEvent], zone: String = "Europe/Berlin", kind: ICalendar.Kind = .events,
    names: Bool = false
  ) throws -> [String] {
    unfolded(
      ICalendar(
        events: events, zone: try ZoneCatalog().zone(zone), kind: kind, label: nil,
        namesMedicine: names, address: "https://regimen.example/", localizer: .of(.en)
      ).bytes)
  }

  @Test func `an event has wall time, zone and alarm but no names`() throws {
    let lines = try Self.calendar([try Self.event("2026-03-02T07:00:00Z")])
    #expect(lines.first == "BEGIN:VCALENDAR" && lines.last == "END:VCALENDAR")
    for line in [
      "VERSION:2.0", "TZID:Europe/Berlin", "UID:plan_1_0@regimen.invalid", "SEQUENCE:7",
      "DTSTART;TZID=Europe/Berlin:20260302T080000", "TRIGGER:PT0S", "ACTION:DISPLAY",
      "TZOFFSETTO:+0100", "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(!lines.contains { $0.contains("Testolol") })
    let named = try Self.calendar([try Self.event("2026-03-02T07:00:00Z")], names: true)
    #expect(named.contains { $0.hasPrefix("SUMMARY:") && $0.contains("Testolol\\, 1 tablet") })
  }

  @Test func `tasks are due and ring at the end of their window`() throws {
    let lines = try Self.calendar([try Self.event("2026-03-02T07:00:00Z")], kind: .tasks)
    #expect(lines.contains("BEGIN:VTODO") && !lines.contains("BEGIN:VEVENT"))
    #expect(lines.contains("DUE;TZID=Europe/Berlin:20260302T080000"))
    #expect(lines.contains("TRIGGER;RELATED=END:PT0S"))
    #expect(lines.contains("UID:plan_1_0-task@regimen.invalid"))
  }

  @Test func `the zone includes the clock change`() throws {
    let lines = try Self.calendar([
      try Self.event("2026-03-28T07:00:00Z", "a"), try Self.event("2026-03-30T06:00:00Z", "b"),
    ])
    #expect(lines.contains("BEGIN:STANDARD") && lines.contains("BEGIN:DAYLIGHT"))
    #expect(lines.contains("DTSTART:20260329T020000") && lines.contains("TZOFFSETTO:+0200"))
    #expect(lines.contains("DTSTART;TZID=Europe/Berlin:20260330T080000"))
  }

  @Test func `the second of two repeated hours is written in UTC`() throws {
    let lines = try Self.calendar([
      try Self.event("2026-10-25T00:30:00Z", "a"), try Self.event("2026-10-25T01:30:00Z", "b"),
    ])
    #expect(lines.contains("DTSTART;TZID=Europe/Berlin:20261025T023000"))
    #expect(lines.contains("DTSTART:20261025T013000Z"))
    let universal = try Self.calendar([try Self.event("2026-03-02T07:00:00Z")], zone: "UTC")
    #expect(universal.contains("DTSTART:20260302T070000Z"))
    #expect(!universal.contains("BEGIN:VTIMEZONE"))
  }
}

/// Reads `2026-03-02T07:00:00Z`.
private enum CivilMoment {
  static func instant(_ text: String) -> Timestamp? {
    let parts = text.split(whereSeparator: { "-T:Z".contains($0) }).compactMap { Int($0) }
    guard parts.count == 6, let date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
    else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + parts[3] * 3_600 + parts[4] * 60 + parts[5]
    return Timestamp(milliseconds: Int64(seconds) * 1_000)
  }
}
