// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR
import Storage

/// A reason why the token of a system that asks for decision support is not accepted.
package enum CDSTokenError: String, Error, Sendable, CaseIterable {
  case malformed
  case algorithm
  /// No enabled system has the issuer.
  case issuer
  case unknownKey = "key"
  case signature
  case audience
  case expired
  /// The token is valid for more than five minutes.
  case lifetime
  case issuedAt = "issued-at"
  case notYetValid = "not-yet-valid"
  /// The token has no identifier.
  case identifier
  case replayed
}

/// The token with which a system proves who it is (CDS Hooks 2.0, "Trusting CDS Clients").
struct CDSToken: Sendable {
  /// The longest token, in bytes.
  static let maximumBytes = 8 * 1024
  /// The allowed clock difference, in seconds.
  private static let skew: Double = 30
  /// The longest time for which a token may be valid, in seconds.
  private static let longestLifetime: Double = 300

  /// The system that the token names; it proves nothing before the signature is checked.
  let issuer: String
  private let text: String
  private let claims: JSONValue
  private let algorithm: SigningKeys.Algorithm
  private let keyID: String?

  /// The name of a token that passed every check, by which a second use is noticed.
  struct Use: Sendable, Hashable {
    /// The digest of the issuer and the token's identifier.
    let digest: [UInt8]
    /// The time from which the token is not accepted anyway.
    let until: Timestamp
  }

  /// Reads a token without trusting it.
  init(_ text: String) throws(CDSTokenError) {
    guard text.utf8.count <= Self.maximumBytes else { throw .malformed }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      Base64URL.decode(parts[2]) != nil
    else { throw .malformed }
    guard let name = header["alg"]?.string,
      let algorithm = SigningKeys.Algorithm(rawValue: name),
      algorithm.signsAssertions
    else { throw .algorithm }
    // Reject extensions that must be understood, and other kinds of token that the same key may sign.
    guard header["crit"] == nil, header["typ"].map({ $0.string?.uppercased() == "JWT" }) ?? true
    else { throw .malformed }
    guard let issuer = claims["iss"]?.string else { throw .issuer }
    self.issuer = issuer
    self.text = text
    self.claims = claims
    self.algorithm = algorithm
    keyID = header["kid"]?.string
  }

  /// Checks the signature, then the claims.
  ///
  /// - Parameter addresses: The addresses that the token may be for; one of them is enough.
  func check(
    _ keys: SigningKeys, for addresses: Set<String>, at now: Timestamp
  ) async throws(CDSTokenError) -> Use {
    do throws(IDTokenError) {
      try await keys.check(text, algorithm, keyID: keyID)
    } catch {
      throw error == .unknownKey ? CDSTokenError.unknownKey : CDSTokenError.signature
    }
    let audiences =
      claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
    guard !addresses.isDisjoint(with: audiences) else { throw .audience }
    let expires = try checkTimes(Double(now.milliseconds) / 1000)
    guard let identifier = claims["jti"]?.string, (1...255).contains(identifier.utf8.count) else {
      throw .identifier
    }
    return Use(
      digest: Fingerprint.digest(of: Array("\(issuer)\n\(identifier)".utf8)),
      until: Timestamp(milliseconds: Int64((expires + Self.skew) * 1000) + 1))
  }

  /// Returns the end of the token, in seconds since 1970.
  private func checkTimes(_ now: Double) throws(CDSTokenError) -> Double {
    guard let expires = Self.seconds(claims["exp"]), expires > now - Self.skew else {
      throw .expired
    }
    guard let issued = Self.seconds(claims["iat"]), issued <= now + Self.skew else {
      throw .issuedAt
    }
    guard expires - issued <= Self.longestLifetime, issued < expires else { throw .lifetime }
    if let begins = claims["nbf"] {
      guard let begins = Self.seconds(begins), begins <= now + Self.skew else {
        throw .notYetValid
      }
    }
    return expires
  }

  private static func object(_ part: Substring) -> JSONValue? {
    guard let bytes = Base64URL.decode(part), let json = try? JSONValue(parsing: bytes),
      json.object != nil
    else { return nil }
    return json
  }

  private static func seconds(_ value: JSONValue?) -> Double? {
    guard let text = value?.number?.text, let seconds = Double(text),
      (0...1e11).contains(seconds)
    else { return nil }
    return seconds
  }
}
