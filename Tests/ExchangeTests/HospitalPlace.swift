// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import FHIR
import Identifiers
import Logging
import People
import Plans
import Prescriptions
import Storage
import Supply
import Testing
import TestSupport

@testable import Exchange

/// A person with a connection to a fake hospital.
struct HospitalPlace {
  let place: TestPlace
  let hospital: FakeHospital
  let accounts: AccountStore
  /// Returns true if a prescription waits for the person, whatever the connection's rule.
  var asksFirst: HospitalContext.AsksFirst = { _, _, _, _ in false }
  let connection = ConnectionID("c1")

  static let account = AccountID("account")

  init(
    _ hospital: FakeHospital = FakeHospital(), version: HospitalVersion = .r4,
    at start: String = "2026-03-01T06:00:00+01:00"
  ) async throws {
    place = try await TestPlace(at: start)
    self.hospital = hospital
    let keys = try KeyRing.generate { [UInt8](repeating: 7, count: $0) }
    accounts = AccountStore(
      cipher: FieldCipher(keys: keys), consequences: [HospitalAccountConsequence()])
    let patient = TestPlace.patient
    let (now, cipher, connection) = (place.now, accounts.cipher, connection)
    try await place.database.write { writer in
      try writer.execute(
        """
        INSERT INTO accounts (account, email_sealed, email_index, display_name, patient,
          administrator, created, changed) VALUES ($1, $2, $3, 'Ann', $4, 0, 1, 1)
        """,
        [
          .text(Self.account),
          .blob(try cipher.seal("ann@example.org", context: "accounts:email:\(Self.account)")),
          .blob([1]), .text(patient),
        ])
      try writer.execute(
        """
        INSERT INTO grants (patient, account, relationship, starts, ends)
        VALUES ($1, $2, 'self', 0, NULL)
        """, [.text(patient), .text(Self.account)])
    }
    let metadata = try await HospitalMetadata.fetch(client(version))
    let person = try await HospitalPersonQuery.person("p1", client(version))
    try await place.database.write { writer in
      let commands = HospitalCommands(
        patient: patient, account: Self.account, cipher: cipher, now: now, writer: writer)
      try commands.add(
        HospitalConnection(
          id: connection, patient: patient, account: Self.account,
          base: try #require(HospitalAddress(FakeHospital.base)), label: "City", version: version,
          access: .open, identity: metadata.identity, types: metadata.types, person: nil,
          state: .choosing, created: now), nil)
      try commands.choose(person, for: connection, birthDate: nil)
    }
  }

  func client(_ version: HospitalVersion = .r4) throws -> HospitalClient {
    HospitalClient(
      network: hospital.network, base: try #require(HospitalAddress(FakeHospital.base)),
      token: nil, version: version)
  }

  var context: HospitalContext {
    let place = place
    return HospitalContext(
      database: place.database, accounts: accounts, network: hospital.network,
      now: { place.now },
      commands: { account, byName in
        CommandContext(
          actor: .host(accountID: account), byName: byName, now: place.now,
          newIdentifier: place.identifiers.next, zones: place.zones, consequences: .all)
      },
      readVitals: { _, _ in [] }, asksFirst: asksFirst,
      dispenses: DispenseCommands(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Fetches what is due and returns the number of connections.
  @discardableResult
  func sync() async throws -> Int {
    let (accounts, now) = (accounts, place.now)
    let claims = try await place.database.write { writer in
      try ClaimedSync.claim(limit: 10, accounts: accounts, now: now, in: writer)
    }
    for claim in claims { try await HospitalSync(context).perform(claim) }
    return claims.count
  }

  /// Fetches now, even if nothing is due.
  func fetch() async throws -> HospitalConnection {
    try await command { try $0.fetch("c1") }
    try await sync()
    return try await load()
  }

  func command(_ body: @escaping @Sendable (HospitalCommands) throws -> Void) async throws {
    let (cipher, now) = (accounts.cipher, place.now)
    try await place.database.write { writer in
      try body(
        HospitalCommands(
          patient: TestPlace.patient, account: Self.account, cipher: cipher, now: now,
          writer: writer))
    }
  }

  func load() async throws -> HospitalConnection {
    let connection = connection
    let found = try await place.database.read { reader in
      try HospitalRows.load(connection, patient: TestPlace.patient, in: reader)
    }
    return try #require(found)
  }

  func proposals() async throws -> [Proposal] {
    try await place.database.read { try ProposalQueries.open(patient: TestPlace.patient, in: $0) }
  }

  @discardableResult
  func acceptAll() async throws -> Int {
    let context = place.context
    return try await place.database.write { writer in
      try ProposalCommands.acceptAll(patient: TestPlace.patient, context: context, in: writer)
    }
  }

  func plans() async throws -> [Plan] {
    try await place.database.read { try PlanQueries.all(patient: TestPlace.patient, in: $0) }
  }

  func claimSending() async throws -> [ClaimedAdministration] {
    let (accounts, now) = (accounts, place.now)
    return try await place.database.write { writer in
      _ = try HospitalOutbox.plan(limit: 100, now: now, in: writer)
      return try ClaimedAdministration.claim(limit: 100, accounts: accounts, now: now, in: writer)
    }
  }

  func send() async throws {
    for _ in 0..<5 {
      let claims = try await claimSending()
      if claims.isEmpty { return }
      for claim in claims { try await HospitalDelivery(context).perform(claim) }
    }
  }

  func lines() async throws -> [HospitalOutbox.Line] {
    let connection = connection
    return try await place.database.read { reader in
      try HospitalOutbox.lines(connection, patient: TestPlace.patient, limit: 50, in: reader).lines
    }
  }
}
