// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage

/// Guardians who chose to be told of a patient only when nobody else answered.
package enum EscalationStandby {
  /// Whether a guardian waits, and whether there is anybody else to be told at once.
  package struct Choice: Sendable, Hashable {
    package var isWaiting = false
    /// Whether the account is a guardian beside others who are told at once.
    package var mayWait = false
    /// Those who wait, in their order.
    package var waiting: [Guardian] = []

    package init() {}
  }

  /// A guardian who waits.
  package struct Guardian: Sendable, Hashable {
    package let account: AccountID
    package let name: String
  }

  /// By patient, in the order in which they chose it.
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

  /// What an account chose about a patient, and may choose.
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

  /// Takes a guardian's own choice; false where nobody else would be told at once.
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
