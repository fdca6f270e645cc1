// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR
import Identifiers
import Storage

/// A signed assertion with which an app proves who it is (RFC 7523, `private_key_jwt`).
package struct ClientAssertion: Sendable, Hashable {
  /// The identifier that is accepted only once.
  package let id: String
  /// The end of the assertion.
  package let expires: Timestamp

  /// The type under which an assertion is sent.
  package static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  private static let maximumBytes = 16 * 1024
  /// The allowed clock difference, in seconds.
  private static let skew: Double = 60
  /// The longest time to the end of an assertion, in seconds.
  private static let longest: Double = 300

  /// Returns the app that an assertion names, so that its keys can be found; this proves nothing.
  package static func claimedApp(_ token: String) -> AppID? {
    guard let claims = parts(token)?.claims, let issuer = claims["iss"]?.string,
      issuer == claims["sub"]?.string
    else { return nil }
    return AppID(issuer)
  }

  /// Returns the name of the key that an assertion, not yet verified, gives; nil for none.
  package static func claimedKey(_ token: String) -> String? {
    parts(token)?.header["kid"]?.string
  }

  /// Creates an assertion after checking all of it, the signature first.
  ///
  /// - Parameter audiences: The addresses of this server that an assertion can be made for.
  package init(
    _ token: String, of app: AppID, keys: SigningKeys, audiences: Set<String>, now: Timestamp
  ) async throws(IDTokenError) {
    guard let (header, claims) = Self.parts(token) else { throw .malformed }
    // Only algorithms with a public key: an HMAC or no signature at all is never accepted.
    guard let name = header["alg"]?.string, let algorithm = SigningKeys.Algorithm(rawValue: name),
      algorithm.signsAssertions
    else { throw .algorithm }
    guard header["crit"] == nil, header["typ"].map({ $0.string?.uppercased() == "JWT" }) ?? true
    else { throw .malformed }
    try await keys.check(token, algorithm, keyID: header["kid"]?.string)
    guard claims["iss"]?.string == app.text else { throw .issuer }
    guard claims["sub"]?.string == app.text else { throw .subject }
    let named =
      claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
    guard named.contains(where: { audiences.contains($0) }) else { throw .audience }
    let seconds = Double(now.milliseconds) / 1000
    guard let end = IDToken.seconds(claims["exp"]), end > seconds,
      end <= seconds + Self.longest + Self.skew
    else { throw .expired }
    if let issued = claims["iat"] {
      guard let issued = IDToken.seconds(issued), issued <= seconds + Self.skew else {
        throw .issuedAt
      }
    }
    if let begins = claims["nbf"] {
      guard let begins = IDToken.seconds(begins), begins <= seconds + Self.skew else {
        throw .notYetValid
      }
    }
    guard let id = claims["jti"]?.string, (1...255).contains(id.utf8.count) else {
      throw .nonce
    }
    self.id = id
    expires = Timestamp(milliseconds: Int64(end * 1000))
  }

  private static func parts(_ token: String) -> (header: JSONValue, claims: JSONValue)? {
    guard token.utf8.count <= maximumBytes else { return nil }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = IDToken.object(parts[0]),
      let claims = IDToken.object(parts[1]), Base64URL.decode(parts[2]) != nil
    else { return nil }
    return (header, claims)
  }
}
