// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import Storage

/// Writes that a client may send again without doing them again.
///
/// The first answer is kept in the transaction of the write itself: after a crash there are both or
/// neither. A conflict with the state of a dose is such an answer; a question for confirmation and
/// a request that is wrong in itself leave their key unused.
enum IdempotentWrite {
  /// How long a key is remembered, in milliseconds: 30 days.
  static let lifetime: Int64 = 30 * 24 * 3_600_000

  /// The codes of conflicts that are kept as the first answer.
  private static let keptConflicts: Set<String> = ["answered", "stale", "cancelled"]

  static func perform(
    _ call: Call, _ signedIn: SignedIn, body: [UInt8],
    _ work: @escaping @Sendable (any SQLWriter) throws -> WrittenAnswer
  ) async throws -> Response {
    let database = call.environment.database
    guard let key = try key(of: call) else {
      return try await database.write(work).response
    }
    let scope: [SQLValue] = [
      SQLValue(signedIn.credential), SQLValue(call.request.method.rawValue),
      SQLValue(call.request.uri.path), SQLValue(key),
    ]
    let digest = Fingerprint.digest(of: body)
    let now = call.now
    return try await database.write { writer in
      if let earlier = try earlier(scope, in: writer) {
        guard earlier.digest == digest else {
          throw Failure.unprocessable(
            "idempotency-key-reused",
            "This Idempotency-Key was used for another body. Use a new key for a new request.")
        }
        return earlier.answer
      }
      let answer: WrittenAnswer
      do {
        answer = try work(writer)
      } catch let failure as Failure where keptConflicts.contains(failure.code) {
        // Thrown before anything was written.
        answer = FailureResponse.writtenProblem(failure)
      }
      try writer.execute(
        """
        INSERT INTO idempotency (credential, method, path, idempotency_key, body_digest, status,
          media_type, location, etag, last_modified, body, created)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """,
        scope + [
          .blob(digest), SQLValue(answer.status), SQLValue(answer.mediaType),
          SQLValue(answer.location), SQLValue(answer.etag), SQLValue(answer.lastModified),
          .blob(answer.body), SQLValue(now),
        ])
      return answer
    }.response
  }

  private static func key(of call: Call) throws -> String? {
    guard let key = call.request.headers[.idempotencyKey] else { return nil }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw Failure.badRequest(
        "value", "An Idempotency-Key has 1 to 255 printable ASCII characters without blanks.")
    }
    return key
  }

  private static func earlier(
    _ scope: [SQLValue], in reader: any SQLReader
  ) throws -> (digest: [UInt8], answer: WrittenAnswer)? {
    let row = try reader.first(
      """
      SELECT body_digest, status, media_type, location, etag, last_modified, body
      FROM idempotency
      WHERE credential = $1 AND method = $2 AND path = $3 AND idempotency_key = $4
      """, scope)
    guard let row else { return nil }
    return (
      try row.blob(0),
      WrittenAnswer(
        status: Int(try row.integer(1)), mediaType: try row.text(2),
        location: try row.optionalText(3), etag: try row.optionalText(4),
        lastModified: try row.optionalText(5), body: try row.blob(6))
    )
  }

  /// Forgets keys that are too old; returns how many.
  static func forgetOld(at now: Timestamp, in writer: any SQLWriter) throws -> Int {
    try writer.execute(
      "DELETE FROM idempotency WHERE created < $1",
      [SQLValue(Timestamp(milliseconds: now.milliseconds - lifetime))])
  }
}
