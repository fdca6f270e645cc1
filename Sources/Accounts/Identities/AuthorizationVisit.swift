// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import Storage

/// A visit of a browser to another site's sign-in page and back, by the authorization code flow.
///
/// The state travels through the address and back. The browser's secret stays in its cookie, and nonce and
/// code verifier are derived from it. So someone who sees the address cannot finish the visit in another
/// browser, and the database contains nothing that could.
package protocol AuthorizationVisit: Sendable, Hashable {
  /// The secret that travels through the address and back.
  var state: Secret { get }
  /// The secret that stays in the browser's cookie.
  var browser: Secret { get }
  /// The text that separates the secrets derived for one kind of visit from those of another.
  static var derivation: String { get }
  init(state: Secret, browser: Secret)
  /// The prefix of every state.
  static var statePrefix: String { get }
  /// The prefix of every browser secret.
  static var browserPrefix: String { get }
}

extension AuthorizationVisit {
  /// The maximum duration of a visit, in milliseconds.
  package static var lifetime: Int64 { 15 * 60_000 }

  /// Creates a visit with a new state and a new browser secret.
  package init(random: RandomBytes) {
    self.init(
      state: Secret(prefix: Self.statePrefix, random: random),
      browser: Secret(prefix: Self.browserPrefix, random: random))
  }

  /// The nonce that the ID token must contain.
  package var nonce: String { derived("nonce") }
  /// The code verifier, which proves that the tokens are fetched by the same client that started the visit
  /// (RFC 7636).
  package var codeVerifier: String { derived("verifier") }
  /// The code challenge, sent at the start of the visit: S256 of the verifier.
  package var codeChallenge: String {
    Base64URL.encode(Array(SHA256.hash(data: Array(codeVerifier.utf8))))
  }

  private func derived(_ use: String) -> String {
    let text = "\(Self.derivation)\(use):\(browser.text)"
    return Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8))))
  }
}
