// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import Storage

/// A visit of a browser to another site's sign-in page and back, by the authorization code flow.
///
/// The state goes through the address and back; the browser's secret stays in its cookie, and nonce and code
/// verifier are made from it. So whoever sees the address cannot finish the visit in another browser, and the
/// database holds nothing that could.
package protocol AuthorizationVisit: Sendable, Hashable {
  /// The secret that goes through the address and back.
  var state: Secret { get }
  /// The secret that stays in the browser's cookie.
  var browser: Secret { get }
  /// The text that separates the secrets derived for one kind of visit from those of another.
  static var derivation: String { get }
  init(state: Secret, browser: Secret)
  /// The text with which every state begins.
  static var statePrefix: String { get }
  /// The text with which every browser secret begins.
  static var browserPrefix: String { get }
}

extension AuthorizationVisit {
  /// The time that a visit can take, in milliseconds.
  package static var lifetime: Int64 { 15 * 60_000 }

  /// Creates a visit with a new state and a new browser secret.
  package init(random: RandomBytes) {
    self.init(
      state: Secret(prefix: Self.statePrefix, random: random),
      browser: Secret(prefix: Self.browserPrefix, random: random))
  }

  /// The nonce that the ID token must contain.
  package var nonce: String { derived("nonce") }
  /// The code verifier, which proves that the tokens are fetched by whoever started the visit (RFC
  /// 7636).
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
