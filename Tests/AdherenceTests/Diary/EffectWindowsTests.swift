// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Scheduling
import Storage
import Testing

@testable import Diary
@testable import Records

/// The compared days, the changes of a plan, and the daily values of a measure.
@Suite struct EffectWindowsTests {
  private static func day(_ text: String) throws -> CivilDate {
    try #require(CivilDate(text: text))
  }

  private static func text(_ days: ClosedRange<CivilDate>?) -> String {
    days.map { "\($0.lowerBound.text)/\($0.upperBound.text)" } ?? "-"
  }

  // MARK: Windows

  @Test(
    arguments: [
      // Alone, with time after it.
      (["2026-03-01"], "2026-06-01", "2026-02-01/2026-02-28", "2026-03-09/2026-04-05"),
      // Today is the tenth day after the change, then the seventh.
      (["2026-03-01"], "2026-03-11", "2026-02-01/2026-02-28", "2026-03-09/2026-03-11"),
      (["2026-03-01"], "2026-03-08", "2026-02-01/2026-02-28", "-"),
      // Others shortly before and after it.
      (
        ["2026-03-01", "2026-02-10", "2026-03-20"], "2026-06-01", "2026-02-18/2026-02-28",
        "2026-03-09/2026-03-19"
      ),
      (["2026-03-01", "2026-02-25", "2026-03-05"], "2026-06-01", "-", "-"),
    ] as [([String], String, String, String)])
  func `days near a change and near others are left out`(
    changes: [String], today: String, before: String, after: String
  ) throws {
    let days = try changes.map(Self.day)
    let windows = EffectWindows(around: days[0], among: days, today: try Self.day(today))
    #expect(Self.text(windows.before) == before)
    #expect(Self.text(windows.after) == after)
  }

  @Test func `too few days say how many are missing`() throws {
    let change = try Self.day("2026-03-01")
    let windows = EffectWindows(
      around: change, among: [change], today: try Self.day("2026-06-01"))
    func values(_ before: Int, _ after: Int) -> [EffectDay] {
      (1...28).flatMap { offset -> [EffectDay] in
        [
          EffectDay(day: change.adding(days: -offset), value: offset <= before ? 1 : .nan),
          EffectDay(day: change.adding(days: 7 + offset), value: offset <= after ? 2 : .nan),
        ].filter { !$0.value.isNaN }
      }
    }
    #expect(windows.outcome(values(7, 12)) == .tooFew(before: 3, after: 0))
    #expect(windows.outcome([]) == .tooFew(before: 10, after: 10))
    guard case .compared(let estimate) = windows.outcome(values(10, 28)) else {
      Issue.record("not compared")
      return
    }
    #expect(estimate.daysBefore == 10 && estimate.daysAfter == 28 && estimate.difference == 1)
  }

  @Test func `the change's own day and the seven after it do not count`() throws {
    let change = try Self.day("2026-03-01")
    let windows = EffectWindows(
      around: change, among: [change], today: try Self.day("2026-06-01"))
    var values = (-28...35).map { EffectDay(day: change.adding(days: $0), value: 5) }
    for index in values.indices where (0...7).contains(index - 28) {
      values[index] = EffectDay(day: values[index].day, value: 1_000)
    }
    guard case .compared(let estimate) = windows.outcome(values) else {
      Issue.record("not compared")
      return
    }
    #expect(estimate.before == 5 && estimate.after == 5)
  }

  // MARK: Changes

  private static func request(
    _ status: String = "active", amount: String = "1", time: String = "08:00:00",
    text: String = "Testolol"
  ) -> JSONValue {
    [
      "resourceType": "MedicationRequest", "status": .string(status),
      "medicationCodeableConcept": ["text": .string(text)],
      "dosageInstruction": [
        [
          "timing": ["repeat": ["timeOfDay": [.string(time)]]],
          "doseAndRate": [["doseQuantity": ["value": .string(amount)]]],
        ]
      ],
    ]
  }

  @Test func `versions become changes`() throws {
    let versions: [(String, JSONValue?)] = [
      ("2026-03-01", Self.request("draft")), ("2026-03-01", Self.request()),
      ("2026-03-05", Self.request(amount: "2")), ("2026-03-06", Self.request(amount: "2")),
      ("2026-03-07", Self.request(amount: "2", time: "09:00:00")),
      ("2026-03-10", Self.request("on-hold", amount: "2", time: "09:00:00")),
      ("2026-03-12", Self.request(amount: "2", time: "09:00:00")),
      ("2026-03-13", Self.request("stopped", amount: "2", time: "09:00:00")),
      ("2026-03-14", nil),
    ]
    let changes = EffectChange.all(
      try versions.map { EffectChange.Version(day: try Self.day($0.0), request: $0.1) },
      firstDue: try Self.day("2026-03-02"))
    #expect(
      changes.map { "\($0.day.text) \($0.kind.rawValue)" } == [
        "2026-03-02 start", "2026-03-05 dose", "2026-03-07 schedule", "2026-03-10 pause",
        "2026-03-12 resume", "2026-03-13 stop",
      ])
    #expect(EffectChange.all([], firstDue: nil).isEmpty)
  }

  // MARK: Measures

  @Test(arguments: [
    "weight", "resting-heart-rate", "http://loinc.org|2339-0", "|own",
    "http://loinc.org|85354-9|http://loinc.org|8480-6",
  ])
  func `a key leads back to its measure`(key: String) {
    #expect(EffectMeasure(key: key)?.key == key)
  }

  @Test(arguments: ["", "nonsense", "a|", "a|b|c", "a|b|c|", "a|b|c|d|e"])
  func `other texts are no key`(key: String) {
    #expect(EffectMeasure(key: key) == nil)
  }

  @Test func `a day's values are averaged, and those in another unit left out`() throws {
    let measure = NamedMeasure(
      measure: .observation(ObservationCode(system: "urn:x", code: "y"), part: nil), name: "Y")
    let noon = try Self.day("2026-03-02").daysSinceEpoch * 86_400_000 + 43_200_000
    func number(_ hours: Int, _ value: Double, _ unit: String = "mg", isDate: Bool = false)
      -> ObservationNumber
    {
      ObservationNumber(
        at: Timestamp(milliseconds: Int64(noon + hours * 3_600_000)), isDate: isDate, value: value,
        unit: unit)
    }
    let series = EffectSeries(
      [
        number(-72, 1), number(-12, 90, isDate: true), number(0, 4), number(2, 6, "g"),
        number(6, 8),
      ], of: measure, from: try Self.day("2026-03-01"), to: try Self.day("2026-03-31"),
      zone: .utc)
    #expect(series.unit == "mg" && series.leftOut == 1)
    #expect(series.days == [EffectDay(day: try Self.day("2026-03-02"), value: 34)])
  }

  @Test func `the first measure is shown unless known ones are chosen`() throws {
    let all = ["a", "b", "c"].map { code in
      NamedMeasure(
        measure: .observation(ObservationCode(system: "s", code: code), part: nil), name: code)
    }
    func chosen(_ keys: String...) -> [String?] {
      EffectContent.chosen(keys, of: all).map(\.name)
    }
    #expect(chosen() == ["a"] && chosen("nonsense") == ["a"])
    #expect(chosen("s|b") == ["b"] && chosen("s|c", "s|c", "s|a", "s|b") == ["c", "a"])
    #expect(EffectContent.chosen(["s|a"], of: []).isEmpty)
  }

  @Test(arguments: zip(EffectRange.allCases, [28, 93, 53, 120]))
  func `a range has a bounded number of periods up to today`(range: EffectRange, count: Int) throws
  {
    let today = try Self.day("2026-11-26")
    let window = range.window(today: today)
    #expect(window.starts.count == count)
    #expect(window.first <= today && today <= window.last)
  }
}
