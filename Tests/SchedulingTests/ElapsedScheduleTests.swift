// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@Suite struct ElapsedScheduleTests {
  private func expander(
    _ rule: ScheduleRule, anchor: String = "2026-03-28T22:00:00+01:00", end: ScheduleEnd? = nil
  ) throws -> ScheduleExpander {
    let zone = try zone("Europe/Oslo")
    let schedule = Schedule(rule: rule, anchor: try instant(anchor), in: zone, end: end)
    return ScheduleExpander(schedule: schedule, zone: zone)
  }

  @Test func eightHoursAreElapsedHours() throws {
    let expander = try expander(.elapsed(everyMilliseconds: 8 * 3_600_000))
    #expect(
      try expander.texts("2026-03-01", "2026-03-30") == [
        "2026-03-28T22:00:00+01:00", "2026-03-29T07:00:00+02:00", "2026-03-29T15:00:00+02:00",
        "2026-03-29T23:00:00+02:00",
      ])
  }

  @Test func twentyFourHoursAreNotADay() throws {
    let expander = try expander(.elapsed(everyMilliseconds: 24 * 3_600_000))
    #expect(
      try expander.texts("2026-03-28", "2026-03-31") == [
        "2026-03-28T22:00:00+01:00", "2026-03-29T23:00:00+02:00", "2026-03-30T23:00:00+02:00",
      ])
  }

  @Test func severalAPeriodAreReckonedFromTheAnchor() throws {
    // Seven an hour is not a whole number of milliseconds, yet it does not drift.
    let expander = try expander(.elapsed(everyMilliseconds: 3_600_000, times: 7))
    let anchor = expander.schedule.anchor
    let lastDistance: Int64 = 3_600_000 * 6 / 7
    let distance: Int64 = 3_600_000 / 7
    for hours in [0, 1, 24, 87_600] as [Int64] {
      let from = anchor.adding(milliseconds: hours * 3_600_000)
      let found = expander.occurrences(from: from, until: from.adding(milliseconds: 3_600_000))
      let expected = (0..<7).map { OccurrenceID.running(hours * 7 + $0) }
      #expect(found.map(\.id) == expected)
      #expect(found.first?.instant == from)
      #expect(found.last?.instant.milliseconds(since: from) == lastDistance)
    }
    #expect(expander.shortestRegularIntervalMilliseconds == distance)
  }

  @Test func findsNeighbours() throws {
    let expander = try expander(.elapsed(everyMilliseconds: 3_600_000))
    let anchor = expander.schedule.anchor
    #expect(expander.last(before: anchor) == nil)
    #expect(expander.first(after: anchor)?.id == .running(1))
    #expect(expander.first(after: anchor.adding(milliseconds: -1))?.id == .running(0))
    #expect(expander.last(before: anchor.adding(milliseconds: 1))?.id == .running(0))
    let late = anchor.adding(milliseconds: 3_600_000 * 1_000_000)
    #expect(expander.last(before: late)?.id == .running(999_999))
    #expect(expander.first(after: late)?.id == .running(1_000_001))
  }

  @Test func aLimitHoldsBackWhatWouldFillMemory() throws {
    let expander = try expander(.elapsed(everyMilliseconds: 1))
    let found = expander.occurrences(
      from: Instant(milliseconds: .min), until: Instant(milliseconds: .max), limit: 3)
    #expect(found.map(\.id.text) == ["n0", "n1", "n2"])
  }

  @Test func instantsComeAsGiven() throws {
    let given = [
      "2026-04-01T10:00:00+02:00", "2026-03-30T10:00:00+02:00", "2026-04-01T08:00:00+00:00",
      "2026-03-01T10:00:00+01:00",
    ].map { try? instant($0) }.compactMap { $0?.adding(milliseconds: 125) }
    let expander = try expander(.instants(given))
    // One dose for each instant (rule 10), none before the anchor (rule 1), milliseconds kept.
    let found = expander.occurrences(
      from: Instant(milliseconds: .min), until: Instant(milliseconds: .max))
    #expect(found.map(\.instant) == [given[1], given[0]])
    #expect(found.map(\.id) == [.instant(given[1]), .instant(given[0])])
    #expect(expander.first(after: given[1])?.instant == given[0])
    #expect(expander.first(after: given[0]) == nil)
    #expect(expander.last(before: given[0])?.instant == given[1])
    #expect(expander.last(before: given[1]) == nil)
    #expect(expander.shortestRegularIntervalMilliseconds == nil)
    #expect(expander.minimumGapMilliseconds == nil)
  }

  @Test func instantsAfterTheEndAreLeftOut() throws {
    let given = try instant("2026-04-01T10:00:00+02:00")
    let late = given.adding(milliseconds: 1)
    let expander = try expander(.instants([given, late]), end: .through(given))
    #expect(expander.first(after: given) == nil)
    #expect(expander.last(before: Instant(milliseconds: .max))?.instant == given)
  }

  @Test func aUnionHasOneDoseAnInstant() throws {
    let hourly = try expander(.elapsed(everyMilliseconds: 3_600_000))
    let anchor = hourly.schedule.anchor
    let given = try expander(
      .instants([anchor.adding(milliseconds: 3_600_000), anchor.adding(milliseconds: 5_400_000)]))
    let until = anchor.adding(milliseconds: 3 * 3_600_000)
    let regular = hourly.occurrences(from: anchor, until: until)
    let union = Occurrence.union(regular, given.occurrences(from: anchor, until: until))
    #expect(
      union.map { $0.instant.milliseconds(since: anchor) / 60_000 } == [0, 60, 90, 120])
    #expect(union[1].id == .running(1))
    #expect(Occurrence.union([], regular) == regular)
    #expect(Occurrence.union(regular, []) == regular)
  }
}
