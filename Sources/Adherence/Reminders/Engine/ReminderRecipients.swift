// SPDX-License-Identifier: Apache-2.0

import Storage

/// Who is told of a patient's doses: accounts with a grant of their own or as guardian in force.
enum ReminderRecipients {
  /// By patient, in the order of account and device ids; none where nobody acts for the patient.
  static func of(_ patients: [String], at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [String: [ReminderRecipient]]
  {
    let rows = try reader.query(
      """
      SELECT g.patient, g.account, s.subscription, s.unshown, s.first_unshown
      FROM grants g
      LEFT JOIN push_subscriptions s ON s.account = g.account AND s.gone IS NULL
      WHERE g.relationship IN ('self', 'guardian') AND g.starts <= $1
        AND (g.ends IS NULL OR g.ends > $1) AND g.patient IN (
      """, [SQLValue(now)], in: patients.map { .text($0) })
    var devices: [String: [String: [ReminderRecipient.Device]]] = [:]
    for row in rows {
      let (patient, account) = (try row.text(0), try row.text(1))
      var known = devices[patient]?[account] ?? []
      if let subscription = try row.optionalText(2),
        // One who is both oneself and guardian is told once.
        !known.contains(where: { $0.subscription == subscription })
      {
        known.append(
          ReminderRecipient.Device(
            subscription: subscription, unshown: try row.integer(3),
            firstUnshown: try row.optionalTimestamp(4)))
      }
      devices[patient, default: [:]][account] = known
    }
    return devices.mapValues { accounts in
      accounts.map { account, devices in
        ReminderRecipient(
          account: account, devices: devices.sorted { $0.subscription < $1.subscription })
      }
      .sorted { $0.account < $1.account }
    }
  }
}
