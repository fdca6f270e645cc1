// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage

/// Doses that passed without an answer: what a person is gently asked about later.
package enum MissedDoses {
  /// How far back is asked, in milliseconds: nobody remembers further.
  package static let reach: Int64 = 30 * 24 * 3_600_000

  /// How many there are and when the first was due.
  package struct Summary: Sendable, Hashable {
    package let count: Int
    package let first: Timestamp
  }

  /// Those due before an instant whose window is over; nil where there is none.
  package static func summary(
    of patient: PatientID, dueBefore end: Timestamp, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Summary? {
    let row = try reader.first(
      """
      SELECT COUNT(*), MIN(d.due) FROM doses d
      LEFT JOIN unknown_doses u ON u.patient = d.patient AND u.plan = d.plan AND u.era = d.era
        AND u.occurrence = d.occurrence
      WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3 AND d.late_until <= $4
        AND d.state = 'open' AND u.patient IS NULL
      """,
      [
        .text(patient), SQLValue(now.adding(milliseconds: -reach)), SQLValue(end), SQLValue(now),
      ])
    guard let row, let first = try row.optionalTimestamp(1) else { return nil }
    return Summary(count: Int(clamping: try row.integer(0)), first: first)
  }

  /// The first of them.
  package static func first(
    of patient: PatientID, dueBefore end: Timestamp, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> DoseID? {
    let row = try reader.first(
      """
      SELECT d.plan, d.era, d.occurrence FROM doses d
      LEFT JOIN unknown_doses u ON u.patient = d.patient AND u.plan = d.plan AND u.era = d.era
        AND u.occurrence = d.occurrence
      WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3 AND d.late_until <= $4
        AND d.state = 'open' AND u.patient IS NULL
      ORDER BY d.due, d.plan, d.occurrence LIMIT 1
      """,
      [
        .text(patient), SQLValue(now.adding(milliseconds: -reach)), SQLValue(end), SQLValue(now),
      ])
    guard let row else { return nil }
    let key = DoseKey(
      patient: patient, plan: try row.id(0), era: try row.integer(1),
      occurrence: try row.text(2))
    return key.dose
  }

  /// Notes that nobody knows what became of a dose, or of all that passed; they are not asked about again.
  ///
  /// It is no answer: the dose stays without one, and takes one at any later time. The caller has decided
  /// that the account may answer.
  package static func noteUnknown(
    _ dose: DoseID?, of patient: PatientID, by account: AccountID, dueBefore end: Timestamp,
    now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let rows = try writer.query(
      """
      SELECT plan, era, occurrence FROM doses
      WHERE patient = $1 AND due >= $2 AND due < $3 AND late_until <= $4 AND state = 'open'
      """,
      [
        .text(patient), SQLValue(now.adding(milliseconds: -reach)), SQLValue(end), SQLValue(now),
      ])
    for row in rows {
      if let dose {
        let (plan, era, occurrence) = (try row.id(0) as PlanID, try row.integer(1), try row.text(2))
        guard plan == dose.plan, era == dose.era, occurrence == dose.occurrence.text else {
          continue
        }
      }
      try writer.execute(
        """
        INSERT INTO unknown_doses (patient, plan, era, occurrence, account, at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (patient, plan, era, occurrence) DO NOTHING
        """, [.text(patient), row[0], row[1], row[2], .text(account), SQLValue(now)])
    }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: "Dose",
        resourceID: dose?.text, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }
}
