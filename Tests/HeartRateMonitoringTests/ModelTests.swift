// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HeartRateMonitoring

/// The things that the model learns, and its use of evidence.
@Suite struct ModelTests {
  private func settled(bpm: Double = 60, days: Int = 60) throws -> HeartModel {
    var model = HeartModel(threshold: 0.2)
    for number in 0..<days { _ = try model.judge(HeartDays.day(number, bpm: bpm)) }
    return model
  }

  @Test(arguments: [(1.0, 0.5), (2.0, 1.0), (2.0, 0.5)])
  func `A recorded lower dose does not ask`(before: Double, after: Double) throws {
    var model = HeartModel(threshold: 0.2)
    for number in 0..<60 { _ = try model.judge(HeartDays.day(number, bpm: 60, dose: before)) }
    let rise = 9 * (LossProfile.response(before) - LossProfile.response(after))
    var unrecorded = model
    for number in 60..<75 {
      let day = HeartDays.day(number, bpm: 60 + rise, dose: after)
      #expect(try !model.judge(day).isAlert)
    }
    if before == 2, after == 0.5 {
      // The same heart rate without the record raises a question: the record is what prevents it.
      var alerts = 0
      for number in 60..<75 {
        let day = HeartDays.day(number, bpm: 60 + rise * 2.5, dose: before)
        if try unrecorded.judge(day).isAlert { alerts += 1 }
      }
      #expect(alerts > 0)
    }
  }

  @Test func `Answering no makes a missed dose more probable, yes less`() throws {
    var silent = try settled()
    _ = try silent.judge(HeartDays.day(60, bpm: 66))
    var no = silent
    var yes = silent
    no.hear(.missed)
    yes.hear(.taken)
    let next = HeartDays.day(61, bpm: 66)
    let chances = try [yes, silent, no].map { model throws in
      var model = model
      return try #require(try model.judge(next).finding.probability)
    }
    #expect(chances[0] < chances[1] && chances[1] < chances[2])
  }

  @Test func `Few steps suggest an illness rather than a missed dose`() throws {
    var active = try settled()
    var lying = active
    let moving = try active.judge(HeartDays.day(60, bpm: 68, steps: 6000))
    let resting = try lying.judge(HeartDays.day(60, bpm: 68, steps: 1500))
    #expect(resting.score < moving.score)
    let (few, many) = try (#require(resting.finding.illness), #require(moving.finding.illness))
    #expect(few > many)
    let share = try #require(resting.finding.stepsShare)
    #expect(abs(share - 0.25) < 0.03)
  }

  @Test func `A warning describes the observation`() throws {
    var model = try settled()
    let verdict = try model.judge(HeartDays.day(60, bpm: 69))
    #expect(verdict.isAlert)
    #expect(verdict.finding.dosesInDoubt >= 1)
    let (rate, usual) = try (
      #require(verdict.finding.heartRate), #require(verdict.finding.usual)
    )
    #expect(rate - usual > 7 && rate - usual < 11)
  }

  @Test func `Each gap causes one warning`() throws {
    var model = try settled()
    #expect(try model.judge(HeartDays.day(60, bpm: 67)).isAlert)
    model.hear(.missed)
    var alerts = 0
    for number in 61..<64 where try model.judge(HeartDays.day(number, bpm: 67)).isAlert {
      alerts += 1
    }
    #expect(alerts <= 1)
    for number in 64..<80 { _ = try model.judge(HeartDays.day(number, bpm: 60)) }
    var later = 0
    for number in 80..<84 where try model.judge(HeartDays.day(number, bpm: 67)).isAlert {
      later += 1
    }
    #expect(later >= 1)
  }

  @Test func `A second device is recognized by its offset`() throws {
    var model = HeartModel(threshold: 0.2)
    for number in 0..<60 {
      var day = HeartDays.day(number, bpm: 60)
      // A ring that reads eight bpm too high.
      day.readings += [11.0, 15].map { HeartRateReading(hour: $0, bpm: 68.5, source: "ring") }
      let verdict = try model.judge(day)
      #expect(!verdict.isAlert)
      if number > 30 { #expect(verdict.score < 0.1) }
    }
  }

  @Test func `A missed evening dose shows the next day, a morning dose the same`() {
    let morning = LossProfile.of(.bisoprolol, .morning)
    let evening = LossProfile.of(.bisoprolol, .evening)
    let one = GapState.oneMissed.rawValue
    #expect(abs(morning.at(7)[one]) < 1e-9)
    #expect(morning.at(15)[one] > 0.3)
    #expect(evening.at(7)[one] > 0.15)
    #expect(evening.at(15)[one] > 0.3)
    for agent in BetaBlocker.allCases {
      for slot in DosingSlot.allCases {
        let losses = LossProfile.of(agent, slot).at(16)
        #expect(losses[GapState.allTaken.rawValue] == 0)
        #expect(losses[1] > 0.15 && losses[1] < losses[2] && losses[2] < losses[4])
        #expect(losses[GapState.secondDayBack.rawValue] < losses[GapState.manyMissed.rawValue] / 2)
      }
    }
  }

  @Test func `Any input keeps the model valid`() throws {
    var model = HeartModel(threshold: 0.2)
    var state: UInt64 = 42
    func next(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
    var number = -1_000_000_000
    for _ in 0..<3000 {
      number += 1 + (next(20) == 0 ? next(400) : 0)
      let readings = (0..<next(12)).map { _ in
        HeartRateReading(
          hour: Double(next(30)), bpm: Double(next(260)),
          source: ["watch", "ring", "a", "b", "c", "d"][next(6)])
      }
      let day = PatientDay(
        day: number, agent: BetaBlocker.allCases[next(6)], slot: DosingSlot.allCases[next(3)],
        dose: [0, 0.5, 1, 1e9, 100][next(5)], readings: readings,
        steps: next(3) == 0 ? nil : next(90_000))
      let verdict = try model.judge(day)
      #expect(verdict.score >= 0 && verdict.score <= 1)
      #expect(verdict.finding.illness.map { $0 >= 0 && $0 <= 1 } ?? false)
      if verdict.isAlert { model.hear([.taken, .missed, .none][next(3)]) }
    }
  }

  @Test func `A smaller budget needs a higher threshold`() {
    for budgets in zip([0.01, 0.125, 0.2, 0.25, 0.5, 1, 3], [0.125, 0.2, 0.25, 0.5, 1, 3, 30]) {
      #expect(
        DetectorThresholds.model(budget: budgets.0) >= DetectorThresholds.model(budget: budgets.1))
      #expect(
        DetectorThresholds.dynamic(budget: budgets.0)
          >= DetectorThresholds.dynamic(budget: budgets.1))
      #expect(
        DetectorThresholds.boundary(budget: budgets.0)
          >= DetectorThresholds.boundary(budget: budgets.1))
    }
  }

  @Test func `Exponential and logarithm agree with the C library`() {
    for number in stride(from: -60.0, through: 60, by: 0.37) {
      #expect(abs(Exponential.of(number) / exp(number) - 1) < 1e-8)
      let positive = exp(number)
      #expect(abs(Exponential.logarithm(positive) - log(positive)) < 1e-8)
    }
    #expect(Exponential.of(-1e9) < 1e-300)
    #expect(Exponential.logarithm(0) == 0)
  }
}
