// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// One line of the audit trail: ids only, never names, medicines or texts.
///
/// Only a keyed digest of ``content`` is stored.
package struct AuditEntry: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case create, read, update, delete, search
    case signIn = "sign-in"
    case signOut = "sign-out"
    case answer
    case export
    case print
    case emergencyAccess = "break-glass"
    case administration
  }

  package enum Outcome: String, Sendable, CaseIterable {
    case success, denied
  }

  package var at: Timestamp
  /// The account that acted.
  package var actor: AccountID
  package var kind: Kind
  /// The patient whose data was touched; nil where it was nobody's.
  package var patient: PatientID?
  /// A FHIR type or one of the program's own resources.
  package var resource: String
  package var resourceID: String?
  package var version: Int64?
  package var purpose: String
  package var outcome: Outcome
  /// How many like accesses the line stands for.
  package var count: Int
  /// The text of the record version that the entry concerns; nil if it concerns none.
  package var content: String?

  package init(
    at: Timestamp,
    actor: AccountID,
    kind: Kind,
    patient: PatientID?,
    resource: String,
    resourceID: String? = nil,
    version: Int64? = nil,
    purpose: String,
    outcome: Outcome = .success,
    count: Int = 1,
    content: String? = nil
  ) {
    self.at = at
    self.actor = actor
    self.kind = kind
    self.patient = patient
    self.resource = resource
    self.resourceID = resourceID
    self.version = version
    self.purpose = purpose
    self.outcome = outcome
    self.count = count
    self.content = content
  }

  /// The patient whose data this line says has changed; nil for reads and refusals.
  package var changedPatient: PatientID? {
    kind != .read && kind != .search && outcome == .success ? patient : nil
  }
}
