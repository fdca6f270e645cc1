// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A person's connection to the FHIR server of a hospital.
package struct HospitalConnection: Sendable, Hashable {
  /// The states of a connection.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// No person in the hospital's records has been chosen yet.
    case choosing
    /// The connection fetches regularly.
    case working
    /// The credentials have expired; the person must give new ones.
    case expired
    /// The hospital no longer accepts the account, or the account may no longer act for the patient.
    case revoked
    /// The server or the person is not the one that was connected.
    case refused
  }

  /// The ways to get access to a server.
  package enum Access: String, Sendable, Hashable, CaseIterable {
    /// Open to everyone, with a bearer token that the person enters, or with a sign-in (SMART App
    /// Launch).
    case open, token, smart
  }

  /// The rules for accepting changes without asking the person.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// Accepts nothing without asking.
    case ask
    /// Changes to prescriptions that came from there and were not changed here.
    case changes
    /// Accepts new prescriptions too.
    case all
  }

  /// The identifier of the connection.
  package let id: ConnectionID
  /// The patient whose connection it is.
  package let patient: PatientID
  /// The account that made the connection, in whose name everything is imported.
  package let account: AccountID
  /// The base address of the FHIR server.
  package let base: HospitalAddress
  /// The name shown for it: the one the person chose, or the server's own.
  package let label: String
  /// The version of FHIR that the server speaks.
  package let version: HospitalVersion
  /// The way to get access.
  package let access: Access
  /// The description by which the server is recognized, as ``HospitalMetadata/identity``.
  package let identity: String
  /// The resource types that the server can search.
  package let types: Set<String>
  /// The person in the hospital's records; nil until one is chosen.
  package let person: HospitalPerson?
  /// The current state.
  package let state: State
  /// The code of the latest ``HospitalTrouble``; nil while everything works.
  package let trouble: String?
  /// The rule for accepting changes without asking.
  package let rule: Rule
  /// The time since which answers are sent; nil while they are not.
  package let writesSince: Timestamp?
  /// The time when the connection was made.
  package let created: Timestamp
  /// The time of the last complete fetch; nil before the first.
  package let synced: Timestamp?
  /// The time of the last attempt to fetch; nil before the first.
  package let tried: Timestamp?
  /// The time of the next fetch, or the end of the lease while one is running.
  package let nextAt: Timestamp
  /// The number of failed fetches in a row.
  package let failures: Int
  /// The time when the server's identity was last checked.
  package let identified: Timestamp?

  /// Creates a connection that accepts nothing without asking and sends no answers.
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
