// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Prescriptions
import Storage

/// The outbox of a hospital: each answer that belongs to a prescription of a hospital, once for
/// each connection, with how far it has got.
package enum HospitalOutbox {
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// It is to be sent, or was and nobody knows what became of it.
    case waiting
    /// It reached the hospital as it is.
    case reached
    /// The hospital refused it; it is not sent again by itself.
    case refused
    /// It is not the hospital's: another's prescription, or brought in from elsewhere.
    case apart = "none"
  }

  /// How far back changes are looked for again: commits may come in another order than their times.
  private static let overlap: Int64 = 10 * 60_000

  /// Takes up what was answered since, for connections that want it; how many rows changed.
  ///
  /// What a dose's silence means is nobody's to say: only records are taken up, and those are answers.
  package static func plan(limit: Int, now: Timestamp, in writer: any SQLWriter) throws -> Int {
    let rows: [NewAnswerRow] = try writer.query(newAnswers, [SQLValue(limit)]).decode()
    for row in rows {
      let state: State = try belongs(row, in: writer) ? .waiting : .apart
      try HospitalOutboxStore.queue(
        QueuedAnswerRow(answer: row, state: state, now: now), in: writer)
    }
    if rows.count < limit {
      // Everything up to now is taken up.
      try HospitalConnectionStore.setPlanned(
        until: now.adding(milliseconds: -overlap),
        whereBefore: now.adding(milliseconds: -3 * overlap), in: writer)
    }
    return rows.count
  }

  private static let newAnswers = SQLStatement(
    """
    SELECT \(NewAnswerRow.columns)
    FROM hospital_connections c
    JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = c.patient
      AND r.last_updated >= c.planned_until
    LEFT JOIN hospital_outbox o ON o.patient = c.patient AND o.connection = c.connection
      AND o.administration = r.id
    WHERE c.writes_since IS NOT NULL AND c.person IS NOT NULL
      AND (o.version IS NULL OR o.version < r.version)
    ORDER BY c.patient, c.connection, r.last_updated LIMIT $1
    """)

  private static func belongs(
    _ answer: NewAnswerRow, in reader: any SQLReader
  ) throws -> Bool {
    if answer.wasSent { return true }
    // What was taken back before it was ever sent need not be told.
    guard answer.status == "completed" || answer.status == "not-done" else { return false }
    guard
      let json = try? JSONValue(parsing: Array(answer.body.utf8)),
      let request = json["request"]?["reference"]?.string,
      request.hasPrefix("MedicationRequest/")
    else { return false }
    let plan = String(request.dropFirst("MedicationRequest/".count))
    let address = try ForeignPlans.address(
      of: PlanID(plan), below: answer.base, patient: answer.patient, in: reader)
    let base = HospitalAddress(answer.base)
    guard let address, let type = base?.local(address)?.type,
      type == "MedicationRequest" || type == "MedicationOrder"
    else { return false }
    return try !ForeignPlans.isImported(
      administration: answer.administration, patient: answer.patient, in: reader)
  }

  /// Gives back what this process, the only one on its database, had in hand when it died.
  package static func reclaim(at now: Timestamp, in writer: any SQLWriter) throws {
    try HospitalOutboxStore.reclaim(at: now, in: writer)
    try HospitalConnectionStore.reclaim(at: now, in: writer)
  }

  /// An answer as a page tells of it.
  package struct Line: Sendable, Hashable {
    package let administration: AdministrationID
    package let state: State
    package let status: String
    package let medicine: String
    package let effective: String
    package let tries: Int
    package let trouble: String?
    package let words: String?
    package let reached: Timestamp?
    package let changed: Timestamp
  }

  /// The latest answers of a connection, and how many there are in each state.
  package static func lines(
    _ connection: ConnectionID, patient: PatientID, limit: Int, in reader: any SQLReader
  ) throws -> (lines: [Line], counts: [State: Int]) {
    let rows = try reader.query(latest, [.text(patient), .text(connection), SQLValue(limit)])
    let states: [OutboxStateRow] = try reader.query(
      stateCounts, [.text(patient), .text(connection)]
    ).decode()
    var counts: [State: Int] = [:]
    for row in states {
      if let state = row.state { counts[state] = row.count }
    }
    return (try rows.map { try Line($0.read(OutboxLineRow.self)) }, counts)
  }

  private static let latest = SQLStatement(
    """
    SELECT \(OutboxLineRow.columns)
    FROM hospital_outbox o
    LEFT JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = o.patient
      AND r.id = o.administration
    WHERE o.patient = $1 AND o.connection = $2 AND o.state <> 'none'
    ORDER BY o.changed DESC, o.administration LIMIT $3
    """)

  private static let stateCounts = SQLStatement(
    """
    SELECT \(OutboxStateRow.columns) FROM hospital_outbox WHERE patient = $1 AND connection = $2
    GROUP BY state
    """)
}

extension HospitalOutbox {
  /// Whether anything is to be fetched, taken up or sent.
  package static func isAnythingDue(_ now: Timestamp, in reader: any SQLReader) throws -> Bool {
    let due = try reader.first(
      """
      SELECT 1 FROM hospital_connections WHERE state = 'working' AND next_at <= $1 LIMIT 1
      """, [SQLValue(now)])
    if due != nil { return true }
    let waiting = try reader.first(
      """
      SELECT 1 FROM hospital_outbox o
      JOIN hospital_connections c ON c.patient = o.patient AND c.connection = o.connection
      WHERE o.state = 'waiting' AND o.next_try <= $1 AND c.state = 'working'
        AND c.writes_since IS NOT NULL LIMIT 1
      """, [SQLValue(now)])
    if waiting != nil { return true }
    let answered = try reader.first(
      """
      SELECT 1 FROM hospital_connections c
      JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = c.patient
        AND r.last_updated >= c.planned_until
      LEFT JOIN hospital_outbox o ON o.patient = c.patient AND o.connection = c.connection
        AND o.administration = r.id
      WHERE c.writes_since IS NOT NULL AND c.person IS NOT NULL
        AND (o.version IS NULL OR o.version < r.version) LIMIT 1
      """)
    return answered != nil
  }
}
