// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import Plans
import Reminders
import Storage
import Testing
import TestSupport

@testable import Diary

/// The site of a dose, and the removal of a patch.
@Suite struct SiteTests {
  /// A place with a patch that is worn for three days.
  private struct World {
    let place: TestPlace
    let plan: PlanID

    init(_ choice: SiteChoice? = SiteChoice(isOn: true, kind: .patch, wearMinutes: 4_320))
      async throws
    {
      place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
      let draft = PlanDraft.tablet(["08:00"], name: "Rotigotine").with(.asNeeded(reason: nil))
      plan = try await place.add(draft).id
      let (context, plan) = (place.context, plan)
      guard let choice else { return }
      try await place.database.write { writer in
        try SiteCommands.choose(
          choice, ofPlan: plan, patient: TestPlace.patient, context: context, in: writer)
      }
    }

    func stick() async throws -> AdministrationID {
      let (context, plan) = (place.context, plan)
      return try await place.database.write { writer in
        try IntakeCommands.record(
          AdministrationRequest(
            patient: TestPlace.patient, medicine: plan.text, at: context.now, confirm: true),
          context: context, in: writer
        ).id
      }
    }

    func record(
      _ site: BodySite, _ reactions: [SiteReaction] = [], of dose: AdministrationID
    ) async throws {
      let context = place.context
      try await place.database.write { writer in
        try SiteCommands.record(
          site, reactions, of: dose, patient: TestPlace.patient, context: context, in: writer)
      }
    }

    func remove(_ dose: AdministrationID, at time: Timestamp? = nil) async throws {
      let context = place.context
      try await place.database.write { writer in
        try SiteCommands.remove(
          dose, at: time, patient: TestPlace.patient, context: context, in: writer)
      }
    }

    func use(_ dose: AdministrationID) async throws -> SiteUse? {
      try await place.database.read { reader in
        try SiteQueries.use(dose, patient: TestPlace.patient, in: reader)
      }
    }

    func open() async throws -> [AdministrationID] {
      let now = place.now
      return try await place.database.read { reader in
        try SiteQueries.open(patient: TestPlace.patient, at: now, in: reader)
          .map(\.use.administration)
      }
    }

    func alert() async throws -> Alert? {
      let now = place.now
      return try await place.database.read { reader in
        try AlertQueries.ending(after: now, patient: TestPlace.patient, in: reader)
          .first { DiaryAlert(of: $0.id) == .removal }
      }
    }

    func administration(_ dose: AdministrationID) async throws -> JSONValue {
      let body: String? = try await place.database.read { reader in
        try reader.first(
          "SELECT body FROM resources WHERE type = 'MedicationAdministration' AND id = $1",
          [.text(dose)])?.value()
      }
      return try JSONValue(parsing: Array((body ?? "").utf8))
    }
  }

  @Test func `a patch is asked about, placed, and rings until it is off`() async throws {
    let world = try await World()
    let dose = try await world.stick()
    #expect(try await world.open() == [dose])
    try await world.record(.armLeft, [.redness, .itching], of: dose)
    #expect(try await world.open() == [])
    let json = try await world.administration(dose)
    #expect(json["dosage"]?["site"]?["coding"]?[0]?["code"]?.string == "arm-left")
    let issues = ResourceValidator.issues(in: json, expecting: .medicationAdministration)
    #expect(issues.filter { $0.severity == .error }.isEmpty, "\(issues)")
    #expect(try await world.use(dose)?.reactions == [.redness, .itching])
    let alert = try #require(try await world.alert())
    #expect(alert.kind == .alarm && alert.due == Timestamp("2026-03-04T06:00:00+01:00"))
    #expect(DiaryAlert.administration(of: alert.id) == dose)
    world.place.clock.advance(hours: 75)
    #expect(try await world.open() == [dose])
    try await world.remove(dose)
    #expect(try await world.open() == [])
    #expect(try await world.alert()?.state == .cancelled)
    #expect(try await world.use(dose)?.removal == .late(minutes: 180))
    await #expect(throws: SiteError.notWorn) { try await world.remove(dose) }
    await world.place.database.close()
  }

  @Test func `a removal is early, and never before the dose or in the future`() async throws {
    let world = try await World()
    let dose = try await world.stick()
    world.place.clock.advance(hours: 24)
    for wrong in ["2026-03-01T05:00:00+01:00", "2026-03-02T07:00:00+01:00"] {
      await #expect(throws: SiteError.time) {
        try await world.remove(dose, at: Timestamp(wrong))
      }
    }
    try await world.remove(dose)
    #expect(try await world.use(dose)?.removal == .early(minutes: 2_880))
    await world.place.database.close()
  }

  @Test func `a site must be one of the kind, and a changed one replaces it`() async throws {
    let world = try await World()
    let dose = try await world.stick()
    await #expect(throws: SiteError.site) { try await world.record(.eyeLeft, of: dose) }
    await #expect(throws: SiteError.notFound) { try await world.record(.armLeft, of: "none") }
    try await world.record(.armLeft, of: dose)
    try await world.record(.thighRight, of: dose)
    #expect(try await world.use(dose)?.site == .thighRight)
    #expect(
      try await world.administration(dose)["dosage"]?["site"]?["text"]?.string == "right thigh")
    await world.place.database.close()
  }

  @Test func `a dose that is taken back is forgotten with its reminder`() async throws {
    let world = try await World()
    let dose = try await world.stick()
    let context = world.place.context
    try await world.place.database.write { writer in
      try IntakeCommands.takeBack(dose, patient: TestPlace.patient, context: context, in: writer)
    }
    #expect(try await world.use(dose) == nil)
    #expect(try await world.alert()?.state == .cancelled)
    await world.place.database.close()
  }

  @Test func `nothing is noted while it is off, and an injection is not worn`() async throws {
    let off = try await World(nil)
    let first = try await off.stick()
    #expect(try await off.use(first) == nil)
    await off.place.database.close()
    let injection = try await World(SiteChoice(isOn: true, kind: .injection, wearMinutes: 60))
    let dose = try await injection.stick()
    #expect(try await injection.use(dose)?.removeDue == nil)
    #expect(try await injection.alert() == nil)
    let (context, plan) = (injection.place.context, injection.plan)
    await #expect(throws: SiteError.wear) {
      try await injection.place.database.write { writer in
        try SiteCommands.choose(
          SiteChoice(isOn: true, kind: .patch, wearMinutes: 1), ofPlan: plan,
          patient: TestPlace.patient, context: context, in: writer)
      }
    }
    await injection.place.database.close()
  }
}
