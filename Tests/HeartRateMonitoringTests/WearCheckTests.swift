// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Testing

/// The detection of a watch left at home.
@Suite struct WearCheckTests {
  private static func hour(_ hour: Double) -> Int { Int(hour * 3_600) }

  private static func check(
    steps: [(hour: Double, count: Double)], lastHeartRate: Double? = nil,
    hasResting: Bool = false, isUsuallyMeasured: Bool = true
  ) -> WearCheck {
    WearCheck(
      movements: steps.map { .init(second: hour($0.hour), steps: $0.count) },
      lastHeartRate: lastHeartRate.map(hour), hasResting: hasResting,
      isUsuallyMeasured: isUsuallyMeasured)
  }

  @Test func `steps without a heart rate for an hour are noticed half an hour after the first`() {
    let check = Self.check(steps: [(8, 40), (8.25, 60)])
    #expect(check.outcome(at: Self.hour(8.25)) == .lookAgain(second: Self.hour(8.5)))
    #expect(check.outcome(at: Self.hour(8.5)) == .notice)
  }

  @Test func `people who measured, wear no watch or didn't move aren't asked`() {
    let now = Self.hour(10)
    let steps = [(hour: 9.5, count: 300.0)]
    #expect(Self.check(steps: steps, hasResting: true).outcome(at: now) == .quiet)
    #expect(Self.check(steps: steps, isUsuallyMeasured: false).outcome(at: now) == .quiet)
    #expect(Self.check(steps: []).outcome(at: now) == .quiet)
    // A phone carried across the room, and steps in the early morning.
    #expect(Self.check(steps: [(9.5, 20)]).outcome(at: now) == .quiet)
    #expect(Self.check(steps: [(7, 4_000)]).outcome(at: now) == .quiet)
  }

  @Test func `no reminder within an hour of a heart rate`() {
    let check = Self.check(steps: [(7, 40), (9.5, 300)], lastHeartRate: 9.25)
    #expect(check.outcome(at: Self.hour(9.75)) == .lookAgain(second: Self.hour(10.25)))
    #expect(check.outcome(at: Self.hour(10.25)) == .notice)
  }

  @Test func `no reminder is sent at night`() {
    let check = Self.check(steps: [(2, 300)])
    #expect(check.outcome(at: Self.hour(2.9)) == .lookAgain(second: Self.hour(7)))
    let late = Self.check(steps: [(8, 100), (22.2, 300)])
    #expect(late.outcome(at: Self.hour(22.5)) == .quiet)
  }

  @Test func `a wide gap narrows but never below the chosen one`() {
    let gap = GapConvergence.standard
    #expect(gap.gap(afterDays: -3, toward: 7) == 12)
    #expect(gap.gap(afterDays: 14, toward: 7) == 9.5)
    #expect(gap.gap(afterDays: 28, toward: 7) == 7)
    #expect(gap.gap(afterDays: 1_000, toward: 7) == 7)
    #expect(gap.gap(afterDays: 0, toward: 14) == 14)
    var rule = BoundaryRule(.dynamic, gap: 7, convergence: .standard)
    var limits: [Double] = []
    for number in 0..<60 {
      let day = PatientDay(
        day: number, readings: [HeartRateReading(hour: 15, bpm: 60, source: "watch")])
      if let verdict = try? rule.judge(day), let limit = verdict.finding.boundary {
        limits.append(limit)
      }
    }
    #expect(limits.first == 72)
    #expect(limits.last == 67)
    #expect(zip(limits, limits.dropFirst()).allSatisfy { $0 >= $1 })
  }
}
