// SPDX-License-Identifier: Apache-2.0
import Adherence
import Dosing
import FHIR
import Identifiers
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

@Suite struct PlanRereadingTests {
  private static let request: JSONValue = [
    "resourceType": "MedicationRequest", "status": "active", "intent": "order",
    "subject": ["reference": "Patient/ann"],
    "medicationCodeableConcept": ["text": "Metoprolol"],
    "dosageInstruction": [
      ["timing": ["repeat": ["timeOfDay": ["08:00:00", "20:00:00"]]]]
    ],
  ]

  /// Creates a plan whose rows are as left by an earlier reader that could not read its Timing.
  private func unread(_ place: TestPlace, _ request: JSONValue = request) async throws -> Plan {
    let plan = try await place.receive(request)
    try await place.database.write { writer in
      try writer.execute("DELETE FROM doses WHERE plan = $1", [.text(plan.id)])
      try writer.execute("DELETE FROM plan_slots WHERE plan = $1", [.text(plan.id)])
      try writer.execute(
        "UPDATE plan_eras SET kind = 'none' WHERE plan = $1", [.text(plan.id)])
      try writer.execute(
        """
        UPDATE plans SET unplanned_reason = 'unsupported-timing:timeOfDay', kind = 'none',
          active_from = $1, minimum_gap = NULL WHERE plan = $2
        """, [.integer(.max), .text(plan.id)])
    }
    return plan
  }

  private func readAgain(_ place: TestPlace, limit: Int = 100) async throws -> Int {
    let (now, zones) = (place.now, place.zones)
    var progress = PlanRereading.Progress()
    while !progress.isDone {
      let from = progress
      progress = try await place.database.write { writer in
        try PlanRereading.readAgain(
          after: from, limit: limit, now: now, zones: zones, consequences: .all, in: writer)
      }
    }
    return progress.begun
  }

  private func isDue(_ place: TestPlace) async throws -> Bool {
    try await place.database.read { try PlanRereading.isDue(in: $0) }
  }

  private func plan(_ place: TestPlace, _ id: PlanID) async throws -> Plan {
    let found = try await place.database.read { reader in
      try PlanQueries.plan(id, patient: TestPlace.patient, in: reader)
    }
    return try #require(found)
  }

  @Test func `a plan that becomes readable rings from now on only`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let stored = try await unread(place)
    place.clock.set("2026-03-05T12:00:00+01:00")
    #expect(try await isDue(place))
    #expect(try await place.extendHorizon() == 0)
    #expect(try await readAgain(place) == 1)
    let plan = try await plan(place, stored.id)
    #expect(plan.unplanned == nil && plan.kind == .calendar && plan.era == 1)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-07T00:00:00+01:00")
    #expect(
      listing.lines == [
        "2026-03-05T20:00:00+01:00 scheduled", "2026-03-06T08:00:00+01:00 scheduled",
        "2026-03-06T20:00:00+01:00 scheduled",
      ])
    #expect(listing.unplanned.isEmpty)
  }

  @Test func `a rebuild reads plans again even after the start did`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    _ = try await readAgain(place)
    let stored = try await unread(place)
    let (now, zones) = (place.now, place.zones)
    let result = try await place.database.write {
      try ProjectionRebuild.perform(now: now, zones: zones, in: $0)
    }
    #expect(result.plansBegun == 1 && !result.isUnchanged)
    #expect(try await plan(place, stored.id).unplanned == nil)
    let again = try await place.database.write {
      try ProjectionRebuild.perform(now: now, zones: zones, in: $0)
    }
    #expect(again.isUnchanged, "\(again)")
  }

  @Test func `plans are read again once for each reader version`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    #expect(try await isDue(place))
    #expect(try await readAgain(place) == 0)
    #expect(try await !isDue(place))
    _ = try await unread(place)
    #expect(try await !isDue(place))
  }

  @Test func `small batches reach every plan, and a second walk changes nothing`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    for _ in 0..<5 { _ = try await unread(place) }
    #expect(try await readAgain(place, limit: 2) == 5)
    let before = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-04T00:00:00+01:00")
    #expect(before.doses.count == 30)
    #expect(try await readAgain(place, limit: 2) == 0)
    let after = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-04T00:00:00+01:00")
    #expect(after.doses == before.doses)
  }

  @Test func `a plan that can't ring stays quiet with its current reason`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    var changes: [(String, JSONValue, String)] = [
      ("intent", "proposal", "intent:proposal"), ("doNotPerform", true, "do-not-perform"),
    ]
    changes.append(("dosageInstruction", [["text": "one daily"]], "text-only"))
    var expected: [PlanID: String] = [:]
    for (key, value, reason) in changes {
      var request = Self.request
      request[key] = value
      expected[try await unread(place, request).id] = reason
    }
    var held = Self.request
    held["status"] = "on-hold"
    let paused = try await place.receive(held)
    #expect(try await readAgain(place) == 0)
    for (id, reason) in expected {
      #expect(try await plan(place, id).unplanned?.code == reason)
    }
    #expect(try await plan(place, paused.id).unplanned == .status("on-hold"))
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-07T00:00:00+01:00")
    #expect(listing.doses.isEmpty)
  }

  @Test func `a plan that rang before resumes without the doses in between`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let stored = try await place.receive(Self.request)
    place.clock.set("2026-03-02T12:00:00+01:00")
    let now = place.now
    try await place.extendHorizon()
    try await place.database.write { writer in
      try writer.execute(
        "UPDATE doses SET state = 'cancelled', state_reason = 'unplanned' WHERE due > $1",
        [.integer(now.milliseconds)])
      try writer.execute(
        """
        UPDATE plans SET unplanned_reason = 'unsupported-timing:timeOfDay', kind = 'none',
          planned_through = $1 WHERE plan = $2
        """, [.integer(now.milliseconds), .text(stored.id)])
    }
    place.clock.set("2026-03-06T12:00:00+01:00")
    #expect(try await readAgain(place) == 1)
    let listing = try await place.listing(
      from: "2026-03-03T12:00:00+01:00", until: "2026-03-07T12:00:00+01:00")
    #expect(
      listing.lines.filter { !$0.hasSuffix("cancelled") } == [
        "2026-03-06T20:00:00+01:00 scheduled", "2026-03-07T08:00:00+01:00 scheduled",
      ])
  }
}
