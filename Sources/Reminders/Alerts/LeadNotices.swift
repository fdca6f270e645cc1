// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

/// The advance notices of doses, for the medicines for which a person wants them.
///
/// There is one notice for all doses that ring together. It is opened as an alert shortly before
/// its moment, and checked again at that moment.
package enum LeadNotices {
  /// The longest time before a dose at which a notice can be sent, in minutes.
  package static let longest = 1_440
  /// The time before their moment at which notices are created, in milliseconds, so that earlier changes need
  /// no updates.
  static let reach: Int64 = 10 * 60_000
  /// The age beyond which a notice is no longer created, in milliseconds.
  static let patience: Int64 = 120_000

  /// Returns the patients, in the order of their ids after one, who have doses whose advance notice
  /// may be near.
  package static func near(
    _ now: Timestamp, after patient: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID] {
    try reader.query(
      """
      SELECT DISTINCT d.patient FROM plan_reminders n
      JOIN plans p ON p.patient = n.patient AND p.plan = n.plan
      JOIN doses d ON d.patient = n.patient AND d.plan = n.plan
      LEFT JOIN reminder_choices c ON c.patient = n.patient
      WHERE n.lead IS NOT NULL AND n.is_silent = 0 AND p.status = 'active'
        AND p.unplanned_reason IS NULL AND d.state = 'open' AND d.later_until IS NULL
        AND d.due > $1 AND d.due - n.lead * 60000 <= $2
        AND ((d.due > $3 AND d.due - n.lead * 60000 > $4)
          OR c.weekend_minute IS NOT NULL OR c.holiday_minute IS NOT NULL)
        AND n.patient > $5
      ORDER BY d.patient LIMIT $6
      """,
      [
        SQLValue(now.adding(milliseconds: -LeadPlan.longestHold)),
        SQLValue(now.adding(milliseconds: reach)), SQLValue(now),
        SQLValue(now.adding(milliseconds: -patience - ReminderGrouping.windowMilliseconds)),
        .text(patient), SQLValue(limit),
      ]
    ).values()
  }

  /// Returns true if the pending notices of a patient differ from the ones that there should be.
  package static func isBehind(
    _ patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    let plan = try LeadPlan.load(patient, now: now, zones: zones, in: reader)
    return Set(plan.pending.map(LeadNotice.init)) != Set(plan.notices)
  }

  /// Opens the notices of a patient that are near, and deletes pending ones that are no longer
  /// wanted.
  package static func renew(
    _ patient: PatientID, now: Timestamp, zones: ZoneCatalog, newIdentifier: () -> String,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let plan = try LeadPlan.load(patient, now: now, zones: zones, in: writer)
    let wanted = Set(plan.notices)
    var known: Set<LeadNotice> = []
    for alert in plan.pending {
      let notice = LeadNotice(alert)
      if wanted.contains(notice) {
        known.insert(notice)
      } else {
        // No one has seen it yet, so it can be deleted.
        try AlertRows.remove(alert, in: writer)
      }
    }
    for notice in plan.notices where !known.contains(notice) {
      try AlertCommands.open(
        notice.alert(of: patient), newIdentifier: newIdentifier, at: now, in: writer)
    }
  }

  /// Returns true if a notice is still valid: its doses are open, their medicines ring, and the first dose is
  /// due at the same time.
  static func stands(
    _ alert: Alert, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    let doses = LeadNotice(alert).doses
    // Alarms cancel their own notices.
    guard doses.contains(where: { DoseID(text: $0) != nil }) else { return true }
    let plan = try LeadPlan.load(
      alert.patient, now: now, zones: zones, besides: alert.id, in: reader)
    return plan.notices.contains {
      $0.moment == alert.ringsFrom && $0.due == alert.due
        && !Set($0.doses).isDisjoint(with: doses)
    }
  }
}

/// An advance notice: its doses, the time at which the first of them rings, and the time at which it is sent.
struct LeadNotice: Sendable, Hashable {
  /// The identifiers of the doses, in order.
  let doses: [String]
  let due: Timestamp
  let moment: Timestamp

  init(doses: [String], due: Timestamp, moment: Timestamp) {
    self.doses = doses.sorted()
    self.due = due
    self.moment = moment
  }

  init(_ alert: Alert) {
    self.init(
      doses: alert.source.split(separator: " ").map(String.init), due: alert.due,
      moment: alert.ringsFrom)
  }

  func alert(of patient: PatientID) -> NewAlert {
    let source = doses.joined(separator: " ")
    let digest = Fingerprint.digest(
      of: Array("\(source) \(due.milliseconds) \(moment.milliseconds)".utf8))
    return NewAlert(
      patient: patient, id: AlertID("lead-\(Base64URL.encode(Array(digest.prefix(18))))"),
      kind: .lead,
      source: source, due: due, ringsFrom: moment, ends: due)
  }
}

/// A dose with an advance notice.
struct LeadDose: Sendable, Hashable {
  let id: String
  /// The time at which its reminder rings.
  let rings: Timestamp
  /// The time of the notice before the reminder, in minutes.
  let lead: Int64
}

/// A dose of a medicine with advance notices.
enum LeadDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence, due, lateUntil, lead, isCritical
  }

  static let columns = SQLColumns<Column>(
    of: "d", [.lead: "n.lead", .isCritical: "n.is_critical"])
}

/// The advance notices that a patient should have soon, and the ones that are pending.
struct LeadPlan: Sendable {
  let notices: [LeadNotice]
  /// The notices that exist and whose time has not come.
  let pending: [Alert]

  /// The maximum delay of a reminder by weekends and holidays, in milliseconds.
  static let longestHold: Int64 = 12 * 3_600_000

  /// Reads the plan of a patient.
  ///
  /// - Parameter besides: the identifier of an alert to leave out.
  static func load(
    _ patient: PatientID, now: Timestamp, zones: ZoneCatalog, besides: AlertID? = nil,
    in reader: any SQLReader
  ) throws(StorageError) -> LeadPlan {
    let leads = try AlertRows.ending(
      after: now.adding(milliseconds: -ReminderGrouping.windowMilliseconds), patient: patient,
      in: reader
    ).filter { $0.kind == .lead && $0.id != besides && $0.state != .cancelled }
    let told = leads.filter { $0.ringsFrom <= now }
    let sleepIn = try SleepIn.of([patient], zones: zones, in: reader)[patient]
    var doses: [LeadDose] = []
    let rows = try reader.query(
      leadDosesStatement, [.text(patient), SQLValue(now.adding(milliseconds: -longestHold))])
    for row in rows {
      let row = row.read(LeadDoseRow.self)
      let key = DoseKey(
        patient: patient, plan: try row.id(.plan), era: try row.integer(.era),
        occurrence: try row.text(.occurrence))
      let (due, lateUntil) = (try row.timestamp(.due), try row.timestamp(.lateUntil))
      let isCritical = try row.bool(.isCritical)
      let rings = sleepIn?.rings(due: due, lateUntil: lateUntil, isCritical: isCritical) ?? due
      let wasTold = told.contains { notice in
        LeadNotice(notice).doses.contains(key.text)
          && rings.milliseconds.subtractingClamped(notice.due.milliseconds).magnitude
            <= ReminderGrouping.windowMilliseconds.magnitude
      }
      guard rings > now, !wasTold else { continue }
      doses.append(LeadDose(id: key.text, rings: rings, lead: try row.integer(.lead)))
    }
    return LeadPlan(
      notices: notices(doses, now: now),
      pending: leads.filter {
        $0.ringsFrom > now && $0.state == .open
          && LeadNotice($0).doses.first.flatMap { DoseID(text: $0) } != nil
      })
  }

  private static let leadDosesStatement = SQLStatement(
    """
    SELECT \(LeadDoseRow.columns) FROM plan_reminders n
    JOIN plans p ON p.patient = n.patient AND p.plan = n.plan
    JOIN doses d ON d.patient = n.patient AND d.plan = n.plan
    LEFT JOIN reminders r ON r.patient = d.patient AND r.subject = d.reminder
    WHERE n.patient = $1 AND n.lead IS NOT NULL AND n.is_silent = 0 AND p.status = 'active'
      AND p.unplanned_reason IS NULL AND d.state = 'open' AND d.later_until IS NULL
      AND d.due > $2 AND (r.subject IS NULL OR r.step = 0)
    """)

  /// Returns one notice for the doses within fifteen minutes of the first, sent at the earliest
  /// time wanted for any of them.
  static func notices(_ doses: [LeadDose], now: Timestamp) -> [LeadNotice] {
    var notices: [LeadNotice] = []
    var rest = doses.sorted { ($0.rings, $0.id) < ($1.rings, $1.id) }[...]
    while let first = rest.first {
      let end = first.rings.adding(milliseconds: ReminderGrouping.windowMilliseconds)
      let group = rest.prefix { $0.rings <= end }.prefix(ReminderGrouping.largest)
      rest = rest.dropFirst(group.count)
      let moments = group.map { $0.rings.adding(milliseconds: -$0.lead * 60_000) }
      // A time that passed during an outage is skipped; the next one of the group counts.
      guard
        let moment = moments.filter({ $0 > now.adding(milliseconds: -LeadNotices.patience) }).min(),
        moment <= now.adding(milliseconds: LeadNotices.reach)
      else { continue }
      notices.append(LeadNotice(doses: group.map(\.id), due: first.rings, moment: moment))
    }
    return notices
  }
}
