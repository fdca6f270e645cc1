// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Identifiers
import Secrecy
import Storage

/// The credentials for a hospital's server, stored encrypted.
package struct HospitalCredentials: Sendable, Hashable, Unprintable {
  /// The bearer token; nil for a sign-in that has not been completed.
  package var access: String?
  /// The refresh token; nil if the server gave none.
  package var refresh: String?
  /// The time when the access token expires; nil if that is not known.
  package var expires: Timestamp?
  /// The sign-in configuration of the server; nil for a token that the person entered.
  package var launch: SmartConfiguration?
  /// The identifier under which the hospital registered this installation; nil for a token that was
  /// entered.
  package var clientID: String?

  /// Creates credentials from a bearer token, or empty ones.
  package init(access: String? = nil) {
    self.access = access
  }

  /// Returns the context that binds encrypted credentials to their connection.
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

  /// Checks that a token is not meant for another server, to which we would then expose it.
  ///
  /// A token without an address, or one that is not a JWT, is accepted: the server itself decides about it.
  ///
  /// - Throws: ``HospitalTrouble/audience`` if all addresses in the token belong to other servers.
  package static func checkAudience(_ token: String, base: HospitalAddress)
    throws(HospitalTrouble)
  {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
      let claims = try? JSONValue(parsing: bytes), let audience = claims["aud"]
    else { return }
    let named = audience.string.map { [$0] } ?? audience.array?.compactMap(\.string) ?? []
    let addresses = named.filter { $0.contains("://") }
    // Names that are not addresses cannot be compared.
    guard !addresses.isEmpty else { return }
    let fits = addresses.contains { address in
      guard let audience = HospitalAddress(address) else { return false }
      return audience == base || base.text.hasPrefix("\(audience.text)/")
    }
    guard fits else { throw .audience }
  }

  /// Returns true for a text that can stand in a header: 1 to 8,000 visible ASCII characters.
  package static func isToken(_ text: String) -> Bool {
    (1...8_000).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
  }
}
