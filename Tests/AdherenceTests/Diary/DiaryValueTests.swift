// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Diary

/// Values of the diary: their units, their limits, and their form as Observations.
@Suite struct DiaryValueTests {
  private static let now = Timestamp(milliseconds: 1_772_000_000_000)

  private static let examples: [(tracker: Tracker, value: DiaryValue)] = [
    (Tracker(.mood), .score(7)),
    (Tracker(.pain), .score(0)),
    (Tracker(.sleep), .measurement(decimal("7.5"), .hours)),
    (Tracker(.symptom), .graded("Dizzy \"on\" stairs", strength: 4)),
    (Tracker(.sideEffect), .graded("Übelkeit", strength: 10)),
    (Tracker(.note), .text("Slept late.\nFelt better.")),
    (Tracker(.bloodPressure), .pressure(systolic: 128, diastolic: 79)),
    (Tracker(.glucose), .measurement(decimal("5.6"), .millimolesPerLitre)),
    (Tracker(.glucose), .measurement(101, .milligramsPerDecilitre)),
    (Tracker(.weight), .measurement(decimal("165.3"), .pounds)),
    (Tracker(.temperature), .measurement(decimal("98.6"), .fahrenheit)),
    (Tracker(.oxygen), .measurement(97, .percent)),
    (Tracker(.peakFlow), .measurement(430, .litresPerMinute)),
    (Tracker(.inr), .measurement(decimal("2.4"), .ratio)),
    (Tracker(.pulse), .measurement(68, .beats)),
    (own(.score), .score(3)),
    (own(.yesNo), .answer(false)),
    (own(.number), .number(-2, unit: "glasses")),
    (own(.text), .text("Nothing new")),
  ]

  private static func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

  private static func own(_ scale: OwnScale) -> Tracker {
    Tracker(own: "t1", name: "Water", scale: scale, unit: scale == .number ? "glasses" : "")
  }

  @Test func `every value is a valid Observation and is read back`() throws {
    for (tracker, value) in Self.examples {
      let draft = DiaryDraft(value, at: Self.now, note: "After lunch", reason: "Measured twice")
      try DiaryCheck.check(draft, for: tracker, now: Self.now)
      let entry = DiaryEntry(id: "e1", tracker: tracker.id, draft: draft, offsetMinutes: 60)
      let resource = DiaryObservation.resource(entry, tracker, of: "ann", source: "By hand")
      let issues = ResourceValidator.issues(in: resource, expecting: .observation)
      #expect(!issues.contains { $0.severity == .error }, "\(tracker.id): \(issues)")
      #expect(DiaryObservation.tracker(of: resource) == tracker.id)
      #expect(DiaryObservation.entry(resource, id: "e1", tracker) == entry, "\(tracker.id)")
    }
  }

  @Test func `codes and units are the ones of LOINC and UCUM`() throws {
    func resource(_ standard: StandardTracker, _ value: DiaryValue) -> JSONValue {
      DiaryObservation.resource(
        DiaryEntry(
          id: "e", tracker: standard.id, draft: DiaryDraft(value, at: Self.now), offsetMinutes: 0),
        Tracker(standard), of: "ann", source: "By hand")
    }
    let sugar = resource(.glucose, .measurement(101, .milligramsPerDecilitre))
    #expect(sugar["code"]?["coding"]?[0]?["code"]?.string == "2339-0")
    #expect(sugar["valueQuantity"]?["code"]?.string == "mg/dL")
    #expect(sugar["valueQuantity"]?["value"]?.number?.text == "101")
    let pressure = resource(.bloodPressure, .pressure(systolic: 128, diastolic: 79))
    #expect(pressure["code"]?["coding"]?[0]?["code"]?.string == "85354-9")
    #expect(pressure["component"]?[1]?["code"]?["coding"]?[0]?["code"]?.string == "8462-4")
    #expect(pressure["component"]?[1]?["valueQuantity"]?["code"]?.string == "mm[Hg]")
    #expect(pressure["category"]?[0]?["coding"]?[0]?["code"]?.string == "vital-signs")
    #expect(resource(.mood, .score(3))["category"]?[0]?["coding"]?[0]?["code"]?.string == "survey")
  }

  @Test func `an Observation of another kind is no entry`() throws {
    let tracker = Tracker(.pain)
    let entry = DiaryEntry(
      id: "e", tracker: tracker.id, draft: DiaryDraft(.score(3), at: Self.now), offsetMinutes: 0)
    var resource = DiaryObservation.resource(entry, tracker, of: "ann", source: "")
    resource["status"] = "entered-in-error"
    #expect(DiaryObservation.entry(resource, id: "e", tracker) == nil)
    resource["status"] = "final"
    #expect(DiaryObservation.entry(resource, id: "e", Tracker(.note)) == nil)
    resource["effectiveDateTime"] = nil
    #expect(DiaryObservation.entry(resource, id: "e", tracker) == nil)
    #expect(DiaryObservation.tracker(of: ["resourceType": "Observation"]) == nil)
  }

  @Test func `the limits of a number in each unit are those of its verdict`() throws {
    let temperature = try #require(StandardTracker.temperature.range)
    #expect(temperature.limits() == temperature.limits(in: .celsius))
    #expect(
      temperature.limits(in: .fahrenheit) == ["77", "93.2", "106.7", "113"].map(Self.decimal))
    let glucose = try #require(StandardTracker.glucose.range)
    #expect(
      glucose.limits(in: .milligramsPerDecilitre)
        == ["9.0078", "45.039", "450.39", "1080.936"].map(Self.decimal))
    #expect(glucose.verdict(on: DiaryUnit.milligramsPerDecilitre.canonical(45)) == .unlikely)
    #expect(glucose.verdict(on: DiaryUnit.milligramsPerDecilitre.canonical(46)) == .likely)
    let weight = try #require(StandardTracker.weight.range)
    #expect(weight.limits(in: .pounds)[1] == Self.decimal("4.4092"))
    #expect(PlausibleRange.systolic.limits() == [40, 70, 220, 300])
  }

  @Test func `units are converted`() {
    #expect(DiaryUnit.fahrenheit.canonical(Self.decimal("98.6")) == 37)
    #expect(DiaryUnit.fahrenheit.converted(37) == Self.decimal("98.6"))
    #expect(DiaryUnit.pounds.canonical(10) == Self.decimal("4.5359237"))
    #expect(DiaryUnit.milligramsPerDecilitre.converted(Self.decimal("5.5")) == Self.decimal("99.1"))
    let sugar = DiaryUnit.milligramsPerDecilitre.canonical(100)
    #expect(DiaryUnit.rounded(sugar, decimals: 2) == Self.decimal("5.55"))
    for unit in DiaryUnit.allCases { #expect(DiaryUnit.of(code: unit.code) == unit) }
  }

  private func check(
    _ standard: StandardTracker, _ value: DiaryValue, reason: String = "", later: Int64 = 0
  ) throws {
    try DiaryCheck.check(
      DiaryDraft(value, at: Self.now.adding(milliseconds: later), reason: reason),
      for: Tracker(standard), now: Self.now)
  }

  @Test func `an unusual value needs a reason, an impossible one is refused`() throws {
    let unusual: [(StandardTracker, DiaryValue)] = [
      (.temperature, .measurement(42, .celsius)),
      (.temperature, .measurement(107, .fahrenheit)),
      (.glucose, .measurement(30, .millimolesPerLitre)),
      (.oxygen, .measurement(70, .percent)),
      (.pulse, .measurement(30, .beats)),
      (.bloodPressure, .pressure(systolic: 240, diastolic: 100)),
      (.bloodPressure, .pressure(systolic: 150, diastolic: 140)),
    ]
    for (tracker, value) in unusual {
      #expect(throws: DiaryError.unlikely, "\(value)") { try check(tracker, value) }
      try check(tracker, value, reason: "Measured twice")
    }
    let impossible: [(StandardTracker, DiaryValue)] = [
      (.temperature, .measurement(Self.decimal("98.6"), .celsius)),
      (.glucose, .measurement(101, .millimolesPerLitre)),
      (.oxygen, .measurement(101, .percent)),
      (.sleep, .measurement(25, .hours)),
      (.weight, .measurement(0, .kilograms)),
      (.pain, .score(11)),
      (.mood, .score(-1)),
      (.symptom, .graded("Dizzy", strength: 11)),
      (.bloodPressure, .pressure(systolic: 1280, diastolic: 79)),
    ]
    for (tracker, value) in impossible {
      #expect(throws: DiaryError.impossible, "\(value)") {
        try check(tracker, value, reason: "Sure")
      }
    }
  }

  @Test func `other mistakes`() {
    #expect(throws: DiaryError.pressureOrder) {
      try check(.bloodPressure, .pressure(systolic: 80, diastolic: 120))
    }
    #expect(throws: DiaryError.value) { try check(.pain, .text("much")) }
    #expect(throws: DiaryError.value) { try check(.weight, .measurement(7, .hours)) }
    #expect(throws: DiaryError.valueMissing) { try check(.note, .text("")) }
    #expect(throws: DiaryError.textTooLong) {
      try check(.note, .text(String(repeating: "a", count: 2_001)))
    }
    #expect(throws: DiaryError.future) { try check(.pain, .score(1), later: 600_000) }
    #expect(throws: DiaryError.day) { try check(.pain, .score(1), later: -5_000_000_000_000) }
  }

  @Test func `every standard tracker takes one kind of answer`() {
    for standard in StandardTracker.allCases {
      let tracker = Tracker(standard)
      #expect(Self.examples.contains { $0.tracker.id == tracker.id }, "\(standard)")
      let isMeasured = !tracker.units.isEmpty
      #expect((standard.range != nil) == isMeasured, "\(standard)")
    }
  }
}
