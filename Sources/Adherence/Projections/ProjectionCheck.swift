// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage
import Supply

/// A row that contradicts the facts, with only its ids.
package struct ProjectionFault: Sendable, Hashable {
  /// A kind of disagreement between a projection and the facts.
  package enum Kind: String, Sendable, CaseIterable {
    /// The state of a dose does not match its answers.
    case dose
    /// An answered dose has no row.
    case doseMissing = "dose-missing"
    /// An intake has no answer or record.
    case intakeUnfounded = "intake-unfounded"
    /// An answer says that something was taken, but there is no intake.
    case intakeMissing = "intake-missing"
    /// The MedicationAdministration of an answer in force is missing.
    case recordMissing = "record-missing"
    /// The balance of a pack is not the sum of the stock's ledger.
    case stockBalance = "stock-balance"
    /// The time of a stock's last count does not match its ledger.
    case stockCount = "stock-count"
  }

  /// The kind of disagreement.
  package let kind: Kind
  /// The person whose data it is.
  package let patient: PatientID
  /// The id of a dose, an administration or a stock; for a balance the stock and the pack,
  /// separated by a space.
  package let id: String
}

/// The comparison of projections with the facts: doses with answers, intakes with answers and records, and
/// supplies with their ledgers.
package enum ProjectionCheck {
  /// The maximum number of faults of one kind.
  static let limit = 500

  /// Returns the faults, at most 500 of each kind.
  package static func faults(in reader: any SQLReader) throws(StorageError) -> [ProjectionFault] {
    var faults: [ProjectionFault] = []
    for (kind, sql) in [
      (ProjectionFault.Kind.dose, ProjectionSQL.doses),
      (.doseMissing, ProjectionSQL.dosesMissing),
      (.intakeUnfounded, ProjectionSQL.intakesUnfounded),
      (.intakeMissing, ProjectionSQL.intakesMissing),
      (.recordMissing, ProjectionSQL.recordsMissing),
      (.stockBalance, StockProjection.balances),
      (.stockCount, StockProjection.counts),
    ] {
      let rows: [ProjectionFaultRow] = try reader.query(dynamic: sql, [SQLValue(limit)]).decode()
      faults += rows.map { ProjectionFault(kind: kind, patient: $0.patient, id: $0.id) }
    }
    return faults
  }
}

/// The result row of every query of the check.
struct ProjectionFaultRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, id
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let id: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    id = try row.text(.id)
  }
}

/// The queries of the check; each returns the columns of ``ProjectionFaultRow``, for at most `$1` rows.
enum ProjectionSQL {
  /// The last answer `a` of each dose `d`.
  static let lastAnswers: SQLText = """
    doses d LEFT JOIN (
      SELECT patient, plan, era, occurrence, MAX(dose_version) AS version FROM answers
      WHERE occurrence IS NOT NULL AND dose_version IS NOT NULL
      GROUP BY patient, plan, era, occurrence
    ) v ON v.patient = d.patient AND v.plan = d.plan AND v.era = d.era
      AND v.occurrence = d.occurrence
    LEFT JOIN answers a ON a.patient = v.patient AND a.plan = v.plan AND a.era = v.era
      AND a.occurrence = v.occurrence AND a.dose_version = v.version
    """

  /// A final answer determines the state; later, undo and no answer leave the dose without one.
  static let dosesAreWrong: SQLText = """
    CASE WHEN a.action IN ('taken', 'skipped', 'refused')
      THEN d.state <> a.action OR d.answer IS NULL OR d.answer <> a.answer
        OR d.answered_at IS NULL OR d.answered_at <> a.at
      ELSE d.state IN ('taken', 'skipped', 'refused') OR d.answered_at IS NOT NULL
        OR (d.answer IS NOT NULL AND (a.action IS NULL OR a.action <> 'later' OR d.answer <> a.answer))
      END
    """

  static var doses: SQLText {
    var sql: SQLText = """
      SELECT d.patient, d.plan || '_' || d.era || '_' || d.occurrence FROM
      """
    sql.append(" ")
    sql.append(contentsOf: lastAnswers)
    sql.append(" WHERE ")
    sql.append(contentsOf: dosesAreWrong)
    sql.append(" ORDER BY 1, 2 LIMIT $1")
    return sql
  }

  static let dosesMissing: SQLText = """
    SELECT DISTINCT a.patient, a.plan || '_' || a.era || '_' || a.occurrence FROM answers a
    WHERE a.occurrence IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM doses d WHERE d.patient = a.patient AND d.plan = a.plan AND d.era = a.era
        AND d.occurrence = a.occurrence)
    ORDER BY 1, 2 LIMIT $1
    """

  static let intakesUnfounded: SQLText = """
    SELECT i.patient, i.administration FROM intakes i
    WHERE CASE WHEN i.occurrence IS NULL
      THEN NOT EXISTS (
        SELECT 1 FROM resources r WHERE r.type = 'MedicationAdministration'
          AND r.patient = i.patient AND r.id = i.administration AND r.status = 'completed')
      ELSE NOT EXISTS (
        SELECT 1 FROM doses d JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
        WHERE d.patient = i.patient AND d.plan = i.plan AND d.era = i.era
          AND d.occurrence = i.occurrence AND d.state = 'taken'
          AND a.administration = i.administration)
      END
    ORDER BY 1, 2 LIMIT $1
    """

  static let intakesMissing: SQLText = """
    SELECT missing.patient, missing.administration FROM (
      SELECT a.patient, a.administration FROM doses d
      JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
      WHERE d.state = 'taken' AND a.administration IS NOT NULL
      UNION
      SELECT a.patient, a.administration FROM answers a
      WHERE a.occurrence IS NULL AND a.action <> 'undo' AND EXISTS (
        SELECT 1 FROM resources r WHERE r.type = 'MedicationAdministration'
          AND r.patient = a.patient AND r.id = a.administration AND r.status = 'completed')
    ) missing
    WHERE NOT EXISTS (
      SELECT 1 FROM intakes i
      WHERE i.patient = missing.patient AND i.administration = missing.administration)
    ORDER BY 1, 2 LIMIT $1
    """

  static let recordsMissing: SQLText = """
    SELECT a.patient, a.administration FROM doses d
    JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
    WHERE a.administration IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM resources r WHERE r.type = 'MedicationAdministration'
        AND r.patient = a.patient AND r.id = a.administration)
    ORDER BY 1, 2 LIMIT $1
    """
}
