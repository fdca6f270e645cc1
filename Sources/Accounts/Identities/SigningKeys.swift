// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR
import Foundation
import JWTKit

/// The public keys of a provider that signs ID tokens, or of an app or a system that signs assertions (RFC 7517).
package struct SigningKeys: Sendable {
  /// The accepted signature algorithms: never `none`, and never one with a shared secret.
  enum Algorithm: String, CaseIterable, Sendable {
    case es256 = "ES256"
    case es384 = "ES384"
    case rs256 = "RS256"
    case rs384 = "RS384"
    case ps256 = "PS256"
    case edDSA = "EdDSA"

    /// True for the algorithms of ID tokens.
    var signsIdentities: Bool { self != .es384 && self != .rs384 }
    /// True for the algorithms with which apps and systems prove who they are (SMART App Launch 2.2, CDS Hooks 2.0).
    var signsAssertions: Bool { self == .es384 || self == .rs384 }

    /// The kind of key and the curve for the algorithm.
    var key: (type: String, curve: String?) {
      switch self {
      case .es256: ("EC", "P-256")
      case .es384: ("EC", "P-384")
      case .rs256, .rs384, .ps256: ("RSA", nil)
      case .edDSA: ("OKP", "Ed25519")
      }
    }
  }

  private let keys: [JSONValue]

  /// Creates keys from a key set; nil if it is invalid or unreasonably long.
  package init?(_ json: JSONValue) {
    guard let keys = json["keys"]?.array, keys.count <= 100 else { return nil }
    self.keys = keys
  }

  /// True if a key of the set can sign assertions.
  var signsAssertions: Bool {
    keys.contains { key in
      Algorithm.allCases.contains {
        $0.signsAssertions && fits(key, $0, keyID: nil) && (try? Self.reader(key, $0)) != nil
      }
    }
  }

  /// True if the set contains a private key or a shared secret, which no one else may have.
  var hasSecrets: Bool { keys.contains { $0["d"] != nil || $0["k"] != nil } }

  /// Returns true if one of the keys made a token's signature.
  ///
  /// Only suitable keys are tried: of the algorithm's kind, for signing, and with the id that the token
  /// names. A token without an id is accepted if exactly one key fits.
  func check(
    _ token: String, _ algorithm: Algorithm, keyID: String?
  ) async throws(IDTokenError) {
    guard Self.isPlain(token) else { throw .malformed }
    let fitting = keys.filter { fits($0, algorithm, keyID: keyID) }
    guard let key = fitting.first, fitting.count == 1 else { throw .unknownKey }
    guard let single = try? Self.reader(key, algorithm) else { throw .unknownKey }
    do {
      let collection = try await JWTKeyCollection().add(jwk: single)
      _ = try await collection.verify(token, as: SignatureOnly.self)
    } catch {
      throw .signature
    }
  }

  /// Returns true if the header of a token has no numbers, which no header needs: the library stops the whole program
  /// at one that is too large for a whole number.
  private static func isPlain(_ token: String) -> Bool {
    guard let part = token.split(separator: ".", omittingEmptySubsequences: false).first,
      let header = IDToken.object(part)
    else { return false }
    return !hasNumbers(header)
  }

  private static func hasNumbers(_ value: JSONValue) -> Bool {
    if value.number != nil { return true }
    if let values = value.array { return values.contains(where: hasNumbers) }
    return value.object?.contains { hasNumbers($0.value) } ?? false
  }

  private func fits(_ key: JSONValue, _ algorithm: Algorithm, keyID: String?) -> Bool {
    let kind = algorithm.key
    guard key["kty"]?.string == kind.type, key["crv"]?.string == kind.curve,
      keyID == nil || key["kid"]?.string == keyID
    else { return false }
    if let use = key["use"]?.string, use != "sig" { return false }
    if let named = key["alg"]?.string, named != algorithm.rawValue { return false }
    // Anyone can sign with a private key that was published.
    guard key["d"] == nil else { return false }
    guard kind.type == "RSA" else { return true }
    let modulus = key["n"]?.string.flatMap { Base64URL.decode($0) } ?? []
    return (256...1024).contains(modulus.drop { $0 == 0 }.count)
  }

  /// Returns the key with only the parts that the signature needs.
  private static func reader(_ key: JSONValue, _ algorithm: Algorithm) throws -> JWK {
    var plain = JSONObject()
    for name in ["kty", "crv", "n", "e", "x", "y"] { plain[name] = key[name] }
    plain["kid"] = "key"
    plain["alg"] = .string(algorithm.rawValue)
    return try JSONDecoder().decode(JWK.self, from: Data(JSONValue.object(plain).bytes))
  }

  /// An empty payload: the token's claims are read by our own strict reader.
  private struct SignatureOnly: JWTPayload {
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }
}
