// SPDX-License-Identifier: Apache-2.0
import Access
import Accounts
import CareTeam
import FHIR
import Identifiers
import People
import Plans
import Prescriptions
import Scheduling
import Storage
import Testing
import TestSupport

struct PrescriptionTests {
  private static let day = ("2026-03-01T00:00:00+01:00", "2026-03-02T00:00:00+01:00")

  private func lines(_ place: TestPlace) async throws -> [String] {
    try await place.listing(from: Self.day.0, until: Self.day.1).lines
  }

  @Test func `a prescription waits for the patient and then becomes a plan`() async throws {
    let care = try await CareFixture()
    try await care.prescribe(.tablet(["08:00"]))
    // Sending the same form again sends nothing twice.
    try await care.prescribe(.tablet(["08:00"]))
    #expect(try await care.place.plans().isEmpty)
    let proposal = try #require(try await care.place.openProposals().first)
    #expect(try await care.place.openProposals().count == 1)
    #expect(proposal.kind == .new && proposal.requester == "Dr. Ada" && proposal.isPrescribed)
    #expect(proposal.request.intent == "order")
    let issues = ResourceValidator.issues(in: proposal.request.json, expecting: .medicationRequest)
    #expect(issues.filter { $0.severity == .error || $0.severity == .fatal }.isEmpty)
    let plan = try await care.place.accept(proposal.id)
    #expect(try await lines(care.place) == ["2026-03-01T08:00:00+01:00 scheduled"])
    let kept = try #require(try await care.place.plans().first)
    #expect(kept.id == plan && Prescriber(kept.request)?.account == CareFixture.doctor)
  }

  @Test func `a change keeps the old times until answered, with a note to review it`()
    async throws
  {
    let care = try await CareFixture()
    try await care.prescribe(.tablet(["08:00"]))
    let plan = try await care.place.accept("sent")
    try await care.prescribe(.tablet(["09:00"]), id: "change", changing: plan)
    #expect(try await lines(care.place) == ["2026-03-01T08:00:00+01:00 scheduled"])
    #expect(try await care.forReview() == [plan])
    // Another change replaces one that waits.
    try await care.prescribe(.tablet(["10:00"]), id: "later", changing: plan)
    let open = try await care.place.openProposals()
    #expect(open.map(\.id) == ["later"] && open.first?.kind == .changed)
    #expect(try await care.place.accept("later") == plan)
    #expect(try await lines(care.place) == ["2026-03-01T10:00:00+01:00 scheduled"])
    #expect(try await care.forReview().isEmpty)
  }

  @Test func `a declined change leaves the plan as it is`() async throws {
    let care = try await CareFixture()
    try await care.prescribe(.tablet(["08:00"]))
    let plan = try await care.place.accept("sent")
    try await care.prescribe(.tablet(["09:00"]), id: "change", changing: plan)
    let context = care.place.context
    try await care.place.database.write {
      try ProposalCommands.decline(
        "change", patient: TestPlace.patient, context: context, in: $0)
    }
    #expect(try await lines(care.place) == ["2026-03-01T08:00:00+01:00 scheduled"])
    #expect(try await care.place.plans().first?.status == "active")
    let now = care.place.now
    let declined = try await care.place.database.read { reader in
      try PrescriptionQueries.declined(
        of: TestPlace.patient, by: CareFixture.doctor, since: now, in: reader)
    }
    #expect(declined.map(\.id) == ["change"])
  }

  @Test(arguments: [false, true])
  func `a stop or hold takes effect at once and is announced`(isHold: Bool) async throws {
    let care = try await CareFixture()
    // Any patient's plan: the grant and the confirmation decide.
    let plan = try await care.place.add(.tablet(["08:00"]))
    try await care.end(plan.id, isHold: isHold)
    #expect(try await lines(care.place) == ["2026-03-01T08:00:00+01:00 cancelled"])
    let ended = try #require(try await care.place.plans().first)
    #expect(ended.status == (isHold ? "on-hold" : "stopped") && !ended.isPausedHere)
    #expect(ended.request.statusReasonText == "Dry cough")
    let told = try #require(try await care.unseenStops().first)
    #expect(told.plan == plan.id && told.source == "Dr. Ada" && told.isPrescribed)
    await #expect(throws: CareTeamError.alreadyEnded) {
      try await care.end(plan.id, isHold: isHold)
    }
    guard isHold else { return }
    // A resumption is a proposal, because the patient decides what rings.
    let commands = care.commands
    let proposal = try await care.place.database.write { try commands.resume(plan.id, in: $0) }
    #expect(try await care.place.plans().first?.status == "on-hold")
    _ = try await care.place.accept(proposal)
    #expect(try await care.place.plans().first?.status == "active")
  }

  @Test func `the patient can end a hold if no prescriber is left to end it`() async throws {
    let care = try await CareFixture()
    let plan = try await care.place.add(.tablet(["08:00"]))
    try await care.end(plan.id, isHold: true)
    let context = care.place.context
    await #expect(throws: PlanError.self) {
      try await care.place.database.write {
        try PlanCommands.resume(plan.id, context: context, in: $0)
      }
    }
    try await care.share(nil)
    let resumed = try await care.place.database.write {
      try PlanCommands.resume(plan.id, context: context, in: $0)
    }
    #expect(resumed.status == "active")
  }

  @Test(arguments: [
    PatientIdentity(name: "Ann Example", birthDate: "1948-05-02"),
    PatientIdentity(name: "Ann Exemple", birthDate: "1948-05-01"),
    PatientIdentity(name: "Ann", birthDate: "1948-05-01"),
    PatientIdentity(name: "Ann Example", birthDate: ""),
    PatientIdentity(name: "", birthDate: "1948-05-01"),
  ])
  func `a mismatched patient blocks sending and stopping`(identity: PatientIdentity) async throws {
    let care = try await CareFixture()
    let plan = try await care.place.add(.tablet(["08:00"]))
    await #expect(throws: CareTeamError.wrongPatient) {
      try await care.prescribe(.tablet(["08:00"]), as: identity)
    }
    await #expect(throws: CareTeamError.wrongPatient) {
      try await care.end(plan.id, as: identity)
    }
    #expect(try await care.place.openProposals().isEmpty)
    #expect(try await care.place.plans().first?.status == "active")
  }

  @Test func `a patient without a birth date is identified by name`() async throws {
    let care = try await CareFixture()
    try await care.place.change { $0.birthDate = nil }
    try await care.prescribe(
      .tablet(["08:00"]), as: PatientIdentity(name: " ann  EXAMPLE ", birthDate: ""))
    #expect(try await care.place.openProposals().count == 1)
  }

  @Test func `only the prescriber can change a prescription`() async throws {
    let care = try await CareFixture()
    let plan = try await care.place.add(.tablet(["08:00"]))
    await #expect(throws: CareTeamError.notYours) {
      try await care.prescribe(.tablet(["09:00"]), changing: plan.id)
    }
  }

  @Test func `prescribing needs a confirmed practitioner with access to medicines`() async throws {
    let unknown = try await CareFixture(isConfirmed: false)
    await #expect(throws: CareTeamError.notConfirmed) {
      try await unknown.prescribe(.tablet(["08:00"]))
    }
    let blind = try await CareFixture(sharing: [.adherence, .heartRate, .messages, .stock])
    let plan = try await blind.place.add(.tablet(["08:00"]))
    await #expect(throws: CareTeamError.notFound) {
      try await blind.prescribe(.tablet(["08:00"]))
    }
    await #expect(throws: CareTeamError.notFound) { try await blind.end(plan.id) }
  }

  /// Whatever came before: once the care has ended, nothing can be seen, prescribed, stopped or noted, and
  /// the plan continues.
  @Test(arguments: 0..<12)
  func `after care ends nothing can be seen or prescribed`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let care = try await CareFixture()
    try await care.prescribe(.tablet(["08:00", "20:00"]))
    let plan = try await care.place.accept("sent")
    for step in 0..<Int.random(in: 0...4, using: &generator) {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: try await care.prescribe(.tablet(["09:00"]), id: "s\(step)", changing: plan)
      // The name differs, because a second bisoprolol would have to be confirmed.
      case 1: try await care.prescribe(.tablet(["21:00"], name: "Testolol"), id: "n\(step)")
      default: try await note(care, "Looks well")
      }
    }
    let waiting = try await care.place.openProposals().map(\.id)
    let commands = care.commands
    try await care.share(nil)
    #expect(try await care.panel().isEmpty)
    await #expect(throws: CareTeamError.notFound) {
      try await care.prescribe(.tablet(["10:00"]), id: "new")
    }
    await #expect(throws: CareTeamError.notFound) {
      try await care.prescribe(.tablet(["10:00"]), id: "again", changing: plan)
    }
    await #expect(throws: CareTeamError.notFound) { try await care.end(plan) }
    await #expect(throws: CareTeamError.notFound) { try await note(care, "Too late") }
    for proposal in waiting {
      await #expect(throws: CareTeamError.notFound) {
        try await care.place.database.write { try commands.withdraw(proposal, in: $0) }
      }
    }
    #expect(try await care.place.openProposals().map(\.id) == waiting)
    let kept = try #require(try await care.place.plans().first { $0.id == plan })
    #expect(kept.status == "active" && kept.unplanned == nil)
    let (accounts, now) = (care.accounts, care.place.now)
    let found = try await care.place.database.read {
      try PrescriptionQueries.prescriber(of: kept, accounts: accounts, at: now, in: $0)
    }
    #expect(found?.lasts == false && found?.prescriber.name == "Dr. Ada")
  }

  private func note(_ care: CareFixture, _ text: String) async throws {
    let (accounts, context) = (care.accounts, care.context)
    try await care.place.database.write {
      try CareNotes.add(
        text, of: TestPlace.patient, accounts: accounts, context: context, in: $0)
    }
  }

  @Test func `notes are sealed and only their author can read them`() async throws {
    let care = try await CareFixture(sharing: [.messages])
    try await note(care, "Asked about her sleep")
    let accounts = care.accounts
    let (raw, own, others, all) = try await care.place.database.read { reader in
      (
        try reader.first("SELECT text_sealed FROM care_notes")?.blob(0) ?? [],
        try CareNotes.all(
          of: TestPlace.patient, by: CareFixture.doctor, cipher: accounts.cipher, in: reader),
        try CareNotes.all(
          of: TestPlace.patient, by: "another", cipher: accounts.cipher, in: reader),
        try CareNotes.all(of: TestPlace.patient, cipher: accounts.cipher, in: reader)
      )
    }
    #expect(!String(decoding: raw, as: UTF8.self).contains("sleep"))
    #expect(own.map(\.text) == ["Asked about her sleep"] && others.isEmpty && all == own)
    await #expect(throws: CareTeamError.note) { try await note(care, "  ") }
  }
}
