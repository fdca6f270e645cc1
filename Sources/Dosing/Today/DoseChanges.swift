// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Scheduling
import Storage

extension DoseQueries {
  /// Returns the current end of the audit chain in this snapshot.
  package static func cursor(at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> ChangeCursor
  {
    let sequence = try reader.first("SELECT COALESCE(MAX(sequence), 0) FROM audit_heads")?
      .value(as: Int64.self)
    return ChangeCursor(sequence: sequence ?? 0, at: now)
  }

  /// Returns a patient's doses that were answered, moved or cancelled since a cursor, or that
  /// became due or missed since, sorted by due time.
  ///
  /// For an edited plan only its doses from a day ago to two days ahead are returned.
  package static func changed(
    since cursor: ChangeCursor, patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    let touched = try touched(since: cursor, patient: patient, in: reader)
    let around = try DoseStore.between(
      now.adding(milliseconds: -day), now.adding(milliseconds: 2 * day), patient: patient,
      most: DoseListing.most, now: now, in: reader)
    var found: [Dose] = []
    var known: Set<DoseID> = []
    for dose in around
    where touched.everything || touched.plans.contains(dose.plan) || touched.doses.contains(dose.id)
      || hasTurned(dose, since: cursor.at, until: now)
    {
      found.append(dose)
      known.insert(dose.id)
    }
    for id in touched.doses.subtracting(known) {
      if let dose = try DoseStore.one(id, patient: patient, now: now, in: reader) {
        found.append(dose)
      }
    }
    return found.sorted { ($0.due, $0.id.text) < ($1.due, $1.id.text) }
  }

  private static let day: Int64 = 24 * 3_600_000

  /// The maximum time in milliseconds between the start of a request, which its audit rows carry, and its
  /// commit.
  package static let longestWait: Int64 = 10 * 60_000

  /// The resources named in the audit trail.
  private struct Touched {
    var everything = false
    var plans: Set<PlanID> = []
    var doses: Set<DoseID> = []
  }

  private static func touched(
    since cursor: ChangeCursor, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Touched {
    let rows: [TouchedRow] = try reader.query(
      touchedStatement,
      [
        .text(patient), SQLValue(cursor.at.adding(milliseconds: -longestWait)),
        .integer(cursor.sequence),
      ]
    ).decode()
    var touched = Touched()
    for row in rows {
      let id = row.id ?? ""
      switch row.resource {
      case "Dose": if let dose = DoseID(text: id) { touched.doses.insert(dose) }
      case "MedicationRequest": touched.plans.insert(PlanID(id))
      default: touched.everything = true
      }
    }
    return touched
  }

  private static let touchedStatement = SQLStatement(
    """
    SELECT \(TouchedRow.columns) FROM audit
    WHERE patient = $1 AND at >= $2 AND sequence > $3 AND outcome = 'success'
      AND kind NOT IN ('read', 'search')
      AND resource IN ('Dose', 'MedicationRequest', 'Patient')
    """)

  /// Returns true if an open dose began to ring or was missed after one instant and by another.
  private static func hasTurned(_ dose: Dose, since: Timestamp, until: Timestamp) -> Bool {
    guard dose.state == .due || dose.state == .missed else { return false }
    let rings = dose.laterUntil ?? dose.due
    return (rings > since && rings <= until) || (dose.lateUntil > since && dose.lateUntil <= until)
  }
}

/// A resource named in the audit trail.
struct TouchedRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case resource, resourceId
  }

  static let columns = SQLColumns<Column>()

  let resource: String
  let id: String?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    resource = try row.text(.resource)
    id = try row.optionalText(.resourceId)
  }
}
