// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HomeAutomation
import Identifiers
import Knowledge
import People
import Plans
import Presentation
import Reminders
import Scheduling
import Storage
import Web

/// The content of the status page.
struct StatusModel: Sendable {
  /// The additional part for administrators: numbers and hosts, nothing clinical.
  struct Server: Sendable {
    let counters: ReminderCounters
    /// Each channel, compared with its own week.
    let channels: [ChannelWeek]
    let troubles: [HostTrouble]
    let patientsWithNobody: Int64
    let unconfirmedDevices: Int64
    let hasContact: Bool
    let database: String
    /// True if the audit trail agrees with its anchors, as far as is known.
    let auditIsSound: Bool
    let backups: BackupHealth
    let interactions: InteractionSource
    /// The country whose emergency number is shown.
    let region: EmergencyRegion?
    /// Zones whose files are missing or damaged.
    let missingZones: [String]
    /// Log lines that could not be written since the start.
    let lostLogLines: Int
    /// The state of the connection to the MQTT broker; nil if none is set up.
    var broker: HomeBroker.Condition?
  }

  /// A dose whose reminders reached no one in time.
  struct Missed: Sendable {
    let dose: DoseID
    let due: Timestamp
    let outcome: DeliveryOutcome
  }

  let isClockHeld: Bool
  let devices: [PushSubscription]
  let mailIsPossible: Bool
  /// The missed doses of the account's patients, latest first.
  let missed: [Missed]
  /// The time zone of the account's own patient.
  let zone: Zone
  let server: Server?

  /// The period covered: 7 days, in milliseconds.
  static let span: Int64 = 7 * 24 * 3_600_000
  private static let day: Int64 = 24 * 3_600_000

  static func read(_ call: Call, _ signedIn: SignedIn) async throws -> StatusModel {
    let environment = call.environment
    let now = call.now
    let account = signedIn.account
    let rights = signedIn.actor.rights.keys.sorted()
      .compactMap { try? call.authorize(.read, "Delivery", of: $0) }
    let isAdministrator = signedIn.actor.isAdministrator
    let model = try await environment.database.read { reader in
      StatusModel(
        isClockHeld: try !ReminderEngine.clockIsTrusted(now, in: reader),
        devices: try PushSubscriptions.list(account.id, now: now, in: reader),
        mailIsPossible: environment.channels.mailIsPossible,
        missed: try missed(
          rights.map(\.patient), now: now, accounts: environment.accounts, in: reader),
        zone: (try? PeopleQueries.zone(
          account.patient, zones: environment.zones, in: reader)) ?? .utc,
        server: isAdministrator
          ? Server(
            counters: try ReminderQueries.counters(
              since: now.adding(milliseconds: -day), in: reader),
            channels: try ChannelWeek.all(now: now, in: reader),
            troubles: try ReminderQueries.troubles(
              since: now.adding(milliseconds: -day), in: reader),
            patientsWithNobody: try ReminderQueries.patientsWithoutRecipients(
              now: now, in: reader),
            unconfirmedDevices: try ReminderQueries.unconfirmedDevices(now: now, in: reader),
            hasContact: environment.channels.hasContact,
            database: environment.database.engineDescription,
            auditIsSound: environment.database.anchorsAreSound,
            backups: environment.backups.health(environment.settings, now: now),
            interactions: environment.interactions,
            region: try ServerRegion.read(in: reader),
            missingZones: environment.faults.missingZones,
            lostLogLines: environment.logLosses.total,
            broker: environment.features[ifSet: HomeBroker.self]?.condition) : nil)
    }
    for right in rights {
      try await environment.audit(right, count: 1, at: now)
    }
    return model
  }

  /// Returns doses whose reminders were late, and those whose reminders were delivered on no
  /// channel.
  private static func missed(
    _ patients: [PatientID], now: Timestamp, accounts: AccountStore, in reader: any SQLReader
  ) throws -> [Missed] {
    let since = now.adding(milliseconds: -span)
    var found = try ReminderQueries.missed(
      patients: patients, since: since, now: now, in: reader
    ).map { Missed(dose: $0.id, due: $0.due, outcome: .stale) }
    var known = Set(found.map(\.dose))
    for patient in patients {
      let deliveries = try ReminderQueries.deliveries(
        patient: patient, from: since, until: now, accounts: accounts, in: reader)
      for delivery in notDelivered(deliveries) {
        for dose in delivery.doses where known.insert(dose).inserted {
          found.append(Missed(dose: dose, due: delivery.due, outcome: delivery.outcome))
        }
      }
    }
    return found.sorted { ($0.due, $0.dose.text) > ($1.due, $1.dose.text) }
  }

  /// Returns the last failure of each reminder that was never delivered and has no attempt left.
  static func notDelivered(_ deliveries: [Delivery]) -> [Delivery] {
    Dictionary(grouping: deliveries, by: \.subject).values.compactMap { group in
      let isTold = group.contains {
        $0.handedOver != nil || $0.answered != nil
          || [.planned, .retrying, .answered].contains($0.outcome)
      }
      guard !isTold else { return nil }
      return group.filter { $0.outcome == .failed || $0.outcome == .gone }
        .max { $0.planned < $1.planned }
    }
  }
}
