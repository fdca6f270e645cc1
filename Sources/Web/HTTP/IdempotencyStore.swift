// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The primary key of an answer in `idempotency`.
struct IdempotencyPlace: Sendable {
  let credential: String
  let method: String
  let path: String
  let key: String

  /// A key that sorts before all others.
  static let first = IdempotencyPlace(credential: "", method: "", path: "", key: "")

  /// The arguments `$1` to `$4` of a statement.
  var arguments: [SQLValue] { [.text(credential), .text(method), .text(path), .text(key)] }
}

/// The table `idempotency`: the first answers to writes that a client may repeat.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum IdempotencyStore {
  /// Returns the stored answer, with the digest of the body that it answered.
  static func answer(
    at place: IdempotencyPlace, in reader: any SQLReader
  ) throws(StorageError) -> (answer: WrittenAnswer, bodyDigest: [UInt8])? {
    guard let row = try reader.first(answerStatement, place.arguments) else { return nil }
    let columns = row.read(KeptAnswerRow.self)
    let answer = WrittenAnswer(
      status: Int(try columns.integer(.status)), mediaType: try columns.text(.mediaType),
      location: try columns.optionalText(.location), etag: try columns.optionalText(.etag),
      lastModified: try columns.optionalText(.lastModified), body: try columns.blob(.body))
    return (answer, try columns.blob(.bodyDigest))
  }

  private static let answerStatement = SQLStatement(
    """
    SELECT \(KeptAnswerRow.columns) FROM idempotency
    WHERE credential = $1 AND method = $2 AND path = $3 AND idempotency_key = $4
    """)

  /// Stores an answer unless there is one already.
  static func insert(
    _ answer: WrittenAnswer, bodyDigest: [UInt8], at place: IdempotencyPlace, now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO idempotency (credential, method, path, idempotency_key, body_digest, status,
        media_type, location, etag, last_modified, body, created)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      ON CONFLICT (credential, method, path, idempotency_key) DO NOTHING
      """,
      place.arguments + [
        .blob(bodyDigest), SQLValue(answer.status), .text(answer.mediaType),
        SQLValue(answer.location), SQLValue(answer.etag), SQLValue(answer.lastModified),
        .blob(answer.body), SQLValue(now),
      ])
  }

  /// Returns the number of deleted answers.
  static func delete(
    keptBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute("DELETE FROM idempotency WHERE created < $1", [SQLValue(instant)])
  }

  /// Deletes the answers that name a patient, and all answers of some credentials; returns their
  /// number.
  static func delete(
    naming patient: PatientID, credentials: Set<SessionID>, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    let name = Array(patient.text.utf8)
    var count = 0
    var place = IdempotencyPlace.first
    while true {
      let rows = try writer.query(pageStatement, place.arguments).decode(as: AnswerPageRow.self)
      for row in rows {
        let isOurs =
          credentials.contains(SessionID(row.place.credential))
          || row.place.path.contains(patient.text)
          || row.body.firstRange(of: name) != nil
        guard isOurs else { continue }
        count += try writer.execute(
          """
          DELETE FROM idempotency
          WHERE credential = $1 AND method = $2 AND path = $3 AND idempotency_key = $4
          """, row.place.arguments)
      }
      guard let last = rows.last else { return count }
      place = last.place
    }
  }

  private static let pageStatement = SQLStatement(
    """
    SELECT \(AnswerPageRow.columns) FROM idempotency
    WHERE (credential, method, path, idempotency_key) > ($1, $2, $3, $4)
    ORDER BY credential, method, path, idempotency_key LIMIT 100
    """)
}

enum KeptAnswerRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case bodyDigest, status, mediaType, location, etag, lastModified, body
  }

  static let columns = SQLColumns<Column>()
}

struct AnswerPageRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case credential, method, path, idempotencyKey, body }

  static let columns = SQLColumns<Column>()

  let place: IdempotencyPlace
  let body: [UInt8]

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    place = IdempotencyPlace(
      credential: try columns.text(.credential), method: try columns.text(.method),
      path: try columns.text(.path), key: try columns.text(.idempotencyKey))
    body = try columns.blob(.body)
  }
}
