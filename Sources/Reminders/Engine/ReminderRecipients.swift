// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The recipients of a patient's reminders: accounts with a valid grant as the patient or guardian, and
/// family members who agreed.
package enum ReminderRecipients {
  /// Returns the recipients by patient, in the order of account and device ids; none if no one acts
  /// for the patient.
  static func of(_ patients: [PatientID], at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [PatientID: [ReminderRecipient]]
  {
    let rows = try reader.query(
      """
      SELECT \(ReminderRecipientRow.columns) FROM grants g
      LEFT JOIN push_subscriptions s ON s.account = g.account AND s.gone IS NULL
      LEFT JOIN mailbox_choices m ON m.account = g.account
      LEFT JOIN silenced_channels x ON x.patient = g.patient AND x.account = g.account
      LEFT JOIN heart_rate_monitoring h ON h.patient = g.patient
      LEFT JOIN escalation_standby w ON w.patient = g.patient AND w.account = g.account
      LEFT JOIN escalation_agreements f
        ON f.patient = g.patient AND f.account = g.account AND f.accepted IS NOT NULL
      WHERE (g.relationship IN ('self', 'guardian') OR (g.relationship = 'family'
          AND f.account IS NOT NULL AND (' ' || g.categories || ' ' LIKE '% adherence %'
            OR ' ' || g.categories || ' ' LIKE '% heart-rate %')))
        AND g.starts <= $1
        AND (g.ends IS NULL OR g.ends > $1) AND g.patient IN (
      """, [SQLValue(now)], in: patients.map { .text($0) })
    var found: [PatientID: [AccountID: ReminderRecipient]] = [:]
    for row in rows {
      let row = row.read(ReminderRecipientRow.self)
      let (patient, account) = (
        try row.id(.patient) as PatientID, try row.id(.account) as AccountID
      )
      let silenced = try row.optionalText(.channels)?.split(separator: " ") ?? []
      var known =
        found[patient]?[account]
        ?? ReminderRecipient(
          account: account, devices: [],
          isMailboxSilent: row[.mailSilenced] != .null || silenced.contains("mail"), isFamily: true)
      known.silenced = Set(silenced.compactMap { ReminderChannel(rawValue: String($0)) })
      let shared = try row.text(.categories).split(separator: " ")
      if shared.contains("adherence") { known.hears.insert(.doses) }
      if shared.contains("heart-rate"), try row.optionalInteger(.tellsFamily) != 0 {
        known.hears.insert(.warning)
      }
      let relationship = try row.text(.relationship)
      // Someone who acts for the patient does so whatever other roles they have.
      if relationship != "family" { known.isFamily = false }
      if relationship == "guardian", row[.standbySince] != .null { known.isWaiting = true }
      if let subscription = try row.optionalText(.subscription), !known.silenced.contains(.push),
        // An account that is both the patient's own and a guardian's is informed once.
        !known.devices.contains(where: { $0.subscription == subscription })
      {
        known.devices.append(
          ReminderRecipient.Device(
            subscription: subscription, unshown: try row.integer(.unshown),
            firstUnshown: try row.optionalTimestamp(.firstUnshown)))
      }
      found[patient, default: [:]][account] = known
    }
    let addresses = try proven(Set(found.values.flatMap(\.keys)).sorted(), in: reader)
    return found.mapValues { accounts in
      // Someone must be informed at once, even if all chose to wait.
      let isAnyAtOnce = accounts.values.contains { !$0.isFamily && !$0.isWaiting }
      return accounts.values.map { recipient in
        var recipient = recipient
        recipient.isWaiting = recipient.isWaiting && !recipient.isFamily && isAnyAtOnce
        recipient.devices.sort { $0.subscription < $1.subscription }
        recipient.addresses = (addresses[recipient.account] ?? [])
          .filter { !recipient.silenced.contains($0.channel) }
        return recipient
      }
      .sorted { $0.account < $1.account }
    }
  }

  /// Returns the confirmed addresses of some accounts in addition to push and mail, in the order of
  /// their ids.
  package static func proven(_ accounts: [AccountID], in reader: any SQLReader)
    throws(StorageError) -> [AccountID: [EscalationAddress]]
  {
    guard !accounts.isEmpty else { return [:] }
    let rows = try reader.query(
      """
      SELECT \(ProvenAddressRow.columns) FROM channel_addresses
      WHERE gone IS NULL AND confirmed IS NOT NULL AND account IN (
      """, [], in: accounts.map { .text($0) })
    var found: [AccountID: [EscalationAddress]] = [:]
    for row in rows {
      let row = row.read(ProvenAddressRow.self)
      let account: AccountID = try row.id(.account)
      found[account, default: []].append(
        EscalationAddress(
          recipient: account, channel: try row.named(.channel), address: try row.text(.address)))
    }
    return found.mapValues { $0.sorted { $0.address < $1.address } }
  }
}

/// A grant with one of its account's devices, or without one.
enum ReminderRecipientRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, account, subscription, unshown, firstUnshown, mailSilenced, relationship
    case channels, standbySince, categories, tellsFamily
  }

  static let columns = SQLColumns<Column>(
    of: "g",
    [
      .subscription: "s.subscription", .unshown: "s.unshown", .firstUnshown: "s.first_unshown",
      .mailSilenced: """
      COALESCE(m.silenced, (SELECT a.by_phone FROM accounts a
        WHERE a.account = g.account AND a.by_phone = 1))
      """,
      .channels: "x.channels", .standbySince: "w.since", .tellsFamily: "h.tells_family",
    ])
}

/// A confirmed address other than push and mail.
enum ProvenAddressRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case account, channel, address
  }

  static let columns = SQLColumns<Column>()
}
