// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Studies

/// A simulated trial: invented people, two arms, and an effect that was put in and must come out.
///
/// `Tests/EndToEnd/test_trial.py` does the same through a running server.
@Suite struct StudyTrialTests {
  private static let people = 40
  private static let days = 14
  /// The probability that a dose is taken, by arm, and the mean minutes until then.
  private static let truth = [
    "basic": (taken: 0.70, minutes: 50.0), "escalating": (taken: 0.85, minutes: 25.0),
  ]

  /// Lives through the study: each person differs a little from the others of the arm.
  private func live(_ world: StudyWorld) async throws {
    var random = SeededGenerator(seed: 34)
    for number in 0..<Self.people {
      let patient = PatientID("trial-\(number)")
      try await world.add(patient)
      let arm = try await world.join(patient).arm
      let truth = Self.truth[arm] ?? (taken: 0, minutes: 0)
      let own = 0.2 * Self.share(&random) - 0.1
      var doses: [StudyWorld.LivedDose] = []
      for day in 0..<Self.days {
        let isTaken = Self.share(&random) < truth.taken + own
        let minutes = Int64(min(200, -log(1 - Self.share(&random)) * truth.minutes))
        let later = Int64(day) * StudyWorld.day + 60_000
        doses.append((StudyWorld.start.adding(milliseconds: later), isTaken ? minutes : nil))
      }
      try await world.live(doses, of: patient)
    }
  }

  /// Returns a number from 0 to below 1, written out so that each version of Swift draws the same.
  private static func share(_ random: inout SeededGenerator) -> Double {
    Double(random.next() >> 11) / Double(UInt64(1) << 53)
  }

  @Test func `the export gives back the effect that was put in`() async throws {
    let world = try await StudyWorld()
    try await live(world)
    let end = StudyWorld.start.adding(milliseconds: Int64(Self.days + 1) * StudyWorld.day)
    try await world.close(at: end)
    let files = try await world.export(at: end.adding(milliseconds: 1))
    let rows = try #require(files["outcomes.csv"]).studyRows
    #expect(rows.count == Self.people)
    let covered = Dictionary(grouping: rows, by: { $0[1] }).mapValues { group in
      group.compactMap { Double($0[2]) }
    }
    let basic = try #require(covered["basic"])
    let escalating = try #require(covered["escalating"])
    #expect(abs(basic.count - escalating.count) <= 3)
    let (difference, half) = Self.difference(escalating, basic)
    #expect(abs(difference - 0.15) <= half, "\(difference) ± \(half)")
    #expect(difference > half, "\(difference) ± \(half)")
  }

  /// Returns the difference of two means, and half of its 95 % interval by the normal approximation.
  private static func difference(_ one: [Double], _ other: [Double]) -> (Double, Double) {
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    func variance(_ values: [Double]) -> Double {
      let middle = mean(values)
      return values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / Double(values.count - 1)
    }
    let error = variance(one) / Double(one.count) + variance(other) / Double(other.count)
    return (mean(one) - mean(other), 1.96 * error.squareRoot())
  }
}
