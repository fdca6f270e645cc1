// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Plans
import Storage
import TimeZones

/// The values that the engine gets from its caller: time, identifiers and settings.
package struct ReminderContext: Sendable {
  /// The current time.
  package let now: Timestamp
  /// The source of new identifiers; called once for each reminder and each delivery.
  package let newIdentifier: @Sendable () -> String
  /// The time zones.
  package let zones: ZoneCatalog
  /// The accounts, with the cipher for their addresses.
  package let accounts: AccountStore
  /// True if mail can be sent; otherwise no mail is planned.
  package let mailIsPossible: Bool
  /// The public address of this server, without a slash at the end.
  package let publicURL: String
  /// The features that remind.
  let sources: ReminderSources

  /// Creates a context.
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

/// A dose for which an escalation step was sent.
package struct EscalationDose: Sendable, Hashable {
  /// The patient who takes the dose.
  package let patient: PatientID
  /// The key of the dose.
  package let dose: DoseKey
}

/// The result of one round of planning.
package struct ReminderRound: Sendable {
  /// The number of doses and reminders processed; planning is finished for now when it is zero.
  package var count = 0
  /// The patients whose reminders or deliveries changed.
  package var changedPatients: Set<PatientID> = []
  /// The doses for which a step was sent.
  package var rungDoses: [EscalationDose] = []
  /// The number of deliveries that were planned on each channel.
  package var planned: [ReminderChannel: Int] = [:]
  /// The number of doses that could not ring in time, and which a summary names instead.
  package var missedDoses = 0
}

/// Turns due doses into deliveries and sends them, with the database as its only timer and memory.
///
/// Every function is one step within the caller's transaction, so that a crash between steps neither loses
/// nor duplicates anything.
package enum ReminderEngine {}
