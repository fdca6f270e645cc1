// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Plans
import Scheduling
import Storage

/// The queries for deliveries of a patient; the caller has decided that access is allowed.
///
/// Deliveries about messages of a conversation are private to its participants and are never listed.
extension ReminderQueries {
  /// Returns the deliveries whose earliest due time is in an interval (`until` excluded), by due
  /// time, then by the time at which they were planned.
  package static func deliveries(
    patient: PatientID, from: Timestamp, until: Timestamp, accounts: AccountStore,
    in reader: any SQLReader
  ) throws(StorageError) -> [Delivery] {
    let rows = try reader.query(
      betweenStatement, [.text(patient), SQLValue(from), SQLValue(until)])
    return try deliveries(rows, accounts: accounts)
  }

  private static let betweenStatement = SQLStatement(
    """
    SELECT \(DeliveryRow.columns) FROM \(DeliveryRow.tables)
    WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3 AND r.kind <> 'message'
    ORDER BY d.due, d.planned, d.delivery
    """)

  /// Returns a patient's deliveries changed since an instant, earliest change first.
  package static func changed(
    patient: PatientID, after: Timestamp, limit: Int, accounts: AccountStore,
    in reader: any SQLReader
  ) throws(StorageError) -> [Delivery] {
    let rows = try reader.query(
      changedStatement, [.text(patient), SQLValue(after), SQLValue(limit)])
    return try deliveries(rows, accounts: accounts)
  }

  private static let changedStatement = SQLStatement(
    """
    SELECT \(DeliveryRow.columns) FROM \(DeliveryRow.tables)
    WHERE d.patient = $1 AND d.changed > $2 AND r.kind <> 'message'
    ORDER BY d.changed, d.delivery LIMIT $3
    """)

  /// Returns all deliveries for a dose, in the order in which they were planned.
  package static func story(
    _ dose: DoseID, patient: PatientID, accounts: AccountStore, in reader: any SQLReader
  ) throws(StorageError) -> [Delivery] {
    let row = try reader.first(
      doseStatement,
      [
        .text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text),
      ])?.read(EscalationDoseRow.self)
    guard let row else { return [] }
    let due = try row.timestamp(.due)
    // A group has the due time of its earliest dose, at most a late window before the dose's own.
    let near = try deliveries(
      patient: patient, from: due.adding(milliseconds: -13 * 3_600_000),
      until: due.adding(milliseconds: 1), accounts: accounts, in: reader)
    var found = near.filter { $0.doses.contains(dose) }
    if let subject: ReminderID = try row.optionalID(.reminder) {
      let rows = try reader.query(ofSubjectStatement, [.text(patient), .text(subject)])
      let known = Set(found.map(\.id))
      found += try deliveries(rows, accounts: accounts).filter {
        $0.doses.contains(dose) && !known.contains($0.id)
      }
    }
    return found.sorted { ($0.planned, $0.id) < ($1.planned, $1.id) }
  }

  private static let doseStatement = SQLStatement(
    """
    SELECT \(EscalationDoseRow.columns) FROM doses
    WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
    """)

  private static let ofSubjectStatement = SQLStatement(
    """
    SELECT \(DeliveryRow.columns) FROM \(DeliveryRow.tables)
    WHERE d.patient = $1 AND d.subject = $2
    """)

  private static func deliveries(_ rows: [SQLRow], accounts: AccountStore)
    throws(StorageError) -> [Delivery]
  {
    var found: [Delivery] = []
    found.reserveCapacity(rows.count)
    for row in rows {
      found.append(try Delivery(row.read(DeliveryRow.self), accounts: accounts))
    }
    return found
  }
}

/// The due time of a dose, with the subject that rings for it.
enum EscalationDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case due, reminder
  }

  static let columns = SQLColumns<Column>()
}
