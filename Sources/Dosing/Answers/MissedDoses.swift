// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Plans
import Scheduling
import Storage

/// Unanswered doses whose window has passed, about which a person is asked later.
package enum MissedDoses {
  /// The milliseconds to look back.
  private static let reach = SnapshotReach.missedDoses

  /// The number of missed doses, and the time at which the first was due.
  package struct Summary: Sendable, Hashable {
    /// The number of missed doses, at least 1.
    package let count: Int
    /// The time at which the first of them was due.
    package let first: Timestamp
  }

  /// Returns the missed doses due before an instant, without those marked as unknown; nil if there
  /// are none.
  package static func summary(
    of patient: PatientID, dueBefore end: Timestamp, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Summary? {
    let row = try reader.first(
      summaryStatement,
      [
        .text(patient), SQLValue(now.adding(milliseconds: -reach)), SQLValue(end), SQLValue(now),
      ])?.read(MissedSummaryRow.self)
    guard let row, let first = try row.optionalTimestamp(.first) else { return nil }
    return Summary(count: Int(clamping: try row.integer(.count)), first: first)
  }

  // SQLite takes the index `doses_not_taken` only for a statement that repeats its condition.
  private static let summaryStatement = SQLStatement(
    """
    SELECT \(MissedSummaryRow.columns) FROM doses d
    LEFT JOIN unknown_doses u ON u.patient = d.patient AND u.plan = d.plan AND u.era = d.era
      AND u.occurrence = d.occurrence
    WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3 AND d.late_until <= $4
      AND d.state = 'open' AND d.state IN ('open', 'refused') AND u.patient IS NULL
    """)

  /// Returns the earliest missed dose due before an instant; nil if there is none.
  package static func first(
    of patient: PatientID, dueBefore end: Timestamp, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> DoseID? {
    let row: DoseIDRow? = try reader.first(
      firstStatement,
      [
        .text(patient), SQLValue(now.adding(milliseconds: -reach)), SQLValue(end), SQLValue(now),
      ])?.decode()
    return row?.dose
  }

  private static let firstStatement = SQLStatement(
    """
    SELECT \(DoseIDRow.columns) FROM doses d
    LEFT JOIN unknown_doses u ON u.patient = d.patient AND u.plan = d.plan AND u.era = d.era
      AND u.occurrence = d.occurrence
    WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3 AND d.late_until <= $4
      AND d.state = 'open' AND d.state IN ('open', 'refused') AND u.patient IS NULL
    ORDER BY d.due, d.plan, d.occurrence LIMIT 1
    """)

  /// Marks a dose, or all missed doses if nil, as unknown, so that no one is asked about them
  /// again.
  ///
  /// This is not an answer: the dose stays open and can be answered at any later time. The caller
  /// has checked that the account may answer.
  package static func noteUnknown(
    _ dose: DoseID?, of patient: PatientID, by account: AccountID, dueBefore end: Timestamp,
    now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let rows: [DoseIDRow] = try writer.query(
      passedStatement,
      [
        .text(patient), SQLValue(now.adding(milliseconds: -reach)), SQLValue(end), SQLValue(now),
      ]
    ).decode()
    for row in rows {
      if let dose {
        guard row.plan == dose.plan, row.era == dose.era, row.occurrence == dose.occurrence.text
        else { continue }
      }
      let unknown = UnknownDoseRow(patient: patient, dose: row, account: account, at: now)
      try writer.execute(insertStatement, unknown.values)
    }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: "Dose",
        resourceID: dose?.text, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO unknown_doses (\(UnknownDoseRow.columns)) VALUES (\(UnknownDoseRow.placeholders))
    ON CONFLICT (patient, plan, era, occurrence) DO NOTHING
    """)

  private static let passedStatement = SQLStatement(
    """
    SELECT \(DoseIDRow.columns) FROM doses d
    WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3 AND d.late_until <= $4
      AND d.state = 'open' AND d.state IN ('open', 'refused')
    """)
}

/// The number of missed doses, with the time at which the first was due; null if there are none.
enum MissedSummaryRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case count, first
  }

  static let columns = SQLColumns<Column>(of: "d", [.count: "COUNT(*)", .first: "MIN(d.due)"])
}

/// A row of `unknown_doses`: a dose whose outcome no one knows.
struct UnknownDoseRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, era, occurrence, account, at
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let dose: DoseIDRow
  let account: AccountID
  let at: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(dose.plan)
    case .era: .integer(dose.era)
    case .occurrence: .text(dose.occurrence)
    case .account: .text(account)
    case .at: SQLValue(at)
    }
  }
}
