// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// A record of an answer that a connection has not queued yet, or only in an earlier version.
struct NewAnswerRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, connection, base, administration, version, status, body, state
  }

  static let columns = SQLColumns<Column>(
    of: "c",
    [
      .administration: "r.id", .version: "r.version", .status: "r.status", .body: "r.body",
      .state: "o.state",
    ])

  let patient: PatientID
  let connection: ConnectionID
  let base: String
  let administration: AdministrationID
  let version: Int64
  let status: String?
  let body: String
  /// True if the hospital has, or may have, an earlier version.
  let wasSent: Bool

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    connection = try columns.id(.connection)
    base = try columns.text(.base)
    administration = try columns.id(.administration)
    version = try columns.integer(.version)
    status = try columns.optionalText(.status)
    body = try columns.text(.body)
    switch try columns.optionalText(.state).flatMap(HospitalOutbox.State.init(rawValue:)) {
    case .waiting?, .reached?, .refused?: wasSent = true
    case .apart?, nil: wasSent = false
    }
  }
}

/// An answer in the outbox whose record was deleted since, with the last content that it had.
struct DeletedAnswerRow: SQLReadableRow {
  static let columns = SQLColumns<NewAnswerRow.Column>(
    of: "c",
    [
      .administration: "r.id", .version: "r.version", .status: "NULL", .body: "r.body",
      .state: "o.state",
    ])

  let answer: NewAnswerRow

  init(_ columns: ColumnReader<NewAnswerRow.Column>) throws(StorageError) {
    answer = try NewAnswerRow(columns)
  }
}

/// An answer in the outbox with its record, for a page.
enum OutboxLineRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case administration, state, tries, trouble, words, reached, changed, body
  }

  static let columns = SQLColumns<Column>(of: "o", [.body: "r.body"])
}

extension HospitalOutbox.Line {
  init(_ row: ColumnReader<OutboxLineRow.Column>) throws(StorageError) {
    let body = try row.optionalText(.body).flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    self.init(
      administration: try row.id(.administration),
      state: HospitalOutbox.State(rawValue: try row.text(.state)) ?? .apart,
      status: body?["status"]?.string ?? "",
      medicine: body?["medicationCodeableConcept"]?["text"]?.string ?? "",
      effective: body?["effectiveDateTime"]?.string ?? "",
      tries: Int(clamping: try row.integer(.tries)), trouble: try row.optionalText(.trouble),
      words: try row.optionalText(.words), reached: try row.optionalTimestamp(.reached),
      changed: try row.timestamp(.changed))
  }
}

/// The number of answers in one state.
struct OutboxStateRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case state, count }

  static let columns = SQLColumns<Column>([.count: "COUNT(*)"])

  let state: HospitalOutbox.State?
  let count: Int

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    state = HospitalOutbox.State(rawValue: try columns.text(.state))
    count = Int(clamping: try columns.integer(.count))
  }
}
