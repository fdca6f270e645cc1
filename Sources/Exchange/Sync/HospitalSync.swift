// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Logging
import Observations
import People
import Plans
import Prescriptions
import Storage

/// Everything that the exchange with hospitals needs from the server.
package struct HospitalContext: Sendable {
  /// The database.
  package let database: Database
  /// The accounts, whose key encrypts credentials.
  package let accounts: AccountStore
  /// The network access to hospitals' servers.
  package let network: HospitalNetwork
  /// Returns the current time.
  package let now: @Sendable () -> Timestamp
  /// Makes the context of a command for an account.
  ///
  /// Imports run as the account and not as the patient, because a stop by another source needs a
  /// confirmation.
  package let commands: @Sendable (_ account: AccountID, _ byName: String) -> CommandContext
  /// Reads heart rates from Observations.
  package let readVitals: ReadVitals
  /// Returns true if the person must see a prescription first, even if the connection accepts
  /// without asking.
  package let asksFirst: AsksFirst
  /// Records the packs that were dispensed.
  package let dispenses: any DispenseReceiver
  /// The server's log.
  package let logger: Logger

  /// Reads heart rates from Observations, in the time zone of a patient; it leaves out everything
  /// else.
  package typealias ReadVitals =
    @Sendable ([JSONValue], _ patient: PatientID) async throws -> [VitalSample]

  /// Decides if a person must see a prescription before it is accepted.
  package typealias AsksFirst =
    @Sendable (ImportPrescription, _ patient: PatientID, CommandContext, any SQLReader) throws ->
    Bool

  /// Creates a context.
  package init(
    database: Database, accounts: AccountStore, network: HospitalNetwork,
    now: @escaping @Sendable () -> Timestamp,
    commands: @escaping @Sendable (_ account: AccountID, _ byName: String) -> CommandContext,
    readVitals: @escaping ReadVitals, asksFirst: @escaping AsksFirst,
    dispenses: any DispenseReceiver, logger: Logger
  ) {
    self.asksFirst = asksFirst
    self.dispenses = dispenses
    self.readVitals = readVitals
    self.database = database
    self.accounts = accounts
    self.network = network
    self.now = now
    self.commands = commands
    self.logger = logger
  }
}

/// A fetch from one connection: everything is read and checked first, and only then imported.
package struct HospitalSync: Sendable {
  let context: HospitalContext

  /// Creates a fetch.
  package init(_ context: HospitalContext) {
    self.context = context
  }

  /// The time for which a server's identity is not checked again, in milliseconds.
  private static let identityLifetime: Int64 = 24 * 3_600_000

  /// Fetches and records the result; trouble with the hospital's server is recorded, not thrown.
  ///
  /// - Throws: cancellation, after which the next claim starts again.
  package func perform(_ claim: ClaimedSync) async throws {
    var outcome = SyncOutcome()
    do {
      try await fetch(claim, &outcome)
    } catch let trouble as HospitalTrouble {
      outcome.fail(trouble)
      context.logger.notice(
        "A hospital's server could not be read",
        metadata: [
          "connection": .string(claim.connection.id.text), "trouble": .string(trouble.code),
        ])
    } catch {
      // A stopping server abandons the fetch; the next claim starts again.
      guard !(error is CancellationError), !Task.isCancelled else { throw error }
      // Show the failure and retry later, instead of reporting success.
      outcome.fail(.notSaved)
      let storageError = error as? StorageError ?? (error as? ImportError)?.storageError
      context.logger.error(
        "A hospital's data could not be saved",
        metadata: [
          "connection": .string(claim.connection.id.text), "type": .string("\(type(of: error))"),
          "reason": .string(storageError?.description ?? ""),
        ])
    }
    let (cipher, now, result) = (context.accounts.cipher, context.now(), outcome)
    try await context.database.write { writer in
      try claim.finish(result, cipher: cipher, now: now, in: writer)
    }
  }

  private func fetch(_ claim: ClaimedSync, _ outcome: inout SyncOutcome) async throws {
    let connection = claim.connection
    guard let byName = claim.byName else { throw HospitalTrouble.noRight }
    guard let person = connection.person else { throw HospitalTrouble.patientGone }
    var token = try await HospitalSession(context: context, connection: connection).token(
      claim.credentials)
    do throws(HospitalTrouble) {
      try await look(claim, person, token, &outcome)
    } catch {
      // A token may expire early; it is refreshed once if possible.
      guard error == .expired, claim.credentials?.refresh != nil else { throw error }
      token = try await HospitalSession(context: context, connection: connection)
        .renewed(insteadOf: token)
      try await look(claim, person, token, &outcome)
    }
    let client = client(connection, token)
    let (marks, before) = try await state(connection)
    var comparison = before
    if let histories = outcome.histories { comparison.histories = histories }
    let now = context.now()
    let readsAll = try await mustReadAll(comparison, connection, client, at: now)
    let gathered = try await HospitalChangeReader(
      client: client, connection: connection, database: context.database, marks: marks, now: now,
      readsAll: readsAll
    ).gather(person.id)
    // After a long fetch, another node may have taken over.
    guard try await isHeld(claim) else { return }
    try await take(gathered, connection, byName: byName)
    comparison.watched = comparison.histories.isEmpty ? nil : now
    if readsAll { comparison.tried = now }
    if gathered.presence.isWhole { comparison.compared = now }
    try await compare(
      gathered.presence, claim, client, person: person.id, byName: byName, into: &comparison)
    outcome.marks = gathered.marks
    outcome.comparison = (before, comparison)
  }

  private func isHeld(_ claim: ClaimedSync) async throws -> Bool {
    try await context.database.read { try HospitalConnectionStore.isHeld(by: claim, in: $0) }
  }

  private func client(_ connection: HospitalConnection, _ token: String?) -> HospitalClient {
    HospitalClient(
      network: context.network, base: connection.base, token: token, version: connection.version)
  }

  /// Checks that the server and the person are still the connected ones.
  private func look(
    _ claim: ClaimedSync, _ person: HospitalPerson, _ token: String?, _ outcome: inout SyncOutcome
  ) async throws(HospitalTrouble) {
    let connection = claim.connection
    let client = client(connection, token)
    let now = context.now()
    let isFresh =
      connection.identified.map { $0.adding(milliseconds: Self.identityLifetime) > now } ?? false
    if claim.isForced || !isFresh {
      let metadata = try await HospitalMetadata.fetch(client)
      guard metadata.identity == connection.identity, metadata.version == connection.version else {
        throw .identity
      }
      outcome.identified = now
      outcome.types = metadata.types
      outcome.histories = metadata.histories
    }
    let current: HospitalPerson
    do throws(HospitalTrouble) {
      current = try await HospitalPersonQuery.person(person.id, client)
    } catch {
      switch error {
      case .notFound, .gone: throw .patientGone
      case .otherPatient: throw .identity
      default: throw error
      }
    }
    guard current.isStill(person) else { throw .identity }
  }

  private func state(
    _ connection: HospitalConnection
  ) async throws -> (marks: [String: HospitalMark], comparison: HospitalComparison) {
    let (patient, id) = (connection.patient, connection.id)
    return try await context.database.read { reader in
      (
        try HospitalMarkStore.all(of: id, patient: patient, in: reader),
        try HospitalComparisonStore.load(id, patient: patient, in: reader)
      )
    }
  }

  /// Imports the result, each prescription in its own transaction.
  private func take(
    _ gathered: HospitalGathered, _ connection: HospitalConnection, byName: String
  ) async throws {
    let (make, account) = (context.commands, connection.account)
    let commands: @Sendable () -> CommandContext = { make(account, byName) }
    if !gathered.file.prescriptions.isEmpty {
      let rule = connection.rule
      let base = connection.base.text
      let asksFirst = context.asksFirst
      let run = ImportRun(
        database: context.database, patient: connection.patient, source: base,
        rule: { prescription, patient, reader in
          switch rule {
          case .ask: return false
          case .all: break
          case .changes:
            guard try ForeignPlans.isFrom(base, prescription, patient: patient, in: reader) else {
              return false
            }
          }
          return try !ForeignPlans.isChangedHere(prescription, patient: patient, in: reader)
            && !asksFirst(prescription, patient, commands(), reader)
        }, dispenses: context.dispenses, context: commands)
      tell(try await run.perform(gathered.file), connection)
    }
    if !gathered.dispensed.dispenses.isEmpty || gathered.dispensed.problemCount > 0 {
      let report = try await ImportRun(
        database: context.database, patient: connection.patient, source: connection.base.text,
        accept: false, dispenses: context.dispenses, context: commands
      ).perform(gathered.dispensed)
      tell(report, connection)
    }
    if !gathered.further.isEmpty {
      try await HospitalFindings(context: context, connection: connection).take(
        gathered.further, commands: commands)
    }
  }

  /// Logs what was not imported and why, as counts and codes.
  private func tell(_ report: ImportReport, _ connection: HospitalConnection) {
    guard report.problemCount > 0 else { return }
    context.logger.notice(
      "Some of a hospital's data was not imported",
      metadata: [
        "connection": .string(connection.id.text),
        "count": .stringConvertible(report.problemCount),
        "reasons": .string(
          Set(report.problems.map(\.reason.code)).sorted().joined(separator: " ")),
      ])
  }
}
