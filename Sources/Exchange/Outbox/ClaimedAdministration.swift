// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Prescriptions
import Storage

/// An answer that this process sends until its lease expires.
package struct ClaimedAdministration: Sendable {
  let connection: HospitalConnection
  let credentials: HospitalCredentials?
  let form: AdministrationForm
  /// The version of the record that is sent.
  let version: Int64
  let remoteID: String?
  /// The number of the attempt, which protects the final write against later attempts.
  let attempt: Int64
  let tries: Int
  /// The end of the lease, after which another node may send it.
  let leaseEnds: Timestamp

  /// The lease in milliseconds.
  static let leaseMilliseconds: Int64 = 120_000
  /// The longest time that a request takes, in milliseconds.
  private static let longestRequest: Int64 = 35_000

  /// Returns true if a request that begins now ends before the lease does.
  func mayStillSend(at now: Timestamp) -> Bool {
    now.adding(milliseconds: Self.longestRequest) < leaseEnds
  }

  /// Leases answers that are due, those that have waited longest first; send them only after the
  /// commit.
  package static func claim(
    limit: Int, accounts: AccountStore, now: Timestamp, in writer: any SQLWriter
  ) throws -> [ClaimedAdministration] {
    let rows: [OutboxClaimRow] = try writer.query(due, [SQLValue(now), SQLValue(limit)]).decode()
    var claimed: [ClaimedAdministration] = []
    for row in rows {
      let attempt = row.attempt + 1
      let lease = now.adding(milliseconds: leaseMilliseconds)
      try HospitalOutboxStore.lease(row, until: lease, attempt: attempt, in: writer)
      guard
        let claim = try make(
          row, attempt: attempt, leaseEnds: lease, accounts: accounts, in: writer)
      else {
        try HospitalOutboxStore.drop(row, at: now, in: writer)
        continue
      }
      claimed.append(claim)
    }
    return claimed
  }

  private static let due = SQLStatement(
    """
    SELECT \(OutboxClaimRow.columns)
    FROM hospital_outbox o
    JOIN hospital_connections c ON c.patient = o.patient AND c.connection = o.connection
    LEFT JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = o.patient
      AND r.id = o.administration
    LEFT JOIN resource_versions v ON v.type = 'MedicationAdministration'
      AND v.patient = o.patient AND v.id = o.administration AND v.version = o.version
    WHERE o.state = 'waiting' AND o.next_try <= $1 AND c.state = 'working'
      AND c.writes_since IS NOT NULL AND EXISTS (SELECT 1 FROM grants g
        WHERE g.patient = c.patient AND g.account = c.account
          AND g.relationship IN ('self', 'guardian') AND g.starts <= $1
          AND (g.ends IS NULL OR g.ends > $1))
    ORDER BY o.next_try LIMIT $2 /*postgresql FOR UPDATE OF o SKIP LOCKED */
    """)

  /// Creates a claim; nil if its record or prescription no longer exists here.
  private static func make(
    _ row: OutboxClaimRow, attempt: Int64, leaseEnds: Timestamp, accounts: AccountStore,
    in reader: any SQLReader
  ) throws -> ClaimedAdministration? {
    guard let body = row.body,
      let record = try? JSONValue(parsing: Array(body.utf8)),
      let connection = try HospitalRows.load(row.connection, patient: row.patient, in: reader),
      let person = connection.person,
      let request = record["request"]?["reference"]?.string,
      let address = try ForeignPlans.address(
        of: PlanID(String(request.split(separator: "/").last ?? "")), below: connection.base.text,
        patient: row.patient, in: reader),
      let place = connection.base.local(address)
    else { return nil }
    // The version of the body, which may be later than the planned one.
    let version = record["meta"]?["versionId"]?.string.flatMap { Int64($0) } ?? row.version
    return ClaimedAdministration(
      connection: connection,
      credentials: try HospitalRows.credentials(
        row.connection, patient: row.patient, cipher: accounts.cipher, in: reader),
      form: AdministrationForm(
        id: row.administration.text, record: record, prescription: "\(place.type)/\(place.id)",
        person: person.id),
      version: version, remoteID: row.remoteID, attempt: attempt, tries: row.tries,
      leaseEnds: leaseEnds)
  }
}

/// A due answer with its record; the planned version of one that was deleted since.
struct OutboxClaimRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, connection, administration, version, remoteId, attempt, tries, body
  }

  static let columns = SQLColumns<Column>(of: "o", [.body: "COALESCE(r.body, v.body)"])

  let patient: PatientID
  let connection: ConnectionID
  let administration: AdministrationID
  let version: Int64
  let remoteID: String?
  let attempt: Int64
  let tries: Int
  let body: String?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    connection = try columns.id(.connection)
    administration = try columns.id(.administration)
    version = try columns.integer(.version)
    remoteID = try columns.optionalText(.remoteId)
    attempt = try columns.integer(.attempt)
    tries = Int(clamping: try columns.integer(.tries))
    body = try columns.optionalText(.body)
  }
}

/// The result of sending one answer.
enum SendingResult: Sendable {
  /// The server has it as it was sent, under the given id.
  case reached(remoteID: String)
  /// The server already had it, possibly in another version.
  case known(remoteID: String)
  case failed(HospitalTrouble)
}

extension ClaimedAdministration {
  private static let longestPause: Int64 = 3_600_000

  /// Records the result, unless another process has meanwhile taken over.
  func finish(_ result: SendingResult, now: Timestamp, in writer: any SQLWriter) throws {
    switch result {
    case .reached(let remoteID):
      let isKept = try HospitalOutboxStore.reach(self, remoteID: remoteID, at: now, in: writer)
      // Store the id even if the answer was queued again meanwhile.
      if !isKept { try HospitalOutboxStore.setRemoteID(remoteID, of: self, in: writer) }
      writer.announce([connection.patient])
    case .known(let remoteID):
      try HospitalOutboxStore.setRemoteID(remoteID, of: self, in: writer)
      try HospitalOutboxStore.release(self, at: now, in: writer)
    case .failed(let trouble):
      try HospitalOutboxStore.fail(
        self, as: isFinal(trouble) ? .refused : .waiting, trouble,
        next: next(after: trouble, now: now), at: now, in: writer)
      try close(trouble, in: writer)
      writer.announce([connection.patient])
    }
  }

  /// Stops the connection if the token expired; waiting answers are sent once there is a new one.
  private func close(_ trouble: HospitalTrouble, in writer: any SQLWriter) throws {
    let state = ClaimedSync.state(after: trouble)
    // Missing write permission does not stop reading.
    guard state != .working, trouble != .forbidden else { return }
    try HospitalConnectionStore.stop(
      connection.id, patient: connection.patient, as: state, trouble: trouble, in: writer)
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
