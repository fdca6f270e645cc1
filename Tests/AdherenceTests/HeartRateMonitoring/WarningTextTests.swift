// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Localization
import Scheduling
import Storage
import Testing
import TestSupport

@testable import HeartRate

/// The explanation of a question, in words and as it is stored.
@Suite struct WarningTextTests {
  private static func warning(
    _ finding: HeartRateFinding, method: HeartRateMethod = .model,
    patient: PatientID = TestPlace.patient
  ) -> Warning {
    Warning(
      patient: patient, id: WarningID("w"), kind: .heart, day: CivilDate(daysSinceEpoch: 20_000),
      created: Timestamp(milliseconds: 1_728_000_000_000), method: method, isMonitored: true,
      finding: finding, answer: nil, answered: nil, answeredBy: nil, done: nil, doneAt: nil)
  }

  private static let raised = HeartRateFinding(
    heartRate: 68.4, usual: 61.2, dosesInDoubt: 2, stepsShare: 1.1, illness: 0.05,
    probability: 0.62, daysRaised: 2)

  @Test func `The explanation names beats, days and the missing sign of illness`() {
    let text = WarningText(localizer: .of(.en))
    #expect(
      text.seen(Self.warning(Self.raised))
        == "Today your resting heart rate was 68 beats a minute. That’s 7 beats above your usual "
        + "for 2 days in a row, with no sign of illness.")
    var first = Self.raised
    first.daysRaised = 1
    first.usual = 67.2
    // Nothing is said about an illness without counted steps, or if one is not unlikely.
    first.stepsShare = nil
    let plain =
      "Today your resting heart rate was 68 beats a minute. That’s 1 beat above your usual."
    #expect(text.seen(Self.warning(first)) == plain)
    first.stepsShare = 1
    first.illness = 0.5
    #expect(text.seen(Self.warning(first)) == plain)
    first.illness = 0.1
    first.stepsShare = 0.4
    #expect(text.seen(Self.warning(first)) == plain)
  }

  @Test func `A value that isn't above the usual one is named without a difference`() {
    let text = WarningText(localizer: .of(.en))
    let same = HeartRateFinding(heartRate: 60.2, usual: 60.4, probability: 0.3, daysRaised: 3)
    #expect(
      text.seen(Self.warning(same))
        == "Today your resting heart rate was 60 beats a minute. Your usual is 60 beats a minute.")
    #expect(Self.warning(HeartRateFinding(heartRate: 60)).beatsAboveUsual == nil)
  }

  @Test func `A limit says for how many days it has been exceeded`() {
    let text = WarningText(localizer: .of(.en))
    var over = HeartRateFinding(heartRate: 74, usual: 60, boundary: 67, daysRaised: 1)
    #expect(!text.seen(Self.warning(over, method: .dynamic)).contains("in a row"))
    over.daysRaised = 3
    #expect(text.seen(Self.warning(over, method: .dynamic)).hasSuffix("for 3 days in a row."))
    #expect(text.probability(Self.warning(over, method: .dynamic)) == nil)
  }

  @Test(arguments: Language.allCases)
  func `Every language names the numbers, and only professionals get the probability`(
    language: Language
  ) throws {
    let text = WarningText(localizer: .of(language))
    let warning = Self.warning(Self.raised)
    let seen = text.seen(warning)
    #expect(seen.contains("68") && seen.contains("7") && seen.contains("2"))
    #expect(!seen.contains("62") && !text.mayBe(warning).contains("62"))
    let probability = try #require(text.probability(warning))
    #expect(probability.contains("62"))
    #expect(probability.contains("\(QuestionReliability.band(of: 0.62).real)"))
    #expect(!(seen + probability).contains("{"))
  }

  @Test func `The reasons of a question are stored and read again`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    var finding = Self.raised
    finding.isUnmoved = true
    let asked = Self.warning(finding)
    let found = try await place.database.write { writer in
      #expect(try WarningStore.add(asked, in: writer))
      return try WarningStore.one(asked.id, in: writer)
    }
    #expect(found?.finding == finding)
    #expect(found?.hasNoSignOfIllness == true && found?.beatsAboveUsual == 7)
  }

  @Test func `Reliability has a band for every probability and rises with it`() {
    for percent in stride(from: -5.0, through: 105, by: 2.5) {
      let band = QuestionReliability.band(of: percent / 100)
      #expect((0...100).contains(band.real))
    }
    let bands = QuestionReliability.bands
    #expect(bands.first?.from == 0 && bands.last?.to == 100)
    for (lower, upper) in zip(bands, bands.dropFirst()) {
      #expect(lower.to == upper.from && lower.real <= upper.real)
    }
  }
}
