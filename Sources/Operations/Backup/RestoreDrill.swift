// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import Records
import Storage

/// The check that restored data are sound: integrity, counts, audit trail, projections and keys.
package struct RestoreDrill: Sendable {
  let database: Database
  let accounts: AccountStore
  let manifest: BackupManifest

  /// Creates a check.
  ///
  /// - Parameters:
  /// - database: The restored database.
  /// - accounts: The accounts under the restored keys.
  /// - manifest: The backup's own list of rows.
  package init(database: Database, accounts: AccountStore, manifest: BackupManifest) {
    self.database = database
    self.accounts = accounts
    self.manifest = manifest
  }

  /// Returns the faults that the data already had when the backup was made.
  ///
  /// They are kept, since there may be no other copy.
  ///
  /// - Throws: ``BackupError`` if the restored data are damaged, incomplete, or cannot be
  ///   decrypted.
  package func perform() async throws -> [String] {
    if let first = try await database.damage().first {
      throw BackupError.drillFailed(reason: "the database is damaged: \(first)")
    }
    let counts = try await database.rowCounts()
    for (table, expected) in manifest.rows.sorted(by: { $0.key < $1.key }) {
      // A later schema migration may have dropped or filled it.
      guard let found = counts[table], found < expected else { continue }
      throw BackupError.countsDiffer(table: table, expected: expected, found: found)
    }
    let sealed = try await sample(accounts, in: database)
    if let first = sealed.faults.first {
      throw BackupError.drillFailed(reason: "an encrypted field cannot be opened: \(first)")
    }
    var known: [String] = []
    let broken = try await database.brokenRules()
    if let first = broken.first {
      known.append("\(broken.count) rows break a rule of the schema, first \(first)")
    }
    let audit = try await database.verifyAudit()
    if !audit.isIntact { known.append("the audit trail has \(audit.problemCount) faults") }
    let seal = database.contentSeal
    let records = try await database.read { try RecordAuditCheck.perform(seal, in: $0) }
    if records.faultCount > 0 {
      known.append("\(records.faultCount) versions of records do not match the audit trail")
    }
    let faults = try await database.read { try ProjectionCheck.faults(in: $0) }
    if !faults.isEmpty { known.append("\(faults.count) rows do not match the answers and records") }
    return known
  }
}
