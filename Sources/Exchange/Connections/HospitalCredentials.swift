// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Identifiers
import Secrecy
import Storage

/// With what a server lets us in; kept sealed.
package struct HospitalCredentials: Sendable, Hashable, Unprintable {
  package var access: String?
  package var refresh: String?
  /// When the access token ends, where that is known.
  package var expires: Timestamp?
  /// How it was signed in, where it was.
  package var launch: SmartConfiguration?
  package var clientID: String?

  package init(access: String? = nil) {
    self.access = access
  }

  package static func context(_ connection: ConnectionID) -> String {
    "hospital_connections:\(connection):credentials"
  }

  init?(kept text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
    access = json["access"]?.string
    refresh = json["refresh"]?.string
    expires = json["expires"]?.string.flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) }
    clientID = json["client"]?.string
    launch = json["launch"].flatMap { SmartConfiguration(kept: $0) }
  }

  var text: String {
    var json: JSONValue = .object(JSONObject())
    if let access { json["access"] = .string(access) }
    if let refresh { json["refresh"] = .string(refresh) }
    if let expires { json["expires"] = .string(String(expires.milliseconds)) }
    if let clientID { json["client"] = .string(clientID) }
    if let launch { json["launch"] = launch.kept }
    return json.text
  }

  /// Refuses a token that says that it is for another server: ours would hand it to a stranger.
  ///
  /// Tokens that say nothing, or are no JWT, are the server's own business.
  package static func checkAudience(_ token: String, base: HospitalAddress)
    throws(HospitalTrouble)
  {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
      let claims = try? JSONValue(parsing: bytes), let audience = claims["aud"]
    else { return }
    let named = audience.string.map { [$0] } ?? audience.array?.compactMap(\.string) ?? []
    let addresses = named.filter { $0.contains("://") }
    // Names that are no addresses cannot be compared.
    guard !addresses.isEmpty else { return }
    let fits = addresses.contains { address in
      guard let audience = HospitalAddress(address) else { return false }
      return audience == base || base.text.hasPrefix("\(audience.text)/")
    }
    guard fits else { throw .audience }
  }

  /// What may stand in a header.
  package static func isToken(_ text: String) -> Bool {
    (1...8_000).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
  }
}
