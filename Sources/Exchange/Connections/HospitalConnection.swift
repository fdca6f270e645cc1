// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A person's connection to the FHIR server of a hospital.
package struct HospitalConnection: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// Nobody there has been chosen yet.
    case choosing
    case working
    /// The credentials ended; the person gives new ones.
    case expired
    /// The hospital does not let this account in any more.
    case revoked
    /// It is another server or person than the one that was connected.
    case refused
  }

  /// How the server is entered.
  package enum Access: String, Sendable, Hashable, CaseIterable {
    case open, token, smart
  }

  /// What is taken over without being asked.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case ask
    /// Changes of what came from there and was not changed here.
    case changes
    /// New prescriptions too.
    case all
  }

  package let id: ConnectionID
  package let patient: PatientID
  /// Whoever connected it; what comes is taken in this account's name.
  package let account: AccountID
  package let base: HospitalAddress
  package let label: String
  package let version: HospitalVersion
  package let access: Access
  /// What the server said of itself.
  package let identity: String
  /// The resource types that it searches.
  package let types: Set<String>
  package let person: HospitalPerson?
  package let state: State
  /// What went wrong last, by its code; nil while all is well.
  package let trouble: String?
  package let rule: Rule
  /// Since when answers are sent; nil while they are not.
  package let writesSince: Timestamp?
  package let created: Timestamp
  /// The last time that everything was fetched.
  package let synced: Timestamp?
  package let tried: Timestamp?
  package let nextAt: Timestamp
  package let failures: Int
  /// When the server last said who it is.
  package let identified: Timestamp?

  package init(
    id: ConnectionID, patient: PatientID, account: AccountID, base: HospitalAddress, label: String,
    version: HospitalVersion, access: Access, identity: String, types: Set<String>,
    person: HospitalPerson?, state: State, created: Timestamp
  ) {
    self.id = id
    self.patient = patient
    self.account = account
    self.base = base
    self.label = label
    self.version = version
    self.access = access
    self.identity = identity
    self.types = types
    self.person = person
    self.state = state
    trouble = nil
    rule = .ask
    writesSince = nil
    self.created = created
    synced = nil
    tried = nil
    nextAt = created
    failures = 0
    identified = created
  }
}
