// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HeartRateMonitoring

/// The thesis's rule, and the safeguards of its limit.
@Suite struct BoundaryTests {
  private func afternoon(_ number: Int, _ bpm: Double, hour: Double = 15) -> PatientDay {
    PatientDay(day: number, readings: [HeartRateReading(hour: hour, bpm: bpm, source: "watch")])
  }

  @Test func `A provider's limit counts from the first day and never moves`() throws {
    for movement in [BoundaryRule.Movement.fixed, .dynamic] {
      var rule = BoundaryRule(movement, gap: 6, boundary: Boundary(value: 70, owner: .provider))
      #expect(try rule.judge(afternoon(0, 71)).isAlert)
      for number in 1..<120 {
        let verdict = try rule.judge(afternoon(number, number % 3 == 0 ? 71 : 50))
        if verdict.isAlert { rule.hear(.taken) }
        #expect(rule.boundary == Boundary(value: 70, owner: .provider))
      }
    }
  }

  @Test(arguments: [(13.9, false), (14, true), (17, true), (19.99, true), (20, false)])
  func `Readings count from 14:00 to before 20:00`(hour: Double, counts: Bool) throws {
    var rule = BoundaryRule(.fixed, gap: 6, boundary: Boundary(value: 70, owner: .provider))
    #expect(try rule.judge(afternoon(0, 90, hour: hour)).isAlert == counts)
  }

  @Test func `The window can be changed or be a fixed hour`() throws {
    let hour = try #require(ReadingWindow(hour: 9))
    var rule = BoundaryRule(
      .fixed, gap: 6, window: hour, boundary: Boundary(value: 70, owner: .provider))
    #expect(try !rule.judge(afternoon(0, 90, hour: 15)).isAlert)
    #expect(try rule.judge(afternoon(1, 90, hour: 9.5)).isAlert)
    #expect(ReadingWindow(from: 20, to: 14) == nil)
    #expect(ReadingWindow(from: -1, to: 14) == nil)
    #expect(ReadingWindow(from: 2, to: 24.5) == nil)
    #expect(ReadingWindow(hour: 24) == nil)
  }

  @Test func `Readings less than ten minutes apart count as one`() {
    let readings = [15.0, 15.1, 15.17, 15.3, 15.4].map {
      HeartRateReading(hour: $0, bpm: 60, source: "watch")
    }
    let counted = ReadingWindow.afternoon.counted(readings, source: "watch")
    #expect(counted.map(\.hour) == [15, 15.17, 15.4])
  }

  @Test
  func
    `A provider sets the limit from one or two weeks, over the average or before the medicine under it`()
  {
    let week = [58.0, 60, 62, 60, 59, 61, 60]
    #expect(
      BoundaryCalibration.provider(dailyAverages: week, phase: .onMedicine, gap: 5)
        == Boundary(value: 65, owner: .provider))
    #expect(
      BoundaryCalibration.provider(dailyAverages: week, phase: .beforeMedicine, gap: 7)?.value == 53
    )
    #expect(BoundaryCalibration.provider(dailyAverages: [60], phase: .onMedicine, gap: 5) == nil)
    #expect(BoundaryCalibration.provider(dailyAverages: week, phase: .onMedicine, gap: 3.9) == nil)
    #expect(BoundaryCalibration.provider(dailyAverages: week, phase: .onMedicine, gap: 7.1) == nil)
    let long = [Double](repeating: 60, count: 15)
    #expect(BoundaryCalibration.provider(dailyAverages: long, phase: .onMedicine, gap: 5) == nil)
  }

  @Test func `A limit ten above the average should be reset`() {
    let boundary = Boundary(value: 70, owner: .own)
    #expect(BoundaryAdvice.about(boundary, average: 60) == .reset(over: 10))
    #expect(BoundaryAdvice.about(boundary, average: 60.5) == nil)
  }

  @Test func `A personal limit rises at most 2 a week and 8 in all, but falls freely`() {
    var safety = BoundarySafety()
    var boundary = Boundary(value: 66, owner: .own)
    var values: [Double] = []
    for day in 0..<90 {
      boundary = safety.moved(boundary, toward: 100, day: day, doses: .allTaken)
      values.append(boundary.value)
    }
    for day in 7..<90 { #expect(values[day] - values[day - 7] <= 2) }
    #expect(values[0] == 68 && values[7] == 70)
    #expect(values[89] == 74)
    boundary = safety.moved(boundary, toward: 60, day: 90, doses: .inDoubt)
    #expect(boundary.value == 60)
  }

  @Test func `It never rises while a monitored dose is missed or unrecorded`() {
    var safety = BoundarySafety()
    let boundary = Boundary(value: 66, owner: .own)
    #expect(safety.moved(boundary, toward: 70, day: 0, doses: .inDoubt) == boundary)
    #expect(safety.moved(boundary, toward: 70, day: 1, doses: .allTaken).value == 68)
  }

  @Test func `The limit doesn't rise after an admitted miss or with doses in doubt`() throws {
    for inDoubt in [false, true] {
      var rule = BoundaryRule(.dynamic, gap: 6)
      for number in 0..<20 { _ = try rule.judge(afternoon(number, 60)) }
      let before = try #require(rule.boundary).value
      if inDoubt { rule.note(.inDoubt) }
      #expect(try rule.judge(afternoon(20, 80)).isAlert)
      if !inDoubt { rule.hear(.missed) }
      _ = try rule.judge(afternoon(21, 65))
      _ = try rule.judge(afternoon(22, 65))
      #expect(try #require(rule.boundary).value == before)
      _ = try rule.judge(afternoon(23, 65))
      #expect(try (#require(rule.boundary).value > before) == !inDoubt)
    }
  }

  @Test func `After three yes in 14 days it stays and advises seeing the provider`() throws {
    var safety = BoundarySafety()
    for day in [0, 5, 14] { safety.noteYes(day: day) }
    #expect(!safety.asksForProvider)
    safety.noteYes(day: 14)
    #expect(!safety.asksForProvider)
    safety.noteYes(day: 15)
    #expect(safety.asksForProvider)
    let boundary = Boundary(value: 66, owner: .own)
    #expect(safety.moved(boundary, toward: 70, day: 16, doses: .allTaken) == boundary)
    safety.reset()
    #expect(safety.moved(boundary, toward: 70, day: 16, doses: .allTaken).value == 68)

    var rule = BoundaryRule(.dynamic, gap: 6)
    for number in 0..<20 { _ = try rule.judge(afternoon(number, 60)) }
    for number in 20..<23 {
      #expect(try rule.judge(afternoon(number, 80)).isAlert)
      rule.hear(.taken)
    }
    #expect(rule.advice == .seeProvider)
  }

  @Test func `A fixed personal limit stays where the first fourteen days set it`() throws {
    var rule = BoundaryRule(.fixed, gap: 6)
    for number in 0..<14 { _ = try rule.judge(afternoon(number, 60)) }
    #expect(rule.boundary == nil)
    for number in 14..<60 { _ = try rule.judge(afternoon(number, 64)) }
    #expect(rule.boundary == Boundary(value: 66, owner: .own))
  }
}
