// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The parts of `.well-known/smart-configuration` (SMART App Launch 2) that are used here.
package struct SmartConfiguration: Sendable, Hashable {
  /// The address of the sign-in page.
  package let authorization: String
  /// The address that exchanges codes and refresh tokens for access tokens.
  package let token: String
  /// The issuer of ID tokens; together with ``keys`` it allows checking who signed in.
  package let issuer: String?
  /// The address of the keys that sign ID tokens; nil if it is missing or unsafe.
  package let keys: String?
  /// The address that ends tokens (RFC 7009); nil if it is missing or unsafe.
  package let revocation: String?

  /// Creates the configuration; nil if the server offers no safe sign-in.
  ///
  /// A sign-in is safe with PKCE by S256, over https, or over plain http if the server itself is
  /// reached by it.
  package init?(_ json: JSONValue, base: HospitalAddress) {
    guard let authorization = json["authorization_endpoint"]?.string,
      let token = json["token_endpoint"]?.string,
      Self.isSafe(authorization, base), Self.isSafe(token, base)
    else { return nil }
    let methods = json["code_challenge_methods_supported"]?.array?.compactMap(\.string)
    guard methods?.contains("S256") ?? false else { return nil }
    self.authorization = authorization
    self.token = token
    issuer = json["issuer"]?.string
    keys = json["jwks_uri"]?.string.flatMap { Self.isSafe($0, base) ? $0 : nil }
    revocation = json["revocation_endpoint"]?.string.flatMap { Self.isSafe($0, base) ? $0 : nil }
  }

  init?(kept json: JSONValue) {
    guard let authorization = json["authorization"]?.string, let token = json["token"]?.string
    else { return nil }
    self.authorization = authorization
    self.token = token
    issuer = json["issuer"]?.string
    keys = json["keys"]?.string
    revocation = json["revocation"]?.string
  }

  var kept: JSONValue {
    var json: JSONValue = ["authorization": .string(authorization), "token": .string(token)]
    if let issuer { json["issuer"] = .string(issuer) }
    if let keys { json["keys"] = .string(keys) }
    if let revocation { json["revocation"] = .string(revocation) }
    return json
  }

  /// True if signing in also proves the person's identity.
  var provesIdentity: Bool { issuer != nil && keys != nil }

  /// Returns the configuration of a server; nil if it offers no safe sign-in or cannot be read.
  package static func fetch(_ client: HospitalClient) async -> SmartConfiguration? {
    let open = HospitalClient(network: client.network, base: client.base, token: nil)
    let json = try? await open.document(open.base.url(".well-known/smart-configuration"))
    return json.flatMap { SmartConfiguration($0, base: client.base) }
  }

  /// Returns true for https, or for plain http if the server itself uses it, which the operator allowed.
  private static func isSafe(_ address: String, _ base: HospitalAddress) -> Bool {
    address.utf8.count <= 1_000 && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && !address.contains("#")
      && (address.hasPrefix("https://")
        || (base.text.hasPrefix("http://") && address.hasPrefix("http://")))
  }
}
