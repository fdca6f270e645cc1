// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing

@testable import HomeDevices

/// Scripts of the simulator: what they say, and that a seed decides.
@Suite struct DeviceScriptTests {
  private static let start = Timestamp(milliseconds: 1_772_406_000_000)

  private static func reports(
    _ text: String, seed: UInt64 = 1, until: Timestamp = .init(milliseconds: .max)
  ) throws -> [SimulatedReport] {
    try DeviceScript(text).reports(seed: seed, name: "box", from: start, until: until)
  }

  private static func at(_ day: Int64, _ minutes: Int64) -> Timestamp {
    start.adding(milliseconds: (day - 1) * 86_400_000 + minutes * 60_000)
  }

  @Test func `events have their time, compartment and number`() throws {
    let reports = try Self.reports(
      """
      # A quiet day.
      day 1
      08:05 opened monday
      08:06 closed monday
      20:00 weight 12.5
      day 2-3
      09:00 battery 80
      """)
    #expect(reports.map(\.events.count) == [1, 1, 1, 1, 1])
    let events = reports.flatMap(\.events)
    #expect(events.map(\.sequence) == [0, 1, 2, 3, 4])
    #expect(events[0].compartment == "monday" && events[0].at == Self.at(1, 485))
    #expect(events[2].weight == 12_500)
    #expect(events[4].at == Self.at(3, 540) && events[4].battery == 80)
  }

  @Test func `faults: offline, a wrong clock, a replay, a restart, a refill`() throws {
    let reports = try Self.reports(
      """
      08:00 offline
      08:05 opened
      08:06 closed
      09:00 online
      09:01 replay
      10:00 skew -3600
      10:05 pressed
      11:00 restart
      11:05 refill a b c
      """)
    #expect(reports.count == 6)
    #expect(reports[0].events.count == 2 && reports[0] == reports[1])
    #expect(reports[2].skew == -3_600_000)
    #expect(reports[2].events.first?.at == Self.at(1, 605 - 60))
    #expect(reports[3].boot == "box-2" && reports[3].events.first?.sequence == 0)
    #expect(reports[3...].flatMap(\.events).map(\.compartment) == ["a", "b", "c"])
  }

  @Test func `the same seed gives the same days, another one others`() throws {
    let text = "day 1-30\n08:00~30 opened 80%"
    let first = try Self.reports(text, seed: 7)
    #expect(try Self.reports(text, seed: 7) == first)
    #expect(try Self.reports(text, seed: 8) != first)
    #expect((15...30).contains(first.count))
    let earliest = try #require(first.first?.events.first?.at)
    #expect(abs(earliest.milliseconds - Self.start.milliseconds) % 86_400_000 / 60_000 <= 510)
  }

  @Test func `nothing happens after the end`() throws {
    let reports = try Self.reports("day 1-3\n08:00 opened", until: Self.at(2, 0))
    #expect(reports.count == 1)
  }

  @Test(
    arguments: [
      "8 opened", "24:00 opened", "08:60 opened", "08:00", "08:00 exploded", "day", "day 0",
      "day 3-2", "day 1-99999", "08:00 weight", "08:00 weight x", "08:00 battery 101",
      "08:00~x opened", "08:00 opened a b", "08:00 opened 101%", "08:00 skew", "08:00 refill",
    ])
  func `a line that is not understood is named`(line: String) {
    #expect(throws: DeviceScriptError(line: 2)) { try DeviceScript("# one\n\(line)") }
  }
}
