// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Storage

/// Writes that a client may repeat without repeating their effect.
///
/// The first answer is stored in the transaction of the write itself: after a crash there are both
/// or neither. A conflict with the state of a dose or a proposal is such an answer; a question for
/// confirmation and an invalid request do not use up their key.
package enum IdempotentWrite {
  /// The lifetime of a key, in milliseconds: 30 days.
  static let lifetime: Int64 = 30 * 24 * 3_600_000

  /// The codes of conflicts that are kept as the first answer.
  private static let keptConflicts: Set<String> = ["answered", "stale", "cancelled", "decided"]

  /// Does a write in one transaction, or returns the earlier answer if its `Idempotency-Key` was
  /// used already.
  ///
  /// - Parameter body: The bytes of the body: a known key with another body is refused with 422.
  package static func perform(
    _ call: Call, _ signedIn: SignedIn, body: [UInt8],
    _ work: @escaping @Sendable (any SQLWriter) throws -> WrittenAnswer
  ) async throws -> Response {
    let database = call.environment.database
    let digest = Fingerprint.digest(of: body)
    guard let key = try IdempotencyKey(call, signedIn, digest: digest) else {
      return try await database.write(work).response
    }
    let reference = call.context.reference
    return try await database.write { writer in
      if let earlier = try key.earlier(in: writer) { return earlier }
      let answer: WrittenAnswer
      do {
        answer = try work(writer)
      } catch let failure as Failure where keptConflicts.contains(failure.code) {
        // Thrown before anything was written.
        answer = FailureResponse.writtenProblem(failure, reference: reference)
      }
      try key.keep(answer, in: writer)
      return answer
    }.response
  }

  /// Does a write of several transactions, each of which has no further effect when it is repeated.
  ///
  /// The answer is stored once all of them are done.
  ///
  /// - Parameter digest: The digest of everything that the request asks for: a known key with
  ///   another digest is refused with 422.
  package static func performInSteps(
    _ call: Call, _ signedIn: SignedIn, digest: [UInt8],
    _ work: () async throws -> WrittenAnswer
  ) async throws -> Response {
    let database = call.environment.database
    guard let key = try IdempotencyKey(call, signedIn, digest: digest) else {
      return try await work().response
    }
    if let earlier = try await database.read({ try key.earlier(in: $0) }) {
      return earlier.response
    }
    let answer = try await work()
    try await database.write { try key.keep(answer, in: $0) }
    return answer.response
  }

  /// Deletes answers older than 30 days; returns their number.
  package static func forgetOld(at now: Timestamp, in writer: any SQLWriter) throws -> Int {
    try IdempotencyStore.delete(
      keptBefore: Timestamp(milliseconds: now.milliseconds - lifetime), in: writer)
  }

  /// Deletes the answers that name a patient, and all answers of some credentials; returns their
  /// number.
  package static func forget(
    naming patient: PatientID, credentials: Set<SessionID>, in writer: any SQLWriter
  ) throws -> Int {
    try IdempotencyStore.delete(naming: patient, credentials: credentials, in: writer)
  }
}
