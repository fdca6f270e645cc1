// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import HTTPTypes
import Identifiers
import People
import Records
import Storage
import Supply
import Web

/// A reason that a person cannot be erased now.
enum ErasureObstacle: Error, Sendable, Hashable {
  /// The number of people who would have no one else to act for them.
  case onlyGuardian(Int)
  /// No one else administers the installation.
  case onlyAdministrator
  /// Someone else also acts for this patient and has to agree.
  case otherGuardian
}

/// Erases everything about a person: records and their versions, plans, doses, answers, reminders,
/// uploads, settings, grants, and the accounts whose own patient it is.
///
/// The audit trail stays; it holds ids and never the content of the data.
struct ErasureCommands: Sendable {
  /// The resource that `Access` checks and that the audit trail names.
  static let resource = "Erasure"

  let patient: PatientID
  /// The actor for the audit trail.
  let actor: AccountID
  let purpose: Purpose
  let environment: ServerEnvironment

  /// The outcome of an erasure.
  struct Result: Sendable, Hashable {
    var rows = 0
    var accounts = 0
    /// True if the traces in the database's own files were removed as well.
    var isScrubbed = false
  }

  /// Returns the obstacle, if any.
  static func obstacle(
    _ patient: PatientID, accounts: AccountStore, at now: Timestamp, in reader: any SQLReader
  ) throws -> ErasureObstacle? {
    for account in try accounts.ids(ofPatient: patient, in: reader) {
      let left = try accounts.patientsWithOnly(account, besides: patient, at: now, in: reader)
      if !left.isEmpty { return .onlyGuardian(left.count) }
      if try accounts.isOnlyAdministrator(account, in: reader) { return .onlyAdministrator }
    }
    return nil
  }

  /// Erases in one transaction, then removes the traces from the files.
  func perform() async throws -> Result {
    let tables = try await environment.database.patientTables()
    let (patient, actor, purpose) = (patient, actor, purpose)
    let (accounts, now) = (environment.accounts, environment.now())
    var result = try await environment.database.write { writer in
      if let obstacle = try Self.obstacle(patient, accounts: accounts, at: now, in: writer) {
        throw obstacle
      }
      var result = Result()
      for table in tables { result.rows += try table.count(of: patient, in: writer) }
      let owners = try accounts.ids(ofPatient: patient, in: writer)
      var credentials: Set<SessionID> = []
      for account in owners {
        credentials.formUnion(try accounts.credentials(of: account, in: writer))
        try accounts.erase(account, at: now, by: actor, in: writer)
      }
      result.accounts = owners.count
      try StockErasure.erase(patient, at: now, in: writer)
      try PeopleCommands.erase(patient, in: writer)
      result.rows += try IdempotentWrite.forget(
        naming: patient, credentials: credentials, in: writer)
      writer.audit(
        AuditEntry(
          at: now, actor: actor, kind: .delete, patient: patient, resource: Self.resource,
          purpose: purpose.rawValue))
      return result
    }
    environment.sessions.forget()
    // The erasure itself is complete: on a full disk, only the traces in the files stay.
    result.isScrubbed = (try? await environment.database.scrub()) ?? false
    return result
  }

  /// Erases for the operator, who has confirmed it, and reports the result.
  static func eraseOnHost(
    _ patient: PatientID, environment: ServerEnvironment
  ) async throws -> MaintenanceReport {
    let (accounts, now) = (environment.accounts, environment.now())
    let obstacle = try await environment.database.read { reader -> ErasureObstacle? in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.unknownPatient }
      return try Self.obstacle(patient, accounts: accounts, at: now, in: reader)
    }
    if let obstacle { throw obstacle.failure }
    let result = try await ErasureCommands(
      patient: patient, actor: .hostOperator, purpose: .administration,
      environment: environment
    ).perform()
    return MaintenanceReport(
      lines: [
        "Erased: \(result.rows) rows, accounts: \(result.accounts).",
        result.isScrubbed
          ? "The database's files keep no trace of them."
          : "The database's files may still keep traces of them. See docs/privacy.md.",
        "Earlier backups still contain them. Delete those backups too.",
      ], isWell: true)
  }
}

extension ErasureObstacle: FailureConvertible {
  /// The failure of an erasure that is not possible yet.
  package var failure: Failure {
    switch self {
    case .onlyGuardian(let count):
      Failure(
        .conflict, code: "only-guardian",
        detail:
          "No one else may act for \(count) other patients. Hand them over or erase them first.")
    case .onlyAdministrator:
      Failure(
        .conflict, code: "only-administrator",
        detail: "This is the only administrator. Make someone else an administrator first.")
    case .otherGuardian:
      Failure(
        .conflict, code: "other-guardian",
        detail: "Someone else acts for this patient too. End their access first.")
    }
  }
}
