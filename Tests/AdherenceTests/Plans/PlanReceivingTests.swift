// SPDX-License-Identifier: Apache-2.0
import Access
import Dosing
import FHIR
import Identifiers
import Plans
import Storage
import Testing
import TestSupport

struct PlanReceivingTests {
  private let times: JSONValue = ["repeat": ["timeOfDay": ["08:00:00"]]]

  private func issues(_ place: TestPlace, _ resource: JSONValue, id: String? = nil) async
    -> [FHIRIssue]
  {
    do {
      try await place.receive(resource, id: id.map(PlanID.init))
      return []
    } catch PlanError.invalidResource(let issues) {
      return issues
    } catch {
      Issue.record("\(error)")
      return []
    }
  }

  @Test func `instants within seconds ring to the millisecond`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00Z")
    let timing: JSONValue = [
      "event": [
        "2026-03-01T06:00:02.250Z", "2026-03-01T07:00:01+01:00", "2026-03-01T05:59:59Z",
        "2026-03-02",
      ]
    ]
    let plan = try await place.receive(medicationRequest(timing: timing))
    #expect(plan.kind == .instants && plan.minimumGapMilliseconds == nil)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00Z", until: "2026-03-04T00:00:00Z")
    #expect(
      listing.lines == [
        "2026-03-01T07:00:01+01:00 scheduled", "2026-03-01T07:00:02.250+01:00 scheduled",
        "2026-03-02T08:00:00+01:00 scheduled",
      ])
    #expect(listing.doses[1].id.text == "\(plan.id)_1_e1772344802250")
    place.clock.advance(milliseconds: 2_250)
    #expect(
      try await place.listing(from: "2026-03-01T00:00:00Z", until: "2026-03-01T12:00:00Z")
        .doses.map(\.state) == [.due, .due])
  }

  @Test func `an instant and a pattern at the same time are one dose`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let timing: JSONValue = [
      "event": ["2026-03-01T08:00:00+01:00", "2026-03-01T09:00:00+01:00"],
      "repeat": ["timeOfDay": ["08:00:00"]],
    ]
    try await place.receive(medicationRequest(timing: timing))
    let day = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    #expect(
      day.lines == [
        "2026-03-01T08:00:00+01:00 scheduled", "2026-03-01T09:00:00+01:00 scheduled",
      ])
  }

  @Test func `a put creates under the client's id, then changes with a version check`()
    async throws
  {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.receive(medicationRequest(timing: times), id: "my-plan")
    #expect(plan.id == "my-plan" && plan.version == 1)
    let later: JSONValue = ["repeat": ["timeOfDay": ["09:00:00"]]]
    let changed = try await place.receive(
      medicationRequest(timing: later), id: "my-plan", ifVersion: 1)
    #expect(changed.version == 2 && changed.slots.map(\.id) == [1])
    do {
      try await place.receive(medicationRequest(timing: times), id: "my-plan", ifVersion: 1)
      Issue.record("A stale version was taken.")
    } catch PlanError.versionConflict(let current) {
      #expect(current == 2)
    }
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    #expect(listing.lines == ["2026-03-01T09:00:00+01:00 scheduled"])
  }

  @Test func `a valid but unsupported timing is stored and quoted`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let timing: JSONValue = [
      "repeat": ["frequency": 1, "period": 1, "periodMax": 2, "periodUnit": "d"]
    ]
    let plan = try await place.receive(
      medicationRequest(timing: timing, dosage: ["text": "every day or two"]))
    #expect(plan.unplanned == .unsupportedTiming(element: "periodMax"))
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-10T00:00:00+01:00")
    #expect(listing.doses.isEmpty)
    #expect(
      listing.unplanned == [
        UnplannedPlan(
          plan: plan.id, medicineName: "Bisoprolol",
          reason: .unsupportedTiming(element: "periodMax"), quotedText: "every day or two")
      ])
    // Entering times makes it ring from then on.
    let entered = try await place.edit(plan.id, .tablet(["10:00"]))
    #expect(entered.unplanned == nil && entered.era == 1)
    #expect(
      try await place.listing(
        from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00"
      ).lines == ["2026-03-01T10:00:00+01:00 scheduled"])
  }

  @Test func `a PUT that stops or reactivates a plan acts at once`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    try await place.receive(medicationRequest(timing: times), id: "p")
    place.clock.set("2026-03-01T07:59:59+01:00")
    try await place.receive(medicationRequest(timing: times, status: "on-hold"), id: "p")
    let held = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    #expect(held.lines == ["2026-03-01T08:00:00+01:00 cancelled"])
    #expect(held.unplanned.map(\.reason) == [.status("on-hold")])
    place.clock.set("2026-03-02T06:00:00+01:00")
    try await place.receive(medicationRequest(timing: times), id: "p")
    let revived = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-04T00:00:00+01:00")
    #expect(
      revived.lines == [
        "2026-03-01T08:00:00+01:00 cancelled", "2026-03-02T08:00:00+01:00 scheduled",
        "2026-03-03T08:00:00+01:00 scheduled",
      ])
    #expect(revived.unplanned.isEmpty)
    try await place.receive(
      medicationRequest(timing: times, status: "entered-in-error"), id: "p")
    let ended = try await place.listing(
      from: "2026-03-02T00:00:00+01:00", until: "2026-03-09T00:00:00+01:00")
    #expect(ended.doses.allSatisfy { $0.state == .cancelled } && ended.unplanned.isEmpty)
  }

  @Test func `a draft that becomes active counts from that day`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let timing: JSONValue = ["repeat": ["period": 2, "periodUnit": "d"]]
    try await place.receive(medicationRequest(timing: timing, status: "draft"), id: "p")
    place.clock.set("2026-03-04T09:00:00+01:00")
    try await place.receive(medicationRequest(timing: timing), id: "p")
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-10T00:00:00+01:00")
    #expect(
      listing.lines == [
        "2026-03-06T08:00:00+01:00 scheduled", "2026-03-08T08:00:00+01:00 scheduled",
      ])
  }

  @Test func `errors are refused with their location`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let offset: JSONValue = ["repeat": ["period": 1]]
    #expect(await issues(place, medicationRequest(timing: offset)).isEmpty == false)
    let zero = medicationRequest(
      timing: times, dosage: ["doseAndRate": [["doseQuantity": ["value": 0]]]])
    #expect(
      await issues(place, zero).map(\.expression) == [
        "MedicationRequest.dosageInstruction[0].doseAndRate.doseQuantity.value"
      ])
    let never: JSONValue = [
      "repeat": [
        "timeOfDay": ["08:00:00"], "dayOfWeek": ["mon"],
        "boundsPeriod": ["start": "2026-03-03", "end": "2026-03-07"],
      ]
    ]
    #expect(await issues(place, medicationRequest(timing: never)).map(\.code) == [.businessRule])
    var other = medicationRequest(timing: times)
    other["id"] = "other"
    #expect(
      await issues(place, other, id: "p").map(\.expression) == ["MedicationRequest.id"])
    let all = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-10T00:00:00+01:00")
    #expect(all.doses.isEmpty && all.unplanned.isEmpty)
  }

  @Test(arguments: ["bob", "nobody"])
  func `a subject other than the patient is refused`(patient: PatientID) async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    try await place.addPatient("bob", zone: "Europe/Oslo")
    do {
      try await place.receive(medicationRequest(timing: times, patient: patient))
      Issue.record("A foreign subject was taken.")
    } catch PlanError.foreignSubject {
    }
  }

  @Test func `a plan can't move to another patient`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    try await place.addPatient("bob", zone: "Europe/Oslo")
    try await place.receive(medicationRequest(timing: times), id: "p")
    let both = place.context(patients: [TestPlace.patient, "bob"])
    let request = medicationRequest(timing: times, patient: "bob")
    do {
      try await place.database.write { writer in
        _ = try PlanCommands.receive(
          request, id: "p", ifVersion: nil, context: both, in: writer)
      }
      Issue.record("The subject was changed.")
    } catch PlanError.invalidResource(let issues) {
      #expect(issues.map(\.expression) == ["MedicationRequest.subject"])
    }
    let bob = place.context(patients: ["bob"])
    do {
      try await place.database.write { writer in
        _ = try PlanCommands.receive(
          request, id: "p", ifVersion: nil, context: bob, in: writer)
      }
      Issue.record("A foreign id was taken.")
    } catch PlanError.notFound {
    }
  }
}
