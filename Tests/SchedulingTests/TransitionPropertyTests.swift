// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing
import TimeZones

/// Checks that no dose is skipped or repeated around clock changes in many zones.
struct TransitionPropertyTests {
  /// More than a hundred zones spread over the list, plus those known for unusual changes.
  static let identifiers: [String] = {
    let all = ZoneCatalog().identifiers
    let spread = stride(from: 0, to: all.count, by: max(1, all.count / 96)).map { all[$0] }
    return Array(Set(spread + SchedulePropertyTests.zones)).sorted()
  }()

  private static let years: Int64 = 4 * 366

  /// Returns the days around each offset change within four years.
  private static func days(of zone: Zone) throws -> [CivilDate] {
    let first = try day("2024-01-01")
    var days: [CivilDate] = [first.adding(days: 59)]
    var before = zone.offsetSeconds(at: zone.startOfDay(first))
    for index in 1...Int(years) {
      let date = first.adding(days: index)
      let offset = zone.offsetSeconds(at: zone.startOfDay(date))
      if offset != before { days.append(date) }
      before = offset
    }
    return days
  }

  @Test func `the tests cover a hundred zones`() {
    #expect(Self.identifiers.count >= 100)
  }

  @Test(arguments: identifiers)
  func `each date has each of its doses exactly once`(identifier: String) throws {
    let zone = try zone(identifier)
    let slots = try slots("00:00", "00:30", "01:30", "02:30", "03:00", "12:00", "23:30")
    let expander = ScheduleExpander(
      schedule: Schedule(
        rule: .calendar(days: .daily, slots: slots), from: try day("2023-06-01"), in: zone),
      zone: zone)
    for date in try Self.days(of: zone) {
      let from = zone.startOfDay(date.adding(days: -3))
      let until = zone.startOfDay(date.adding(days: 4))
      let found = expander.occurrences(from: from, until: until)
      #expect(zip(found, found.dropFirst()).allSatisfy { $0.instant < $1.instant })
      #expect(Set(found.map(\.id)).count == found.count)
      // An existing time is kept; a skipped one moves to the end of the gap.
      for offset in -2...2 {
        let own = date.adding(days: offset)
        if zone.skips(own) { continue }
        for slot in slots {
          guard case .clock(let time) = slot.time else { continue }
          let meant = try #require(zone.instant(of: own, at: time))
          #expect(
            found.contains { $0.instant == meant.instant },
            "\(identifier) \(own.text) \(time.text)")
          let local = zone.local(at: meant.instant)
          #expect(
            meant.shift == .gap || local == LocalDateTime(date: own, time: time),
            "\(identifier) \(own.text) \(time.text)")
        }
      }
      // A window is the union of its parts, wherever it is cut.
      let cuts = stride(from: from.milliseconds, through: until.milliseconds, by: 41_400_000)
        .map { Instant(milliseconds: $0) }
      let parts = zip(cuts, cuts.dropFirst()).flatMap {
        expander.occurrences(from: $0, until: $1)
      }
      #expect(parts == expander.occurrences(from: from, until: cuts.last ?? until))
    }
  }

  @Test(arguments: identifiers)
  func `elapsed doses keep their distance`(identifier: String) throws {
    let zone = try zone(identifier)
    let expander = ScheduleExpander(
      schedule: Schedule(
        rule: .elapsed(everyMilliseconds: 8 * 3_600_000), from: try day("2023-06-01"), in: zone),
      zone: zone)
    for date in try Self.days(of: zone) {
      let found = expander.occurrences(
        from: zone.startOfDay(date.adding(days: -2)), until: zone.startOfDay(date.adding(days: 3)))
      #expect(
        zip(found, found.dropFirst()).allSatisfy {
          $1.instant.milliseconds(since: $0.instant) == 8 * 3_600_000
        })
    }
  }

  @Test(arguments: [("Pacific/Auckland", "Pacific/Honolulu"), ("America/New_York", "Europe/Oslo")])
  func `a zone change keeps dose ids and lists the moves`(from: String, to: String) throws {
    let (old, new) = (try zone(from), try zone(to))
    let rule = TimingRule(
      pattern: .calendar(.daily, [.clock(try clock("08:00")), .clock(try clock("20:00"))]),
      anchor: TimingAnchor(
        instant: old.startOfDay(try day("2026-03-01")), date: try day("2026-03-01")))
    func doses(_ zone: Zone) throws -> [Occurrence] {
      ScheduleExpander(schedule: rule.schedule, zone: zone).occurrences(
        from: zone.startOfDay(try day("2026-03-05")), until: zone.startOfDay(try day("2026-03-12")))
    }
    let (before, after) = (try doses(old), try doses(new))
    #expect(before.count == 14 && before.map(\.id) == after.map(\.id))
    let changes = DosePreview.changes(from: before, to: after)
    #expect(changes.count == 14)
    for case .moved(let id, let earlier, let later) in changes {
      let offset = old.offsetSeconds(at: earlier) - new.offsetSeconds(at: later)
      #expect(later.milliseconds(since: earlier) == Int64(offset) * 1000, "\(id.text)")
    }
  }

  @Test func `editing one time moves only its doses`() throws {
    let oslo = try zone("Europe/Oslo")
    func doses(_ second: String) throws -> [Occurrence] {
      try expander(.daily, try slots("08:00", second), from: "2026-03-01").occurrences(
        from: oslo.startOfDay(try day("2026-03-05")), until: oslo.startOfDay(try day("2026-03-07")))
    }
    let changes = DosePreview.changes(from: try doses("20:00"), to: try doses("21:30"))
    #expect(
      changes.map { change in
        guard case .moved(let id, let from, let to) = change else { return "?" }
        return id.text + " " + text(from, oslo).suffix(14).prefix(5) + " "
          + text(to, oslo).suffix(14).prefix(5)
      } == ["20260305-1 20:00 21:30", "20260306-1 20:00 21:30"])
    let fewer = try expander(.daily, try slots("08:00"), from: "2026-03-01").occurrences(
      from: oslo.startOfDay(try day("2026-03-05")), until: oslo.startOfDay(try day("2026-03-06")))
    let first = Array(try doses("20:00").prefix(2))
    #expect(
      DosePreview.changes(from: first, to: fewer) == [.removed(first[1].id, first[1].instant)])
    #expect(DosePreview.changes(from: fewer, to: first) == [.added(first[1].id, first[1].instant)])
  }
}
