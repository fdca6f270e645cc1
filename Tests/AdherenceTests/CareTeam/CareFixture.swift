// SPDX-License-Identifier: Apache-2.0
import Access
import Accounts
import Adherence
import CareTeam
import Identifiers
import People
import Plans
import Prescriptions
import Scheduling
import Storage
import TestSupport
import TimeZones

/// Ann, born on 1 May 1948, and a confirmed practitioner with whom she shares the categories of a test.
struct CareFixture: Sendable {
  static let doctor = AccountID("doctor")
  static let ann = PatientIdentity(name: "example ANN", birthDate: "1948-05-01")

  let place: TestPlace
  let accounts: AccountStore

  init(
    at start: String = "2026-03-01T06:00:00+01:00",
    sharing categories: Set<DataCategory>? = Set(DataCategory.allCases), isConfirmed: Bool = true
  ) async throws {
    place = try await TestPlace(at: start)
    let keys = try KeyRing.generate { [UInt8](repeating: 9, count: $0) }
    accounts = AccountStore(
      cipher: FieldCipher(keys: keys), consequences: [AdherenceAccountConsequence()])
    try await place.database.write { try $0.addAccount(Self.doctor, patient: "doctor-self") }
    try await place.change { $0.birthDate = CivilDate(text: "1948-05-01") }
    if let categories { try await share(categories) }
    let (accounts, now) = (accounts, place.now)
    if isConfirmed {
      try await place.database.write {
        try accounts.confirmPractitioner(Self.doctor, by: "operator", at: now, in: $0)
      }
    }
  }

  /// Shares categories from now on; nothing more with nil.
  func share(
    _ categories: Set<DataCategory>?, of patient: PatientID = TestPlace.patient
  ) async throws {
    let (accounts, now) = (accounts, place.now)
    try await place.database.write { writer in
      try accounts.grant(
        .practitioner, of: patient, to: Self.doctor, from: now.adding(milliseconds: -1),
        categories: categories ?? [], until: categories == nil ? now : nil, in: writer)
    }
  }

  /// The rights of the practitioner's session; the transaction checks what it may do.
  var commands: PrescriptionCommands {
    PrescriptionCommands(patient: TestPlace.patient, accounts: accounts, context: context)
  }

  var context: CommandContext {
    CommandContext(
      actor: Actor(
        accountID: Self.doctor, kind: .session, rights: [:], scope: .session),
      byName: "Dr. Ada", now: place.now, newIdentifier: place.identifiers.next, zones: place.zones,
      consequences: .all)
  }

  @discardableResult
  func prescribe(
    _ draft: PlanDraft, id: ProposalID = "sent", changing plan: PlanID? = nil,
    as identity: PatientIdentity = CareFixture.ann, confirmed: Set<String> = []
  ) async throws -> ProposalID {
    let commands = commands
    return try await place.database.write {
      try commands.prescribe(
        draft, id: id, changing: plan, identity: identity, confirmed: confirmed, in: $0)
    }
  }

  func end(
    _ plan: PlanID, isHold: Bool = false, reason: String = "Dry cough",
    as identity: PatientIdentity = CareFixture.ann
  ) async throws {
    let commands = commands
    try await place.database.write {
      try commands.end(plan, isHold: isHold, reason: reason, identity: identity, in: $0)
    }
  }

  func panel() async throws -> [CarePanelEntry] {
    let now = place.now
    return try await place.database.read { try CarePanel.load(Self.doctor, at: now, in: $0) }
  }

  func forReview() async throws -> Set<PlanID> {
    try await place.database.read {
      try ProposalQueries.plansForReview(patient: TestPlace.patient, in: $0)
    }
  }

  func unseenStops() async throws -> [Proposal] {
    try await place.database.read {
      try ProposalQueries.waiting(patient: TestPlace.patient, in: $0).stops
    }
  }
}
