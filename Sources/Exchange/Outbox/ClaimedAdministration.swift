// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import FHIR
import Identifiers
import Storage

/// An answer that this process sends, until its lease ends.
package struct ClaimedAdministration: Sendable {
  let connection: HospitalConnection
  let credentials: HospitalCredentials?
  let form: AdministrationForm
  /// The version that is sent.
  let version: Int64
  let remoteID: String?
  /// Fences what is written at the end.
  let attempt: Int64
  let tries: Int

  /// Longer than both requests of a sending may take.
  static let leaseMilliseconds: Int64 = 120_000

  /// Leases answers that are to be sent, those that wait longest first; send them only after the
  /// commit.
  package static func claim(
    limit: Int, accounts: AccountStore, now: Timestamp, in writer: any SQLWriter
  ) throws -> [ClaimedAdministration] {
    let rows = try writer.query(
      """
      SELECT o.patient, o.connection, o.administration, o.version, o.remote_id, o.attempt, o.tries,
        r.body
      FROM hospital_outbox o
      JOIN hospital_connections c ON c.patient = o.patient AND c.connection = o.connection
      LEFT JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = o.patient
        AND r.id = o.administration
      WHERE o.state = 'waiting' AND o.next_try <= $1 AND c.state = 'working'
        AND c.writes_since IS NOT NULL AND EXISTS (SELECT 1 FROM grants g
          WHERE g.patient = c.patient AND g.account = c.account
            AND g.relationship IN ('self', 'guardian') AND g.starts <= $1
            AND (g.ends IS NULL OR g.ends > $1))
      ORDER BY o.next_try LIMIT $2 /*postgresql FOR UPDATE OF o SKIP LOCKED */
      """, [SQLValue(now), SQLValue(limit)])
    var claimed: [ClaimedAdministration] = []
    for row in rows {
      let (patient, connection) = (try row.id(0) as PatientID, try row.id(1) as ConnectionID)
      let administration: AdministrationID = try row.id(2)
      let attempt = try row.integer(5) + 1
      try writer.execute(
        """
        UPDATE hospital_outbox SET attempt = $1, next_try = $2, tries = tries + 1
        WHERE patient = $3 AND connection = $4 AND administration = $5
        """,
        [
          .integer(attempt), SQLValue(now.adding(milliseconds: leaseMilliseconds)),
          .text(patient), .text(connection), .text(administration),
        ])
      guard
        let claim = try make(
          row, patient: patient, connection: connection, administration: administration,
          attempt: attempt, accounts: accounts, in: writer)
      else {
        try writer.execute(
          """
          UPDATE hospital_outbox SET state = 'none', changed = $1
          WHERE patient = $2 AND connection = $3 AND administration = $4
          """, [SQLValue(now), .text(patient), .text(connection), .text(administration)])
        continue
      }
      claimed.append(claim)
    }
    return claimed
  }

  /// Nil for what cannot be told any more: its record or its prescription is not here.
  private static func make(
    _ row: SQLRow, patient: PatientID, connection id: ConnectionID,
    administration: AdministrationID,
    attempt: Int64, accounts: AccountStore, in reader: any SQLReader
  ) throws -> ClaimedAdministration? {
    guard let body = try row.optionalText(7),
      let record = try? JSONValue(parsing: Array(body.utf8)),
      let connection = try HospitalRows.load(id, patient: patient, in: reader),
      let person = connection.person,
      let request = record["request"]?["reference"]?.string,
      let address = try ForeignPlans.address(
        of: PlanID(String(request.split(separator: "/").last ?? "")), below: connection.base.text,
        patient: patient, in: reader),
      let place = connection.base.local(address)
    else { return nil }
    // The version that the body is of, which may be later than the one that was planned.
    let planned = try row.integer(3)
    let version = record["meta"]?["versionId"]?.string.flatMap { Int64($0) } ?? planned
    return ClaimedAdministration(
      connection: connection,
      credentials: try HospitalRows.credentials(
        id, patient: patient, cipher: accounts.cipher, in: reader),
      form: AdministrationForm(
        id: administration.text, record: record, prescription: "\(place.type)/\(place.id)",
        person: person.id),
      version: version, remoteID: try row.optionalText(4), attempt: attempt,
      tries: Int(clamping: try row.integer(6)))
  }
}

/// What became of sending one answer.
enum SendingResult: Sendable {
  /// It is there as it was sent, under this id.
  case reached(remoteID: String)
  /// It was there already; whether as it is now is to be seen to.
  case known(remoteID: String)
  case failed(HospitalTrouble)
}

extension ClaimedAdministration {
  private static let longestPause: Int64 = 3_600_000

  /// Writes down what became of it, unless another process has meanwhile taken over.
  func finish(_ result: SendingResult, now: Timestamp, in writer: any SQLWriter) throws {
    let key: [SQLValue] = [
      .text(connection.patient), .text(connection.id), .text(form.id), .integer(attempt),
    ]
    switch result {
    case .reached(let remoteID):
      // A correction that came while it was under way is still to be sent.
      let count = try writer.execute(
        """
        UPDATE hospital_outbox SET remote_id = $1, reached = $2, trouble = NULL, words = NULL,
          tries = 0, changed = $2, next_try = $2,
          state = CASE WHEN version > $3 THEN 'waiting' ELSE 'reached' END
        WHERE patient = $4 AND connection = $5 AND administration = $6 AND attempt = $7
        """, [.text(remoteID), SQLValue(now), .integer(version)] + key)
      // What was planned anew under way has still got its id there.
      if count == 0 { try note(remoteID, in: writer) }
      writer.announce([connection.patient])
    case .known(let remoteID):
      try note(remoteID, in: writer)
      try writer.execute(
        """
        UPDATE hospital_outbox SET next_try = $1
        WHERE patient = $2 AND connection = $3 AND administration = $4 AND attempt = $5
        """, [SQLValue(now)] + key)
    case .failed(let trouble):
      let isFinal = isFinal(trouble)
      var words: String?
      if case .refused(_, let said) = trouble { words = said }
      try writer.execute(
        """
        UPDATE hospital_outbox SET state = $1, trouble = $2, words = $3, next_try = $4,
          changed = $5
        WHERE patient = $6 AND connection = $7 AND administration = $8 AND attempt = $9
        """,
        [
          .text((isFinal ? HospitalOutbox.State.refused : .waiting).rawValue),
          .text(trouble.code), SQLValue(words), SQLValue(next(after: trouble, now: now)),
          SQLValue(now),
        ] + key)
      try close(trouble, now: now, in: writer)
      writer.announce([connection.patient])
    }
  }

  private func note(_ remoteID: String, in writer: any SQLWriter) throws {
    try writer.execute(
      """
      UPDATE hospital_outbox SET remote_id = $1
      WHERE patient = $2 AND connection = $3 AND administration = $4
      """,
      [.text(remoteID), .text(connection.patient), .text(connection.id), .text(form.id)])
  }

  /// A token that ended stops the connection; what waits goes out once there is a new one.
  private func close(_ trouble: HospitalTrouble, now: Timestamp, in writer: any SQLWriter) throws {
    let state = ClaimedSync.state(after: trouble)
    // Not being let write is no reason to stop reading.
    guard state != .working, trouble != .forbidden else { return }
    try writer.execute(
      """
      UPDATE hospital_connections SET state = $1, trouble = $2
      WHERE patient = $3 AND connection = $4 AND state = 'working'
      """,
      [
        .text(state.rawValue), .text(trouble.code), .text(connection.patient),
        .text(connection.id),
      ])
  }

  private func isFinal(_ trouble: HospitalTrouble) -> Bool {
    switch trouble {
    case .unreachable, .busy, .failing, .broken, .unexpected, .expired, .signIn: false
    default: true
    }
  }

  private func next(after trouble: HospitalTrouble, now: Timestamp) -> Timestamp {
    if case .busy(let seconds?) = trouble {
      return now.adding(milliseconds: Int64(min(max(seconds, 1), 86_400)) * 1_000)
    }
    let pause = min(Int64(5_000) << Int64(min(max(tries, 0), 10)), Self.longestPause)
    return now.adding(milliseconds: pause)
  }
}
