// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing
import TimeZones

private let catalog = ZoneCatalog()

func zone(_ identifier: String) throws -> Zone { try catalog.zone(identifier) }

func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text: text)) }

func clock(_ text: String) throws -> ClockTime { try #require(ClockTime(text: text)) }

/// Parses an instant such as "2026-03-01T08:00:00+01:00".
func instant(_ text: String) throws -> Instant {
  let characters = Array(text)
  try #require(characters.count == 25)
  let date = try day(String(characters[0..<10]))
  let time = try clock(String(characters[11..<19]))
  let offset = try clock(String(characters[20..<25])).secondsOfDay
  let wall = Int64(date.daysSinceEpoch) * 86_400 + Int64(time.secondsOfDay)
  let east = characters[19] == "-" ? -offset : offset
  return Instant(milliseconds: (wall - Int64(east)) * 1000)
}

/// Formats an instant with its zone's offset, like the command line.
func text(_ instant: Instant, _ zone: Zone) -> String {
  let local = zone.local(at: instant)
  let minutes = zone.offsetSeconds(at: instant) / 60
  let offset = ClockTime(hour: abs(minutes) / 60, minute: abs(minutes) % 60)?.text.prefix(5) ?? "?"
  return "\(local.date.text)T\(local.time.text)\(minutes < 0 ? "-" : "+")\(offset)"
}

func slots(_ times: String...) throws -> [Slot] {
  try times.enumerated().map { Slot(id: $0.offset, time: .clock(try clock($0.element))) }
}

extension ScheduleExpander {
  /// Returns the doses between two local dates as text.
  func texts(_ from: String, _ until: String) throws -> [String] {
    occurrences(from: zone.startOfDay(try day(from)), until: zone.startOfDay(try day(until)))
      .map { text($0.instant, zone) }
  }
}

/// Creates an expander for a calendar rule that begins on a date.
func expander(
  _ days: DayPattern, _ slots: [Slot], from: String, in identifier: String = "Europe/Oslo",
  end: ScheduleEnd? = nil, rhythm: DailyRhythm = DailyRhythm()
) throws -> ScheduleExpander {
  let zone = try zone(identifier)
  let schedule = Schedule(
    rule: .calendar(days: days, slots: slots), from: try day(from), in: zone, end: end)
  return ScheduleExpander(schedule: schedule, zone: zone, rhythm: rhythm)
}
