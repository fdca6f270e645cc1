// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import FHIR
import Foundation
import Storage

/// A reason why an ID token is not accepted.
package enum IDTokenError: String, Error, Sendable, CaseIterable {
  case malformed
  case algorithm
  case unknownKey
  case signature
  case issuer
  case audience
  case authorizedParty
  case expired
  case issuedAt
  case notYetValid
  case nonce
  case accessTokenHash
  case subject
}

/// The identity that an ID token proves (OpenID Connect Core, section 2).
package struct IDToken: Sendable, Hashable {
  /// The person's identifier at the issuer, which is unique only together with the issuer.
  package let subject: String
  /// The provider's name for the person, for display; it proves nothing.
  ///
  /// It is nil if the token contains no name.
  package let label: String?

  /// The claims that a token must have to belong to this sign-in.
  package struct Expectation: Sendable {
    let issuer: String
    let clientID: String
    let nonce: String
    let accessToken: String?
    let now: Timestamp

    /// Creates an expectation; `accessToken` is nil if the provider sent none.
    package init(
      issuer: String, clientID: String, nonce: String, accessToken: String?, now: Timestamp
    ) {
      self.issuer = issuer
      self.clientID = clientID
      self.nonce = nonce
      self.accessToken = accessToken
      self.now = now
    }
  }

  /// The allowed clock difference, in seconds.
  private static let skew: Double = 60
  /// The age in seconds beyond which a token no longer answers this sign-in.
  private static let longestAge: Double = 3600
  private static let maximumBytes = 16 * 1024

  /// Creates an identity from a token after checking all of it, the signature first.
  package init(
    _ token: String, keys: SigningKeys, _ expected: Expectation
  ) async throws(IDTokenError) {
    guard token.utf8.count <= Self.maximumBytes else { throw .malformed }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      Base64URL.decode(parts[2]) != nil
    else { throw .malformed }
    guard let name = header["alg"]?.string, let algorithm = SigningKeys.Algorithm(rawValue: name),
      algorithm.signsIdentities
    else { throw .algorithm }
    // Reject extensions that must be understood, and other kinds of token that the same key may sign.
    guard header["crit"] == nil, header["typ"].map({ $0.string?.uppercased() == "JWT" }) ?? true
    else { throw .malformed }
    try await keys.check(token, algorithm, keyID: header["kid"]?.string)
    try Self.checkParties(claims, expected)
    try Self.checkTimes(claims, expected.now)
    guard claims["nonce"]?.string == expected.nonce else { throw .nonce }
    try Self.checkAccessToken(claims, algorithm, expected.accessToken)
    guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count) else {
      throw .subject
    }
    self.subject = subject
    label = ["email", "preferred_username", "name"].lazy
      .compactMap { claims[$0]?.string }.first { !$0.isEmpty }
      .map { String($0.prefix(200)) }
  }

  /// Returns a part of a token as JSON; nil if it is not an object.
  static func object(_ part: Substring) -> JSONValue? {
    guard let bytes = Base64URL.decode(part), let json = try? JSONValue(parsing: bytes),
      json.object != nil
    else { return nil }
    return json
  }

  private static func checkParties(
    _ claims: JSONValue, _ expected: Expectation
  ) throws(IDTokenError) {
    guard claims["iss"]?.string == expected.issuer else { throw .issuer }
    let audiences =
      claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
    guard audiences.contains(expected.clientID) else { throw .audience }
    let party = claims["azp"]
    guard party?.string == expected.clientID || (party == nil && audiences.count == 1) else {
      throw .authorizedParty
    }
  }

  private static func checkTimes(_ claims: JSONValue, _ now: Timestamp) throws(IDTokenError) {
    let now = Double(now.milliseconds) / 1000
    guard let expires = seconds(claims["exp"]), expires > now - skew else { throw .expired }
    guard let issued = seconds(claims["iat"]), issued <= now + skew,
      issued > now - longestAge - skew
    else { throw .issuedAt }
    guard let begins = claims["nbf"] else { return }
    guard let begins = seconds(begins), begins <= now + skew else { throw .notYetValid }
  }

  /// Returns a time of a token in seconds since 1970; nil if it is not a number.
  static func seconds(_ value: JSONValue?) -> Double? {
    guard let text = value?.number?.text, let seconds = Double(text), seconds.isFinite else {
      return nil
    }
    return seconds
  }

  /// Checks the left half of the access token's hash, if the token contains it (section 3.1.3.6).
  private static func checkAccessToken(
    _ claims: JSONValue, _ algorithm: SigningKeys.Algorithm, _ accessToken: String?
  ) throws(IDTokenError) {
    guard let claim = claims["at_hash"] else { return }
    let bytes = Array((accessToken ?? "").utf8)
    let digest =
      algorithm == .edDSA ? Array(SHA512.hash(data: bytes)) : Array(SHA256.hash(data: bytes))
    guard accessToken != nil, let text = claim.string,
      text == Base64URL.encode(Array(digest.prefix(digest.count / 2)))
    else { throw .accessTokenHash }
  }
}
