// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import Records
import Storage

/// The proof that restored data are good: integrity, counts, audit chain, facts, keys.
package struct RestoreDrill: Sendable {
  let database: Database
  let accounts: AccountStore
  let manifest: BackupManifest

  /// - Parameter accounts: the accounts under the restored keys.
  package init(database: Database, accounts: AccountStore, manifest: BackupManifest) {
    self.database = database
    self.accounts = accounts
    self.manifest = manifest
  }

  /// Throws what makes the data useless, and returns what was wrong already in the data that the
  /// backup was made of: these are kept as they are, since there may be no others.
  package func perform() async throws -> [String] {
    if let first = try await database.damage().first {
      throw BackupError.drillFailed(reason: "the database is damaged: \(first)")
    }
    let counts = try await database.rowCounts()
    for (table, expected) in manifest.rows.sorted(by: { $0.key < $1.key }) {
      // A step of the schema that came later may have dropped or filled it.
      guard let found = counts[table], found < expected else { continue }
      throw BackupError.countsDiffer(table: table, expected: expected, found: found)
    }
    let sealed = try await sample(accounts, in: database)
    if let first = sealed.faults.first {
      throw BackupError.drillFailed(reason: "a sealed field does not open: \(first)")
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
      known.append("\(records.faultCount) versions of records do not fit the audit trail")
    }
    let faults = try await database.read { try ProjectionCheck.faults(in: $0) }
    if !faults.isEmpty { known.append("\(faults.count) rows do not follow from the facts") }
    return known
  }
}
