// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Storage

/// The `Idempotency-Key` of a write, bound to credential, method, path and body.
struct IdempotencyKey: Sendable {
  private let place: IdempotencyPlace
  private let digest: [UInt8]
  private let now: Timestamp

  /// - Parameter digest: The digest of the body.
  /// - Returns: Nil if the request has no key.
  init?(_ call: Call, _ signedIn: SignedIn, digest: [UInt8]) throws {
    guard let key = call.request.headers[.idempotencyKey] else { return nil }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw Failure.badRequest(
        "value", "Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.")
    }
    place = IdempotencyPlace(
      credential: signedIn.credential.text, method: call.request.method.rawValue,
      path: call.request.uri.path, key: key)
    self.digest = digest
    now = call.now
  }

  /// Returns the stored answer; nil if the key is new.
  func earlier(in reader: any SQLReader) throws -> WrittenAnswer? {
    guard let kept = try IdempotencyStore.answer(at: place, in: reader) else { return nil }
    guard kept.bodyDigest == digest else {
      throw Failure.unprocessable(
        "idempotency-key-reused",
        "This Idempotency-Key was used with another body. Use a new key.")
    }
    return kept.answer
  }

  /// Stores the first answer.
  func keep(_ answer: WrittenAnswer, in writer: any SQLWriter) throws {
    try IdempotencyStore.insert(answer, bodyDigest: digest, at: place, now: now, in: writer)
  }
}
