// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import Storage

/// A visit of a browser to somebody else's sign-in page and back, by the authorization code flow.
///
/// The state goes through the address and back; the browser's secret stays in its cookie, and nonce and code
/// verifier are made from it. So whoever sees the address cannot finish the visit in another browser, and the
/// database holds nothing that could.
package protocol AuthorizationVisit: Sendable, Hashable {
  var state: Secret { get }
  var browser: Secret { get }
  /// What keeps the secrets made for one kind of visit apart from those of another.
  static var derivation: String { get }
  init(state: Secret, browser: Secret)
  static var statePrefix: String { get }
  static var browserPrefix: String { get }
}

extension AuthorizationVisit {
  /// How long somebody may take there, in milliseconds.
  package static var lifetime: Int64 { 15 * 60_000 }

  package init(random: RandomBytes) {
    self.init(
      state: Secret(prefix: Self.statePrefix, random: random),
      browser: Secret(prefix: Self.browserPrefix, random: random))
  }

  /// What the ID token must bring back.
  package var nonce: String { derived("nonce") }
  /// What proves that who fetches the tokens is who began (RFC 7636).
  package var codeVerifier: String { derived("verifier") }
  /// What is told of it at the beginning (S256).
  package var codeChallenge: String {
    Base64URL.encode(Array(SHA256.hash(data: Array(codeVerifier.utf8))))
  }

  private func derived(_ use: String) -> String {
    let text = "\(Self.derivation)\(use):\(browser.text)"
    return Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8))))
  }
}
