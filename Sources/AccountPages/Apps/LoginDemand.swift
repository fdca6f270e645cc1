// SPDX-License-Identifier: Apache-2.0

import Encodings
import Storage
import Web

/// The demands of an app on the sign-in of the person: `prompt` and `max_age` (OpenID Connect Core, section 3.1.2.1).
struct LoginDemand: Sendable, Hashable {
  /// True if the app wants an answer without any page.
  let isSilent: Bool
  /// True if the person must prove who they are for this request.
  private let needsProof: Bool
  /// The longest time since the person proved who they are, in milliseconds; nil for any.
  private let longestAge: Int64?

  /// The field with the time of the request, which this server seals.
  static let markField = "asked"
  /// The time for which a sealed time is accepted, in milliseconds.
  private static let markLifetime: Int64 = 3_600_000
  private static let mostSeconds: Int64 = 1_000_000_000

  /// Reads the demands of a request; throws if they contradict each other.
  init(_ fields: [FormPair]) throws(OAuthFailure) {
    let prompts = (AuthorizationRequest.value("prompt", in: fields) ?? "").split(separator: " ")
    isSilent = prompts.contains("none")
    needsProof = prompts.contains("login")
    guard !isSilent || prompts.count == 1 else {
      throw OAuthFailure(.invalidRequest, "prompt none cannot be combined.")
    }
    guard let text = AuthorizationRequest.value("max_age", in: fields) else {
      longestAge = nil
      return
    }
    guard let seconds = Int64(text), (0...Self.mostSeconds).contains(seconds) else {
      throw OAuthFailure(.invalidRequest, "max_age must be a number of seconds.")
    }
    longestAge = seconds * 1000
  }

  /// True if any sign-in is enough.
  var isFree: Bool { !needsProof && longestAge == nil }

  /// Returns true if a proof of identity is enough for a request.
  func isMet(by proved: Timestamp, asked: Timestamp) -> Bool {
    if needsProof, proved < asked { return false }
    guard let longestAge else { return true }
    return asked.milliseconds - proved.milliseconds <= longestAge
  }

  // MARK: The time of the request

  /// Returns the time of a request in a form that nobody else can make, bound to the request by its challenge.
  ///
  /// Without it, someone at an unlocked browser could claim an earlier time and skip the proof.
  static func mark(
    _ now: Timestamp, challenge: String, cipher: FieldCipher
  ) throws(StorageError) -> String {
    Base64URL.encode(
      try cipher.seal(String(now.milliseconds), context: context(challenge)))
  }

  /// Returns the time in a mark; nil if it is not this server's, too old, or another request's.
  static func time(
    in mark: String?, challenge: String, cipher: FieldCipher, now: Timestamp
  ) -> Timestamp? {
    guard let mark, mark.utf8.count <= 400, let sealed = Base64URL.decode(mark),
      let text = try? cipher.open(sealed, context: context(challenge)),
      let milliseconds = Int64(text),
      (0...markLifetime).contains(now.milliseconds - milliseconds)
    else { return nil }
    return Timestamp(milliseconds: milliseconds)
  }

  private static func context(_ challenge: String) -> String { "authorization:\(challenge):asked" }
}
