// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing

@testable import HomeDevices

/// The judgement of times: right and wrong clocks, late events, devices without a clock.
@Suite struct DeviceClockTests {
  /// 2026-03-02T08:00:00+01:00.
  private static let now = Timestamp(milliseconds: 1_772_434_800_000)
  private static let minute: Int64 = 60_000
  private static let day: Int64 = 24 * 60 * minute

  private static func ago(_ milliseconds: Int64) -> Timestamp {
    now.adding(milliseconds: -milliseconds)
  }

  private static func judge(
    at: Timestamp?, age: Int64? = nil, sent: Timestamp? = nil,
    known: DeviceClock.Comparison? = nil, way: DeviceReport.Way = .direct
  ) -> DeviceClock.Judgement {
    let event = DeviceEvent(sequence: 1, kind: .opened, at: at, age: age)
    var report = DeviceReport(boot: "b", sent: sent, events: [event])
    report.way = way
    return DeviceClock(report, known: known, received: now).judge(event)
  }

  @Test func `an event without a clock happened when it arrived, or as long ago as it says`() {
    #expect(Self.judge(at: nil) == .at(Self.now))
    #expect(Self.judge(at: nil, age: 90_000) == .at(Self.ago(90_000)))
    #expect(Self.judge(at: nil, age: 8 * Self.day) == .unknown(.tooOld))
  }

  @Test func `a right clock dates late events, corrected by its small error`() {
    #expect(Self.judge(at: Self.ago(3_600_000)) == .at(Self.ago(3_600_000)))
    // Three minutes ahead.
    let sent = Self.now.adding(milliseconds: 3 * Self.minute)
    #expect(
      Self.judge(at: Self.ago(57 * Self.minute), sent: sent) == .at(Self.ago(60 * Self.minute)))
    #expect(Self.judge(at: sent, sent: sent) == .at(Self.now))
  }

  @Test func `a clock a little ahead never gives a time in the future`() {
    #expect(Self.judge(at: Self.now.adding(milliseconds: Self.minute)) == .at(Self.now))
    #expect(
      Self.judge(at: Self.now.adding(milliseconds: 3 * Self.minute)) == .unknown(.clock))
  }

  @Test(arguments: [12_000, 4_070_908_800_000] as [Int64])
  func `a clock of 1970 or 2099 is not believed`(milliseconds: Int64) {
    let clock = Timestamp(milliseconds: milliseconds)
    #expect(Self.judge(at: clock) == .unknown(.clock))
    // Sent at once, it counts with the time of arrival; buffered, it does not.
    #expect(Self.judge(at: clock, sent: clock) == .at(Self.now))
    let earlier = clock.adding(milliseconds: -3_600_000)
    #expect(Self.judge(at: earlier, sent: clock) == .unknown(.clock))
  }

  @Test(arguments: [Int64.min, .max])
  func `an impossible clock is not believed either`(milliseconds: Int64) {
    let clock = Timestamp(milliseconds: milliseconds)
    #expect(Self.judge(at: clock) == .unknown(.clock))
    #expect(Self.judge(at: Self.now, sent: clock) == .unknown(.clock))
  }

  @Test func `an event of last month is too old only if the clock is known to be right`() {
    let old = Self.ago(30 * Self.day)
    #expect(Self.judge(at: old) == .unknown(.clock))
    #expect(Self.judge(at: old, sent: Self.now) == .unknown(.tooOld))
  }

  @Test func `an earlier comparison holds for a day and for the same start`() {
    let wrong = Self.ago(10 * Self.minute)
    func known(boot: String, at: Timestamp) -> DeviceClock.Comparison {
      DeviceClock.Comparison(boot: boot, skew: -10 * Self.minute, at: at)
    }
    // Ten minutes behind: sent at once, it counts now.
    let fresh = known(boot: "b", at: Self.ago(3_600_000))
    #expect(Self.judge(at: wrong, known: fresh) == .at(Self.now))
    #expect(Self.judge(at: Self.ago(30 * Self.minute), known: fresh) == .unknown(.clock))
    // After another start, or long ago, nothing is known of the clock.
    #expect(Self.judge(at: wrong, known: known(boot: "a", at: Self.ago(1))) == .at(wrong))
    let old = known(boot: "b", at: Self.ago(2 * Self.day))
    #expect(Self.judge(at: wrong, known: old) == .at(wrong))
  }

  @Test func `a heartbeat compares the clocks`() {
    let clock = Self.now.adding(milliseconds: -2 * Self.minute)
    let report = DeviceReport(
      boot: "b", events: [DeviceEvent(sequence: 4, kind: .heartbeat, at: clock)])
    let comparison = DeviceClock(report, known: nil, received: Self.now).comparison
    #expect(comparison?.skew == -2 * Self.minute)
    #expect(comparison?.boot == "b")
  }

  @Test func `a report that may have waited at a broker is dated by its own time of sending`() {
    let kept = DeviceReport.Way.broker(mayHaveWaited: true)
    let sent = Self.ago(2 * 60 * Self.minute)
    #expect(Self.judge(at: nil, sent: sent, way: kept) == .at(sent))
    #expect(
      Self.judge(at: nil, age: 60_000, sent: sent, way: kept)
        == .at(sent.adding(milliseconds: -60_000)))
    #expect(Self.judge(at: sent, sent: sent, way: kept) == .at(sent))
    // The clock is three minutes ahead, as an earlier report has shown.
    let known = DeviceClock.Comparison(
      boot: "b", skew: 3 * Self.minute, at: Self.ago(3 * 60 * Self.minute))
    #expect(
      Self.judge(at: nil, sent: sent, known: known, way: kept)
        == .at(sent.adding(milliseconds: -3 * Self.minute)))
    // Nothing says when it was sent.
    #expect(Self.judge(at: nil, way: kept) == .unknown(.clock))
    #expect(Self.judge(at: nil, age: 60_000, way: kept) == .unknown(.clock))
    #expect(Self.judge(at: nil, age: -1, sent: sent, way: kept) == .unknown(.tooOld))
    #expect(
      Self.judge(at: nil, sent: Timestamp(milliseconds: 12_000), way: kept) == .unknown(.clock))
  }

  @Test func `what a broker delivers at once is judged like any report`() {
    let live = DeviceReport.Way.broker(mayHaveWaited: false)
    #expect(Self.judge(at: nil, way: live) == .at(Self.now))
    #expect(Self.judge(at: nil, age: 90_000, way: live) == .at(Self.ago(90_000)))
    let clock = Timestamp(milliseconds: 12_000)
    #expect(Self.judge(at: clock, sent: clock, way: live) == .at(Self.now))
  }

  @Test func `a report that a broker delivers again says nothing about the clock`() {
    func clock(_ sent: Timestamp, _ way: DeviceReport.Way) -> DeviceClock {
      var report = DeviceReport(
        boot: "b", sent: sent, events: [DeviceEvent(sequence: 1, kind: .opened)])
      report.way = way
      let known = DeviceClock.Comparison(boot: "b", skew: 0, at: Self.ago(60_000))
      return DeviceClock(report, known: known, received: Self.now)
    }
    let live = DeviceReport.Way.broker(mayHaveWaited: false)
    let again = clock(Self.ago(60_000), live)
    #expect(again.comparison == nil && again.skew == 0 && again.mayBeLate)
    #expect(clock(Self.ago(59_000), live).comparison?.skew == -59_000)
    #expect(clock(Self.ago(60_000), .direct).comparison?.skew == -60_000)
    #expect(clock(Self.now, .broker(mayHaveWaited: true)).comparison == nil)
  }
}
