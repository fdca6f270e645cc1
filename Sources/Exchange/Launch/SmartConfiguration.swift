// SPDX-License-Identifier: Apache-2.0

import FHIR

/// What `.well-known/smart-configuration` offers (SMART App Launch 2), as far as it is used.
package struct SmartConfiguration: Sendable, Hashable {
  package let authorization: String
  package let token: String
  /// With both, who signed in can be proved too.
  package let issuer: String?
  package let keys: String?

  /// Nil where it offers no launch that is safe: PKCE by S256, over addresses that can be trusted.
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
  }

  init?(kept json: JSONValue) {
    guard let authorization = json["authorization"]?.string, let token = json["token"]?.string
    else { return nil }
    self.authorization = authorization
    self.token = token
    issuer = json["issuer"]?.string
    keys = json["keys"]?.string
  }

  var kept: JSONValue {
    var json: JSONValue = ["authorization": .string(authorization), "token": .string(token)]
    if let issuer { json["issuer"] = .string(issuer) }
    if let keys { json["keys"] = .string(keys) }
    return json
  }

  /// Whether signing in also proves who did.
  var provesIdentity: Bool { issuer != nil && keys != nil }

  /// Asks a server; nil where it offers no sign-in.
  package static func fetch(_ client: HospitalClient) async -> SmartConfiguration? {
    let open = HospitalClient(network: client.network, base: client.base, token: nil)
    let json = try? await open.document(open.base.url(".well-known/smart-configuration"))
    return json.flatMap { SmartConfiguration($0, base: client.base) }
  }

  /// https, or plain http where the server itself is reached by it, which the operator allowed.
  private static func isSafe(_ address: String, _ base: HospitalAddress) -> Bool {
    address.utf8.count <= 1_000 && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && !address.contains("#")
      && (address.hasPrefix("https://")
        || (base.text.hasPrefix("http://") && address.hasPrefix("http://")))
  }
}
