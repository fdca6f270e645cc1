// SPDX-License-Identifier: Apache-2.0
import Crypto
import Encodings
import Secrecy

/// The secret that signs the messages of one webhook: `whsec_` and the key in Base64, as in Standard
/// Webhooks.
package struct WebhookSecret: Sendable, Hashable {
  /// The prefix of every secret.
  package static let prefix = "whsec_"
  private let key: Concealed<[UInt8]>

  /// Creates a secret of 32 random bytes.
  package init(random: (Int) -> [UInt8]) {
    key = Concealed(random(32))
  }

  /// Creates a secret from its stored text; nil unless it is `whsec_` and 24 to 64 bytes in Base64.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let url = text.dropFirst(Self.prefix.count).map { digit -> Character in
      switch digit {
      case "+": "-"
      case "/": "_"
      default: digit
      }
    }
    guard let bytes = Base64URL.decode(padded: String(url)), (24...64).contains(bytes.count) else {
      return nil
    }
    key = Concealed(bytes)
  }

  /// The secret as in Standard Webhooks: `whsec_` and the key in Base64.
  package var text: String {
    Self.prefix + Base64.encode(key.revealed)
  }

  /// Returns the value of `webhook-signature`: HMAC-SHA256 of the id, the time in seconds and the
  /// body, separated by dots.
  package func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
    let signed = Array("\(id).\(seconds).".utf8) + body
    let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key.revealed))
    return "v1," + Base64.encode(Array(code))
  }
}
