// SPDX-License-Identifier: Apache-2.0
import Access
import Identifiers
import Knowledge
import People
import Plans
import Prescriptions
import Storage
import Testing
import TestSupport
import TimeZones

/// Prescriptions are checked in the transaction that sends them.
@Suite struct PrescriptionCheckTests {
  private func check(
    _ care: CareFixture, _ name: String, changing plan: PlanID? = nil
  ) async throws -> MedicineCheck {
    let commands = care.commands
    return try await care.place.database.read { reader in
      try commands.check(
        .tablet(["08:00"], name: name), id: "sent", changing: plan, list: .shipped, in: reader)
    }
  }

  @Test func `severe findings must be confirmed before sending, and it is audited`() async throws {
    let care = try await CareFixture()
    try await care.place.add(.tablet(["08:00"], name: "Warfarin"))
    let found = try await check(care, "Ibuprofen")
    #expect(found.severe.map(\.interaction?.id) == ["i058"])
    await #expect(throws: CareTeamError.unseenFindings) {
      try await care.prescribe(.tablet(["08:00"], name: "Ibuprofen"))
    }
    await #expect(throws: CareTeamError.unseenFindings) {
      try await care.prescribe(.tablet(["08:00"], name: "Ibuprofen"), confirmed: ["drug|other"])
    }
    let keys = Set(found.severe.map(\.key))
    try await care.prescribe(.tablet(["08:00"], name: "Ibuprofen"), confirmed: keys)
    // The same form again changes nothing.
    try await care.prescribe(.tablet(["08:00"], name: "Ibuprofen"), confirmed: keys)
    let (kept, audited, waiting) = try await care.place.database.read { reader in
      (
        try ConfirmedFindings.all(of: "sent", patient: TestPlace.patient, in: reader),
        try reader.first(
          """
          SELECT COUNT(*) FROM audit
          WHERE resource = 'DetectedIssue' AND resource_id = 'sent' AND purpose = 'prescribing'
          """)?.integer(0),
        try ProposalQueries.open(patient: TestPlace.patient, in: reader).count
      )
    }
    #expect(Set(kept.keys) == keys && kept.values.map(\.byName) == ["Dr. Ada"])
    #expect(audited == 1 && waiting == 1)
  }

  @Test func `interactions with current medicines are found before sending`() async throws {
    let care = try await CareFixture()
    for name in ["Entresto 24/26 mg", "Torasemide", "Bisoprolol"] {
      try await care.place.add(.tablet(["08:00"], name: name))
    }
    let ibuprofen = try await check(care, "Ibuprofen")
    #expect(Set(ibuprofen.questions.map { $0.interaction?.id ?? "" }) == ["i033", "i034"])
    #expect(ibuprofen.severe.isEmpty)
    #expect(try await check(care, "Metoprolol").severe.map(\.interaction?.id) == ["i098"])
    // Warnings that already applied are not asked about again when the medicine's own dose changes.
    let plan = try await care.place.add(.tablet(["08:00"], name: "Metoprolol"))
    #expect(try await check(care, "Metoprolol", changing: plan.id).questions.isEmpty)
    // An unknown medicine is reported as unknown.
    let unknown = try await check(care, "Foozolin")
    #expect(unknown.report.unlisted == ["sent"] && unknown.questions.isEmpty)
  }

  @Test func `unshared data is not checked, and the check says so`() async throws {
    let care = try await CareFixture()
    try await care.place.add(.tablet(["08:00"], name: "Warfarin"))
    let doctor = try await check(care, "Ibuprofen")
    #expect(doctor.checked.seesMedicines && !doctor.checked.seesBody)
    let (now, zone) = (care.place.now, try care.place.zones.zone("Europe/Berlin"))
    func found(_ categories: Set<DataCategory>) async throws -> MedicineCheck {
      let checker = MedicineChecker(
        list: .shipped, patient: TestPlace.patient,
        actor: Actor(
          accountID: "kin", kind: .session,
          rights: [TestPlace.patient: PatientRight(.family, categories: categories)],
          scope: .session),
        region: .uk, now: now, zone: zone)
      return try await care.place.database.read { reader in
        try checker.check(
          IncomingMedicine(id: "new", name: "Ibuprofen", isChange: false), in: reader)
      }
    }
    let blind = try await found([.adherence])
    #expect(!blind.checked.seesMedicines && blind.questions.isEmpty)
    #expect(blind.checked.medicines.map(\.name) == ["Ibuprofen"])
    #expect(try await found([.medicines]).severe.map(\.interaction?.id) == ["i058"])
  }

  @Test func `an illness is checked only for those allowed to see it`() async throws {
    let care = try await CareFixture()
    let (own, now, zone) = (
      care.place.context, care.place.now, try care.place.zones.zone("Europe/Berlin")
    )
    try await care.place.database.write { writer in
      try StatedConditions.set(
        ["cond:heart_failure"], known: ["cond:heart_failure"], patient: TestPlace.patient, own,
        in: writer)
    }
    // Illnesses belong to no category, so they are not shared with a practitioner.
    let doctor = try await check(care, "Ibuprofen")
    #expect(!doctor.checked.seesBody && doctor.questions.isEmpty)
    let person = try await care.place.database.read { reader in
      try MedicineChecker(
        list: .shipped, patient: TestPlace.patient, actor: own.actor, region: .uk, now: now,
        zone: zone
      ).check(IncomingMedicine(id: "new", name: "Ibuprofen", isChange: false), in: reader)
    }
    #expect(person.checked.seesBody)
    #expect(person.severe.map { $0.interaction?.id } == ["i087"])
  }

  @Test func `medicines sent together are checked against each other`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let (actor, now, zone) = (
      place.context.actor, place.now, try place.zones.zone("Europe/Berlin")
    )
    let checks = try await place.database.read { reader in
      try MedicineChecker(
        list: .shipped, patient: TestPlace.patient, actor: actor, region: .uk, now: now, zone: zone
      ).check(
        ["Warfarin", "Aspirin", "Foozolin"].map {
          IncomingMedicine(id: $0, name: $0, isChange: false)
        }, in: reader)
    }
    #expect(checks.map(\.severe.count) == [1, 1, 0])
    #expect(checks[0].severe == checks[1].severe)
    // Warnings about food and herbs are shown first, but a prescriber need not confirm them.
    #expect(checks[0].questions.map(\.kind) == [.drug, .herb])
  }
}
