// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import Storage

/// The `Idempotency-Key` of a write, with what it is bound to: credential, method, path and body.
struct IdempotencyKey: Sendable {
  private let scope: [SQLValue]
  private let digest: [UInt8]
  private let now: Timestamp

  /// - Parameter digest: of the body.
  /// - Returns: nil where the request has no key.
  init?(_ call: Call, _ signedIn: SignedIn, digest: [UInt8]) throws {
    guard let key = call.request.headers[.idempotencyKey] else { return nil }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw Failure.badRequest(
        "value", "An Idempotency-Key has 1 to 255 printable ASCII characters without blanks.")
    }
    scope = [
      SQLValue(signedIn.credential), SQLValue(call.request.method.rawValue),
      SQLValue(call.request.uri.path), SQLValue(key),
    ]
    self.digest = digest
    now = call.now
  }

  /// The answer that was kept; nil where the key is new.
  func earlier(in reader: any SQLReader) throws -> WrittenAnswer? {
    let row = try reader.first(
      """
      SELECT body_digest, status, media_type, location, etag, last_modified, body
      FROM idempotency
      WHERE credential = $1 AND method = $2 AND path = $3 AND idempotency_key = $4
      """, scope)
    guard let row else { return nil }
    guard try row.blob(0) == digest else {
      throw Failure.unprocessable(
        "idempotency-key-reused",
        "This Idempotency-Key was used for another body. Use a new key for a new request.")
    }
    return WrittenAnswer(
      status: Int(try row.integer(1)), mediaType: try row.text(2),
      location: try row.optionalText(3), etag: try row.optionalText(4),
      lastModified: try row.optionalText(5), body: try row.blob(6))
  }

  /// Keeps the first answer.
  func keep(_ answer: WrittenAnswer, in writer: any SQLWriter) throws {
    try writer.execute(
      """
      INSERT INTO idempotency (credential, method, path, idempotency_key, body_digest, status,
        media_type, location, etag, last_modified, body, created)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      ON CONFLICT (credential, method, path, idempotency_key) DO NOTHING
      """,
      scope + [
        .blob(digest), SQLValue(answer.status), SQLValue(answer.mediaType),
        SQLValue(answer.location), SQLValue(answer.etag), SQLValue(answer.lastModified),
        .blob(answer.body), SQLValue(now),
      ])
  }
}
