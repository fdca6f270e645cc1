// SPDX-License-Identifier: Apache-2.0
import Dosing
import FHIR
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

/// Dosages that follow one another (timing rules 30 to 32).
struct DosageSequenceTests {
  private static func request(_ dosages: [String]) throws -> JSONValue {
    var request = medicationRequest(timing: nil)
    request["dosageInstruction"] = .array(
      try dosages.map { try JSONValue(parsing: Array($0.utf8)) })
    return request
  }

  private static func step(
    _ sequence: Int?, _ timing: String, dose: Int = 1, extra: String = ""
  ) -> String {
    let number = sequence.map { #""sequence":\#($0),"# } ?? ""
    return
      #"{\#(number)\#(extra)"timing":{"repeat":{\#(timing)}},"doseAndRate":[{"doseQuantity":{"value":\#(dose),"unit":"tablet"}}]}"#
  }

  private static let days = #""boundsDuration":{"value":2,"code":"d"}"#

  @Test func `a taper steps down day by day in any written order`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.receive(
      Self.request([
        Self.step(3, #""timeOfDay":["08:00:00"]"#, dose: 1),
        Self.step(1, #""timeOfDay":["08:00:00"],\#(Self.days)"#, dose: 3),
        Self.step(2, #""timeOfDay":["08:00:00","20:00:00"],\#(Self.days)"#, dose: 2),
      ]))
    #expect(plan.unplanned == nil)
    #expect(plan.minimumGapMilliseconds == Int64(21_600_000))
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-07T00:00:00+01:00")
    #expect(
      listing.doses.map { "\($0.due.milliseconds) \($0.amount?.value ?? "")" }
        == [
          ("2026-03-01T08:00:00+01:00", 3), ("2026-03-02T08:00:00+01:00", 3),
          ("2026-03-03T08:00:00+01:00", 2), ("2026-03-03T20:00:00+01:00", 2),
          ("2026-03-04T08:00:00+01:00", 2), ("2026-03-04T20:00:00+01:00", 2),
          ("2026-03-05T08:00:00+01:00", 1), ("2026-03-06T08:00:00+01:00", 1),
        ].map { "\(Timestamp($0.0).milliseconds) \($0.1)" })
    #expect(Set(listing.doses.map(\.id)).count == 8)
  }

  @Test func `an interval after another interval continues its count`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.receive(
      Self.request([
        Self.step(
          1,
          #""period":6,"periodUnit":"h","boundsPeriod":{"start":"2026-03-02","end":"2026-03-02"}"#
        ),
        Self.step(2, #""period":8,"periodUnit":"h","boundsDuration":{"value":1,"code":"d"}"#),
      ]))
    #expect(plan.unplanned == nil)
    let listing = try await place.listing(
      from: "2026-03-02T00:00:00+01:00", until: "2026-03-05T00:00:00+01:00")
    #expect(
      listing.lines.map { String($0.prefix(16)) } == [
        "2026-03-02T00:00", "2026-03-02T06:00", "2026-03-02T12:00", "2026-03-02T18:00",
        "2026-03-03T00:00", "2026-03-03T08:00", "2026-03-03T16:00",
      ])
    let ids = listing.doses.map(\.id)
    #expect(Set(ids).count == 7)
    // Each is found again by its identity alone.
    for dose in listing.doses {
      let (zones, now) = (place.zones, place.now)
      let found = try await place.database.read { reader in
        try DoseQueries.known(
          dose.id, patient: TestPlace.patient, now: now, zones: zones, in: reader)
      }
      #expect(found?.due == dose.due)
    }
  }

  @Test func `a step with its own start waits for the earlier steps`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.receive(
      Self.request([
        Self.step(
          1, #""timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2026-03-01","end":"2026-03-03"}"#),
        Self.step(
          2,
          #""timeOfDay":["20:00:00"],"period":2,"periodUnit":"d","boundsPeriod":{"start":"2026-03-02"}"#
        ),
      ]))
    #expect(plan.unplanned == nil)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-08T00:00:00+01:00")
    #expect(
      listing.lines.map { String($0.prefix(16)) } == [
        "2026-03-01T08:00", "2026-03-02T08:00", "2026-03-03T08:00", "2026-03-04T20:00",
        "2026-03-06T20:00",
      ])
  }

  @Test func `equal numbers run together, and all must end before the next`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    try await place.receive(
      Self.request([
        Self.step(1, #""timeOfDay":["08:00:00"],"boundsDuration":{"value":1,"code":"d"}"#),
        Self.step(1, #""timeOfDay":["20:00:00"],\#(Self.days)"#),
        Self.step(2, #""timeOfDay":["12:00:00"]"#),
      ]))
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-05T00:00:00+01:00")
    #expect(
      listing.lines.map { String($0.prefix(16)) } == [
        "2026-03-01T08:00", "2026-03-01T20:00", "2026-03-02T20:00", "2026-03-03T12:00",
        "2026-03-04T12:00",
      ])
  }

  @Test(
    arguments: [
      // One without an end before another.
      ([step(1, #""timeOfDay":["08:00:00"]"#), step(2, #""timeOfDay":["08:00:00"]"#)], "sequence"),
      (
        [
          step(1, #""timeOfDay":["08:00:00"]"#, extra: #""asNeededBoolean":true,"#),
          step(2, #""timeOfDay":["08:00:00"]"#),
        ], "sequence"
      ),
      // One with an error leaves all unplanned.
      (
        [step(1, #""timeOfDay":["08:00:00"],\#(days)"#), step(2, #""timeOfDay":["8:00"]"#)],
        "invalid-timing:timeOfDay"
      ),
      (
        [step(1, #""timeOfDay":["08:00:00"],\#(days)"#), #"{"sequence":2,"text":"then as told"}"#],
        "text-only"
      ),
      // Two that count hours at the same time.
      (
        [step(1, #""period":8,"periodUnit":"h""#), step(1, #""period":6,"periodUnit":"h""#)],
        "several-intervals"
      ),
      // All as needed.
      (
        [
          step(1, #""timeOfDay":["08:00:00"]"#, extra: #""asNeededBoolean":true,"#),
          step(2, #""period":4,"periodUnit":"h""#, extra: #""asNeededBoolean":true,"#),
        ], "as-needed"
      ),
      // A step that ends before the previous ones.
      (
        [
          step(1, #""timeOfDay":["08:00:00"],\#(days)"#),
          step(
            2, #""timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2020-01-01","end":"2020-01-02"}"#
          ),
        ], "never-fires"
      ),
    ] as [([String], String)])
  func `a step that can't follow leaves the whole request unplanned`(
    dosages: [String], code: String
  ) async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    do {
      let plan = try await place.receive(Self.request(dosages))
      #expect(plan.unplanned?.code == code)
    } catch PlanError.invalidResource {
      #expect(code == "never-fires" || code.hasPrefix("invalid-timing"))
    }
  }

  @Test func `as-needed dosages coexist with those that ring`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.receive(
      Self.request([
        Self.step(nil, #""timeOfDay":["08:00:00"]"#),
        Self.step(nil, #""period":4,"periodUnit":"h""#, extra: #""asNeededBoolean":true,"#),
      ]))
    #expect(plan.unplanned == nil)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    #expect(listing.doses.count == 1)
  }

  @Test func `a number of doses ends a step, unless meals can move it`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.receive(
      Self.request([
        Self.step(1, #""timeOfDay":["08:00:00","20:00:00"],"count":3"#, dose: 2),
        Self.step(2, #""timeOfDay":["09:00:00"]"#),
      ]))
    #expect(plan.unplanned == nil)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-05T00:00:00+01:00")
    #expect(
      listing.lines.map { String($0.prefix(16)) } == [
        "2026-03-01T08:00", "2026-03-01T20:00", "2026-03-02T08:00", "2026-03-02T09:00",
        "2026-03-03T09:00", "2026-03-04T09:00",
      ])
    let meals = try await place.receive(
      Self.request([
        Self.step(1, #""when":["CM"],"count":3"#), Self.step(2, #""timeOfDay":["09:00:00"]"#),
      ]))
    #expect(meals.unplanned == .sequence)
  }
}
