// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Prescriptions
import Storage

/// The outbox of answers to hospitals' prescriptions, with one entry for each answer and
/// connection.
package enum HospitalOutbox {
  /// The states of an entry.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// The answer must be sent, or was sent with an unknown result.
    case waiting
    /// The hospital has the latest version.
    case reached
    /// The hospital rejected it; it is not sent again automatically.
    case refused
    /// The answer does not concern the hospital: the prescription is not its own, or the answer was
    /// imported.
    case apart = "none"
  }

  /// The time by which the search for changes overlaps the last one, in milliseconds: commits may be out of
  /// order.
  private static let overlap: Int64 = 10 * 60_000

  /// Queues the answers recorded since the last call, for connections that send answers.
  ///
  /// Only recorded answers are queued; a missed dose is never reported.
  ///
  /// - Returns: The number of queued entries; fewer than `limit` once all are queued.
  package static func plan(limit: Int, now: Timestamp, in writer: any SQLWriter) throws -> Int {
    var rows: [NewAnswerRow] = try writer.query(newAnswers, [SQLValue(limit)]).decode()
    rows += try writer.query(deletedAnswers, [SQLValue(limit - rows.count)])
      .decode(as: DeletedAnswerRow.self).map(\.answer)
    for row in rows {
      let state: State = try belongs(row, in: writer) ? .waiting : .apart
      try HospitalOutboxStore.queue(
        QueuedAnswerRow(answer: row, state: state, now: now), in: writer)
    }
    if rows.count < limit {
      // Everything up to now has been processed.
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

  /// The last content of records that were deleted here: the hospital is sent the withdrawal before it.
  private static let deletedAnswers = SQLStatement(
    """
    SELECT \(DeletedAnswerRow.columns)
    FROM hospital_connections c CROSS JOIN resource_versions d
    JOIN resource_versions r ON r.type = d.type AND r.patient = d.patient AND r.id = d.id
      AND r.version = d.version - 1
    JOIN hospital_outbox o ON o.patient = c.patient AND o.connection = c.connection
      AND o.administration = d.id
    WHERE c.writes_since IS NOT NULL AND c.person IS NOT NULL
      AND d.type = 'MedicationAdministration' AND d.patient = c.patient
      AND d.last_updated >= c.planned_until AND d.operation = 'delete' AND o.version < r.version
    ORDER BY c.patient, c.connection, d.last_updated LIMIT $1
    """)

  private static func belongs(
    _ answer: NewAnswerRow, in reader: any SQLReader
  ) throws -> Bool {
    if answer.wasSent { return true }
    // An answer that was withdrawn before it was sent need not be reported.
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

  /// Releases the entries and connections that this process held when it last ended.
  ///
  /// Only a process that does not share its database may call it.
  package static func reclaim(at now: Timestamp, in writer: any SQLWriter) throws {
    try HospitalOutboxStore.reclaim(at: now, in: writer)
    try HospitalConnectionStore.reclaim(at: now, in: writer)
    try HospitalRenewals.reclaim(in: writer)
  }

  /// An entry of the outbox as a page shows it.
  package struct Line: Sendable, Hashable {
    /// The record of the answer.
    package let administration: AdministrationID
    /// The state of the entry.
    package let state: State
    /// The record's FHIR status, such as `completed` or `not-done`; empty if the record no longer exists.
    package let status: String
    /// The name of the medicine; empty if the record no longer exists.
    package let medicine: String
    /// The time at which it was taken or skipped, as FHIR writes it.
    package let effective: String
    /// The number of attempts since it last reached the hospital.
    package let tries: Int
    /// The code of the latest ``HospitalTrouble``; nil for none.
    package let trouble: String?
    /// The hospital's own message about a rejection; nil for none.
    package let words: String?
    /// The time when a version last reached the hospital; nil before.
    package let reached: Timestamp?
    /// The time when the entry last changed.
    package let changed: Timestamp
  }

  /// Returns the latest entries of a connection, and the number of entries in each state.
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
  /// Returns true if anything must be fetched, queued or sent.
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
    if answered != nil { return true }
    return try !reader.query(deletedAnswers, [SQLValue(1)]).isEmpty
  }
}
