// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@Suite struct DoseWindowTests {
  /// Minutes to the next dose and since the previous one, then the on-time distance and the end of late.
  @Test(
    arguments: [
      (1440, 1440, 60, 720), (480, 900, 60, 240), (240, 1440, 60, 120), (120, 1440, 30, 60),
      (60, 60, 15, 30), (40, 40, 10, 30), (4, 4, 1, 30), (10_080, 10_080, 60, 720),
      (nil, 480, 60, 240), (nil, 20, 5, 30), (nil, nil, 60, 720), (360, nil, 60, 180),
    ] as [(Int?, Int?, Int64, Int64)])
  func followsTheInterval(next: Int?, previous: Int?, onTime: Int64, late: Int64) throws {
    let due = try instant("2026-03-01T08:00:00+01:00")
    let window = DoseWindow.between(
      due: due, next: next.map { due.adding(milliseconds: Int64($0) * 60_000) },
      previous: previous.map { due.adding(milliseconds: Int64(-$0) * 60_000) })
    #expect(window.onTimeMilliseconds == onTime * 60_000)
    #expect(window.lateMilliseconds == late * 60_000)
    #expect(window.onTimeFrom(due) == due.adding(milliseconds: -onTime * 60_000))
    #expect(window.onTimeUntil(due) == due.adding(milliseconds: onTime * 60_000))
    #expect(window.lateUntil(due) == due.adding(milliseconds: late * 60_000))
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func holdsAnyInterval(interval: Int64) {
    let window = DoseWindow(intervalMilliseconds: interval)
    #expect((0...3_600_000).contains(window.onTimeMilliseconds))
    #expect((1_800_000...43_200_000).contains(window.lateMilliseconds))
  }
}
