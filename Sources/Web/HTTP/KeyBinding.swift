// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Storage

/// Checks that a token that is bound to a key comes with a proof of the key (RFC 9449).
enum KeyBinding {
  /// The way in which a token is sent.
  enum Scheme: String {
    case bearer
    case dpop
  }

  /// Returns the scheme and the token of an `Authorization` header; nil for any other scheme.
  static func parse(_ header: String) -> (scheme: Scheme, token: Secret)? {
    let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard header.utf8.count < 512, parts.count == 2,
      let scheme = Scheme(rawValue: parts[0].lowercased())
    else { return nil }
    return (scheme, Secret(text: String(parts[1])))
  }

  /// Throws ``KeyProofError`` unless a token that works was sent as it must be.
  static func check(
    _ signedIn: SignedIn, _ scheme: Scheme, _ token: Secret, _ call: Call
  ) async throws {
    guard let bound = signedIn.keyThumbprint else {
      guard scheme == .bearer else { throw KeyProofError.scheme }
      return
    }
    guard scheme == .dpop else { throw KeyProofError.scheme }
    let proof = try await call.keyProof(for: token)
    guard proof?.thumbprint == bound else { throw KeyProofError.key }
    guard let proof, call.environment.keyProofs.note(proof, at: call.now),
      try await isNewToAllNodes(proof, signedIn, call)
    else { throw KeyProofError.replayed }
  }

  /// Records a proof in a database that several nodes share; returns false if any of them has accepted it.
  ///
  /// A node that is alone with its database remembers its proofs itself.
  private static func isNewToAllNodes(
    _ proof: KeyProof, _ signedIn: SignedIn, _ call: Call
  ) async throws -> Bool {
    let database = call.environment.database
    guard database.isShared, let app = signedIn.actor.scope.app?.app else { return true }
    let accounts = call.environment.accounts
    return try await database.write { writer in
      try accounts.noteAssertion("dpop\n\(proof.use)", of: app, expires: proof.expires, in: writer)
    }
  }
}

extension Call {
  /// Returns the proof of possession that a request carries; nil if it has none.
  ///
  /// The caller checks that the proof was not used before.
  ///
  /// - Parameter token: The access token of the request; nil where tokens are issued.
  package func keyProof(for token: Secret?) async throws(KeyProofError) -> KeyProof? {
    let fields = request.headers[values: .dpop]
    guard let text = fields.first else { return nil }
    guard fields.count == 1 else { throw .malformed }
    return try await KeyProof(
      text, method: request.method.rawValue, address: baseURL + request.uri.path, token: token,
      now: now)
  }
}

extension KeyProofError: FailureConvertible {
  /// The failure of a request whose token needs a proof, with the reason as a word for the app's developer.
  package var failure: Failure {
    let error = self == .scheme ? "invalid_token" : "invalid_dpop_proof"
    let algorithms = KeyProof.algorithms.joined(separator: " ")
    return Failure(
      .unauthorized, code: "login",
      detail: "The proof of the token's key was refused: \(rawValue).",
      headers: [.wwwAuthenticate: "DPoP error=\"\(error)\", algs=\"\(algorithms)\""])
  }
}
