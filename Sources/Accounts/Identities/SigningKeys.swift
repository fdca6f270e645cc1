// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR
import Foundation
import JWTKit

/// The public keys that a provider publishes (RFC 7517), as far as ID tokens are signed with them.
package struct SigningKeys: Sendable {
  /// What a token may be signed with: never `none`, and never a secret that both sides know.
  enum Algorithm: String, CaseIterable, Sendable {
    case es256 = "ES256"
    case rs256 = "RS256"
    case ps256 = "PS256"
    case edDSA = "EdDSA"

    /// The kind of key and the curve that belong to it.
    var key: (type: String, curve: String?) {
      switch self {
      case .es256: ("EC", "P-256")
      case .rs256, .ps256: ("RSA", nil)
      case .edDSA: ("OKP", "Ed25519")
      }
    }
  }

  private let keys: [JSONValue]

  /// Creates keys from a key set; nil if it is none, or unreasonably long.
  package init?(_ json: JSONValue) {
    guard let keys = json["keys"]?.array, keys.count <= 100 else { return nil }
    self.keys = keys
  }

  /// Whether one of the keys made a token's signature.
  ///
  /// Only keys that are meant for it are tried: of the algorithm's kind, for signing, and of the id
  /// that the token names. A token that names none is good where just one key fits.
  func check(
    _ token: String, _ algorithm: Algorithm, keyID: String?
  ) async throws(IDTokenError) {
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

  private func fits(_ key: JSONValue, _ algorithm: Algorithm, keyID: String?) -> Bool {
    let kind = algorithm.key
    guard key["kty"]?.string == kind.type, key["crv"]?.string == kind.curve,
      keyID == nil || key["kid"]?.string == keyID
    else { return false }
    if let use = key["use"]?.string, use != "sig" { return false }
    if let named = key["alg"]?.string, named != algorithm.rawValue { return false }
    // A private key that was published signs for everybody.
    guard key["d"] == nil else { return false }
    guard kind.type == "RSA" else { return true }
    let modulus = key["n"]?.string.flatMap { Base64URL.decode($0) } ?? []
    return (256...1024).contains(modulus.drop { $0 == 0 }.count)
  }

  /// The key alone, with nothing in it but what the signature needs.
  private static func reader(_ key: JSONValue, _ algorithm: Algorithm) throws -> JWK {
    var plain = JSONObject()
    for name in ["kty", "crv", "n", "e", "x", "y"] { plain[name] = key[name] }
    plain["kid"] = "key"
    plain["alg"] = .string(algorithm.rawValue)
    return try JSONDecoder().decode(JWK.self, from: Data(JSONValue.object(plain).bytes))
  }

  /// What the token says is read by our own strict reader.
  private struct SignatureOnly: JWTPayload {
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }
}
