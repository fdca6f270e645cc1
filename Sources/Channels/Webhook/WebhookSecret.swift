// SPDX-License-Identifier: Apache-2.0
import Crypto
import Encodings
import Secrecy

/// What signs the messages of one webhook: `whsec_` and the key in Base64, as Standard Webhooks writes it.
package struct WebhookSecret: Sendable, Hashable {
  package static let prefix = "whsec_"
  private let key: Concealed<[UInt8]>

  /// A new one of 32 random bytes.
  package init(random: (Int) -> [UInt8]) {
    key = Concealed(random(32))
  }

  /// Reads a secret that was kept; nil where it is none.
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

  package var text: String {
    Self.prefix + Base64.encode(key.revealed)
  }

  /// The value of `webhook-signature`: HMAC-SHA256 over the id, the time and the body, with dots between.
  package func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
    let signed = Array("\(id).\(seconds).".utf8) + body
    let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key.revealed))
    return "v1," + Base64.encode(Array(code))
  }
}
