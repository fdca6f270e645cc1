// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage

/// The guardians who chose to be informed about a patient only if no one else answers.
package enum EscalationStandby {
  /// The choice of an account to wait, and the guardians who wait.
  package struct Choice: Sendable, Hashable {
    /// True if the account is a guardian who waits.
    package var isWaiting = false
    /// True if the account can choose to wait: it is a guardian, and someone else is informed at
    /// once.
    package var mayWait = false
    /// The guardians who wait, in the order in which they chose it.
    package var waiting: [Guardian] = []

    /// Creates the choice of an account that does not wait.
    package init() {}
  }

  /// A guardian who waits.
  package struct Guardian: Sendable, Hashable {
    /// The guardian's account.
    package let account: AccountID
    /// The guardian's display name.
    package let name: String
  }

  /// Returns the guardians by patient, in the order in which they chose to wait.
  static func waiting(_ patients: [SQLValue], in reader: any SQLReader)
    throws(StorageError) -> [PatientID: [AccountID]]
  {
    let rows = try reader.query(
      "SELECT \(EscalationStandbyRow.columns) FROM escalation_standby WHERE patient IN (", [],
      in: patients
    ).decode(as: EscalationStandbyRow.self)
    return Dictionary(grouping: rows, by: \.patient).mapValues { guardians in
      guardians.sorted { ($0.since, $0.account) < ($1.since, $1.account) }.map(\.account)
    }
  }

  /// Returns the choice of an account about a patient.
  package static func choice(
    of patient: PatientID, account: AccountID, accounts: AccountStore, at now: Timestamp,
    in reader: any SQLReader
  ) throws -> Choice {
    let grants = try accounts.grants(of: patient, at: now, in: reader)
    let acting = grants.filter { $0.right.relationship.actsForPatient }
    let waiting = try waiting([.text(patient)], in: reader)[patient] ?? []
    var choice = Choice()
    choice.isWaiting = waiting.contains(account)
    choice.mayWait =
      acting.contains { $0.account == account && $0.right.relationship == .guardian }
      && acting.contains { $0.account != account && !waiting.contains($0.account) }
    choice.waiting = waiting.compactMap { id in
      acting.first { $0.account == id }.map { Guardian(account: id, name: $0.displayName) }
    }
    return choice
  }

  /// Saves a guardian's choice; returns false if no one else would be informed at once.
  package static func choose(
    _ waits: Bool, of patient: PatientID, account: AccountID, accounts: AccountStore,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> Bool {
    if waits {
      let choice = try choice(
        of: patient, account: account, accounts: accounts, at: now, in: writer)
      guard choice.mayWait else { return false }
      try EscalationStore.wait(
        EscalationStandbyRow(patient: patient, account: account, since: now), in: writer)
    } else {
      try EscalationStore.stopWaiting(account, of: patient, in: writer)
    }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: "ReminderSettings",
        resourceID: nil, version: nil, purpose: "care", outcome: .success))
    return true
  }
}
