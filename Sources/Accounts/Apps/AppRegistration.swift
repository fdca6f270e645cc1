// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import Identifiers
import Storage

/// The description of a new app, before it is checked.
package struct AppRegistration: Sendable, Hashable {
  /// The name that people read.
  package var name: String
  /// The way in which it proves who it is.
  package var kind: App.Kind
  /// The exact addresses to which people may be sent back.
  package var redirects: [String]
  /// The most that it may ask for, separated by spaces.
  package var scopes: String
  /// The addresses that describe the app and start it.
  package var addresses = AppAddresses()
  /// Its public keys as a JSON Web Key Set; nil without them.
  package var keySet: JSONValue?
  /// The address of its public keys; nil without one.
  package var keySetAddress: String?
  /// The account in whose name a backend service acts.
  package var account: AccountID?

  /// Creates a description.
  package init(name: String, kind: App.Kind, redirects: [String], scopes: String) {
    self.name = name
    self.kind = kind
    self.redirects = redirects
    self.scopes = scopes
  }

  private static let longestName = 100
  private static let longestAddress = 1000
  private static let mostRedirects = 20

  /// True if the app must prove who it is with a secret, because it has no keys.
  package var needsSecret: Bool {
    kind == .confidential && keySet == nil && keySetAddress == nil
  }

  /// Returns the app after checking its description.
  func checked(
    id: AppID, state: App.State, secretDigest: [UInt8]?, at now: Timestamp
  ) throws(AppError) -> App {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...Self.longestName).contains(name.count),
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw .name(maximum: Self.longestName) }
    try checkRedirects()
    for address in [addresses.launch, addresses.logo, addresses.policy, addresses.terms] {
      guard let address else { continue }
      guard Self.isRedirect(address) else { throw .address(address) }
    }
    if let keySetAddress {
      guard Self.isRedirect(keySetAddress), keySetAddress.hasPrefix("https://") else {
        throw .address(keySetAddress)
      }
    }
    if let keySet {
      guard SigningKeys(keySet) != nil, keySetAddress == nil else { throw .keys }
    }
    let scopes = SMARTScopes(parsing: scopes)
    if let unknown = scopes.refused.first { throw .scopes(unknown) }
    try checkKind(scopes)
    return App(
      id: id, name: name, kind: kind, state: state, redirects: kind == .backend ? [] : redirects,
      scopes: scopes, addresses: addresses, secretDigest: secretDigest,
      keySet: keySet.map { String(decoding: $0.bytes, as: UTF8.self) },
      keySetAddress: keySetAddress, account: kind == .backend ? account : nil, created: now)
  }

  private func checkRedirects() throws(AppError) {
    guard kind != .backend else { return }
    guard (1...Self.mostRedirects).contains(redirects.count) else {
      throw .redirectCount(maximum: Self.mostRedirects)
    }
    for address in redirects {
      guard Self.isRedirect(address) else { throw .redirect(address) }
    }
  }

  /// Backend services have system scopes and nothing else; no other app has them.
  private func checkKind(_ scopes: SMARTScopes) throws(AppError) {
    guard !scopes.isEmpty else { throw .scopes("") }
    if kind == .backend {
      guard account != nil else { throw .account }
      guard keySet != nil || keySetAddress != nil else { throw .keys }
      if let other = scopes.grants.first(where: { $0.context != .system }) {
        throw .scopes(other.text)
      }
      if let other = scopes.launch.first { throw .scopes(other.rawValue) }
    } else if let other = scopes.grants.first(where: { $0.context == .system }) {
      throw .scopes(other.text)
    }
    if kind == .open, keySet != nil || keySetAddress != nil { throw .keys }
  }

  /// Returns true for an https address, or an http address on the same device, in visible ASCII characters without a
  /// fragment, a wildcard or a user.
  package static func isRedirect(_ text: String) -> Bool {
    guard text.utf8.count <= longestAddress, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !text.contains("#"), !text.contains("*"), !text.contains("\\"),
      let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil
    else { return false }
    switch parts.scheme {
    case "https": return true
    case "http": return ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
    default: return false
    }
  }
}
