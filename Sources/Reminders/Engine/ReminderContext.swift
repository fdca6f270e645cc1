// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Plans
import Storage
import TimeZones

/// What the engine must not make or know by itself.
package struct ReminderContext: Sendable {
  package let now: Timestamp
  /// Makes a new identifier; called once for each subject and each delivery.
  package let newIdentifier: @Sendable () -> String
  package let zones: ZoneCatalog
  package let accounts: AccountStore
  /// Whether mail can be sent at all; without it no mail is planned.
  package let mailIsPossible: Bool
  /// Where people reach this server, without a slash at the end.
  package let publicURL: String
  /// The features that remind.
  let sources: ReminderSources

  package init(
    now: Timestamp, newIdentifier: @escaping @Sendable () -> String, zones: ZoneCatalog,
    accounts: AccountStore, mailIsPossible: Bool, publicURL: String, sources: ReminderSources
  ) {
    self.now = now
    self.newIdentifier = newIdentifier
    self.zones = zones
    self.accounts = accounts
    self.mailIsPossible = mailIsPossible
    self.publicURL = publicURL
    self.sources = sources
  }

  /// Returns an identifier that was never used before.
  package func newID<ID: Identifier>() -> ID { ID(newIdentifier()) }
}

/// A dose that a rung was fired for.
package struct EscalationDose: Sendable, Hashable {
  package let patient: PatientID
  package let dose: DoseKey
}

/// What one round of planning did.
package struct ReminderRound: Sendable {
  /// Doses taken up and reminders looked at; planning is done for now when it is zero.
  package var count = 0
  package var changedPatients: Set<PatientID> = []
  package var rungDoses: [EscalationDose] = []
}

/// Turns due doses into deliveries, and hands these out; the database is its only timer and memory.
///
/// Every function is one step within the caller's transaction, so that a crash between any two of
/// them loses nothing and doubles nothing.
package enum ReminderEngine {}
