// SPDX-License-Identifier: Apache-2.0

import Adherence
import FHIR
import Identifiers
import Storage

/// The rows of `hospital_outbox`: each answer that belongs to a prescription of a hospital, once for
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
    let rows = try writer.query(
      """
      SELECT c.patient, c.connection, c.base, c.version, r.id, r.version, r.status, r.body,
        o.version, o.state
      FROM hospital_connections c
      JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = c.patient
        AND r.last_updated >= c.planned_until
      LEFT JOIN hospital_outbox o ON o.patient = c.patient AND o.connection = c.connection
        AND o.administration = r.id
      WHERE c.writes_since IS NOT NULL AND c.person IS NOT NULL
        AND (o.version IS NULL OR o.version < r.version)
      ORDER BY c.patient, c.connection, r.last_updated LIMIT $1
      """, [SQLValue(limit)])
    for row in rows {
      let (patient, connection) = (try row.id(0) as PatientID, try row.id(1) as ConnectionID)
      let administration: AdministrationID = try row.id(4)
      let earlier = try row.optionalText(9).flatMap(State.init(rawValue:))
      let mustGo = try belongs(
        row, patient: patient, administration: administration,
        wasSent: earlier == .reached || earlier == .waiting || earlier == .refused, in: writer)
      try writer.execute(
        """
        INSERT INTO hospital_outbox (patient, connection, administration, version, state, next_try,
          attempt, tries, changed)
        VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $6)
        ON CONFLICT (patient, connection, administration) DO UPDATE
        SET version = excluded.version, state = excluded.state, changed = excluded.changed,
          next_try = CASE WHEN hospital_outbox.state = 'waiting'
            AND hospital_outbox.next_try > excluded.next_try
            THEN hospital_outbox.next_try ELSE excluded.next_try END
        """,
        [
          .text(patient), .text(connection), .text(administration),
          .integer(try row.integer(5)), .text((mustGo ? State.waiting : .apart).rawValue),
          SQLValue(now),
        ])
    }
    if rows.count < limit {
      // Everything up to now is taken up.
      try writer.execute(
        """
        UPDATE hospital_connections SET planned_until = $1
        WHERE writes_since IS NOT NULL AND planned_until < $2
        """,
        [
          SQLValue(now.adding(milliseconds: -overlap)),
          SQLValue(now.adding(milliseconds: -3 * overlap)),
        ])
    }
    return rows.count
  }

  private static func belongs(
    _ row: SQLRow, patient: PatientID, administration: AdministrationID, wasSent: Bool,
    in reader: any SQLReader
  ) throws -> Bool {
    let status = try row.optionalText(6)
    if wasSent { return true }
    // What was taken back before it was ever sent need not be told.
    guard status == "completed" || status == "not-done" else { return false }
    guard
      let json = try? JSONValue(parsing: Array(try row.text(7).utf8)),
      let request = json["request"]?["reference"]?.string,
      request.hasPrefix("MedicationRequest/")
    else { return false }
    let plan = String(request.dropFirst("MedicationRequest/".count))
    let address = try ForeignPlans.address(
      of: PlanID(plan), below: try row.text(2), patient: patient, in: reader)
    let base = HospitalAddress(try row.text(2))
    guard let address, let type = base?.local(address)?.type,
      type == "MedicationRequest" || type == "MedicationOrder"
    else { return false }
    return try !ForeignPlans.isImported(
      administration: administration, patient: patient, in: reader)
  }

  /// Gives back what this process, the only one on its database, had in hand when it died.
  package static func reclaim(at now: Timestamp, in writer: any SQLWriter) throws {
    try writer.execute(
      "UPDATE hospital_outbox SET next_try = $1 WHERE state = 'waiting' AND next_try > $1",
      [SQLValue(now)])
    try writer.execute(
      """
      UPDATE hospital_connections SET next_at = $1
      WHERE state = 'working' AND next_at > $1 AND next_at = tried + $2
      """, [SQLValue(now), .integer(ClaimedSync.leaseMilliseconds)])
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
    let rows = try reader.query(
      """
      SELECT o.administration, o.state, o.tries, o.trouble, o.words, o.reached, o.changed, r.body
      FROM hospital_outbox o
      LEFT JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = o.patient
        AND r.id = o.administration
      WHERE o.patient = $1 AND o.connection = $2 AND o.state <> 'none'
      ORDER BY o.changed DESC, o.administration LIMIT $3
      """, [.text(patient), .text(connection), SQLValue(limit)])
    var lines: [Line] = []
    for row in rows {
      let body = try row.optionalText(7).flatMap { try? JSONValue(parsing: Array($0.utf8)) }
      lines.append(
        Line(
          administration: try row.id(0), state: State(rawValue: try row.text(1)) ?? .apart,
          status: body?["status"]?.string ?? "",
          medicine: body?["medicationCodeableConcept"]?["text"]?.string ?? "",
          effective: body?["effectiveDateTime"]?.string ?? "",
          tries: Int(clamping: try row.integer(2)), trouble: try row.optionalText(3),
          words: try row.optionalText(4), reached: try row.optionalTimestamp(5),
          changed: try row.timestamp(6)))
    }
    var counts: [State: Int] = [:]
    for row in try reader.query(
      """
      SELECT state, COUNT(*) FROM hospital_outbox WHERE patient = $1 AND connection = $2
      GROUP BY state
      """, [.text(patient), .text(connection)])
    {
      if let state = State(rawValue: try row.text(0)) {
        counts[state] = Int(clamping: try row.integer(1))
      }
    }
    return (lines, counts)
  }
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
