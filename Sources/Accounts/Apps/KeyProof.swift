// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR
import Foundation
import Storage

/// A reason why a proof of possession is not accepted.
package enum KeyProofError: String, Error, Sendable, Hashable, CaseIterable {
  case malformed
  case algorithm
  /// The key is missing, private, too short, or not the one to which the token is bound.
  case key
  case signature
  /// The proof is for another method.
  case method
  /// The proof is for another address.
  case address
  case issuedAt = "issued-at"
  /// The proof has no identifier.
  case identifier
  /// The proof is for another token.
  case token
  case replayed
  /// The token is bound to a key and came without a proof, or it is not bound and came with one.
  case scheme
}

/// A proof that the sender of one request has a key (DPoP, RFC 9449).
package struct KeyProof: Sendable, Hashable {
  /// The thumbprint of the key (RFC 7638), to which tokens are bound.
  package let thumbprint: String
  /// The name of the proof, by which a second use is noticed.
  package let use: String
  /// The time from which the proof is not accepted anyway.
  package let expires: Timestamp

  /// The signature algorithms of proofs, all with a public key.
  package static let algorithms = ["ES256", "ES384", "RS256"]

  private static let maximumBytes = 8 * 1024
  /// The allowed clock difference, in seconds.
  private static let skew: Double = 30
  /// The longest time since a proof was made, in seconds.
  private static let longestAge: Double = 60
  /// The parts of a key that its owner alone may have, and the shared secret of an HMAC.
  private static let secretParts = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

  /// Creates a proof after checking all of it.
  ///
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - address: The address of the request; a query does not count.
  ///   - token: The access token of the request; nil where tokens are issued.
  package init(
    _ text: String, method: String, address: String, token: Secret?, now: Timestamp
  ) async throws(KeyProofError) {
    guard text.utf8.count <= Self.maximumBytes else { throw .malformed }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = IDToken.object(parts[0]),
      let claims = IDToken.object(parts[1]), Base64URL.decode(parts[2]) != nil,
      header["typ"]?.string?.lowercased() == "dpop+jwt", header["crit"] == nil
    else { throw .malformed }
    guard let name = header["alg"]?.string, Self.algorithms.contains(name),
      let algorithm = SigningKeys.Algorithm(rawValue: name)
    else { throw .algorithm }
    guard let key = header["jwk"], Self.secretParts.allSatisfy({ key[$0] == nil }),
      let thumbprint = Self.thumbprint(of: key), let keys = SigningKeys(["keys": [key]])
    else { throw .key }
    do throws(IDTokenError) {
      try await keys.check(text, algorithm, keyID: nil)
    } catch {
      throw error == .unknownKey ? KeyProofError.key : KeyProofError.signature
    }
    guard claims["htm"]?.string == method else { throw .method }
    guard let named = claims["htu"]?.string.flatMap(Self.normal), named == Self.normal(address)
    else { throw .address }
    let seconds = Double(now.milliseconds) / 1000
    guard let issued = IDToken.seconds(claims["iat"]), issued <= seconds + Self.skew,
      issued >= seconds - Self.longestAge - Self.skew
    else { throw .issuedAt }
    guard let id = claims["jti"]?.string, (1...255).contains(id.utf8.count) else {
      throw .identifier
    }
    if let token {
      guard claims["ath"]?.string == Base64URL.encode(token.digest) else { throw .token }
    }
    self.thumbprint = thumbprint
    use = "\(thumbprint)\n\(id)"
    let end = (issued + Self.longestAge + Self.skew) * 1000
    expires = Timestamp(milliseconds: Int64(end) + 1)
  }

  /// Returns the thumbprint of a public key (RFC 7638 section 3); nil for a key of another kind.
  static func thumbprint(of key: JSONValue) -> String? {
    let names: [String]
    switch key["kty"]?.string {
    case "EC": names = ["crv", "kty", "x", "y"]
    case "RSA": names = ["e", "kty", "n"]
    default: return nil
    }
    var members: [String] = []
    for name in names {
      // No real key has characters that JSON would escape.
      guard let value = key[name]?.string, !value.isEmpty,
        ["crv", "kty"].contains(name) || Base64URL.decode(value) != nil,
        value.utf8.allSatisfy({ $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
      else { return nil }
      members.append("\"\(name)\":\"\(value)\"")
    }
    let text = "{\(members.joined(separator: ","))}"
    return Base64URL.encode(Fingerprint.digest(of: Array(text.utf8)))
  }

  /// Returns an address without its query, in the form in which equal addresses are equal texts.
  private static func normal(_ text: String) -> String? {
    guard text.utf8.count <= 2000, let parts = URLComponents(string: text),
      let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(),
      parts.user == nil, parts.password == nil
    else { return nil }
    let usual = scheme == "https" ? 443 : 80
    let port = parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
    let path = parts.percentEncodedPath
    return "\(scheme)://\(host)\(port)\(path.isEmpty ? "/" : path)"
  }
}

/// The key to which new tokens are bound.
package struct TokenKey: Sendable, Hashable {
  /// The thumbprint of the key.
  package let thumbprint: String
  /// True if the refresh token is bound too: that of an app that cannot prove itself in another way.
  package let bindsRefresh: Bool

  /// Creates the binding to a key.
  package init(thumbprint: String, bindsRefresh: Bool) {
    self.thumbprint = thumbprint
    self.bindsRefresh = bindsRefresh
  }
}
