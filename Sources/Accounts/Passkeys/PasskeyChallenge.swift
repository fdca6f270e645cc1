// SPDX-License-Identifier: Apache-2.0

import Encodings
import Identifiers
import Storage

/// The challenge that a passkey signs: valid for one action, for ten minutes and for one answer.
///
/// It contains its expiry and a code that only this server can create, so that showing a page writes nothing.
package enum PasskeyChallenge {
  /// The action that the answer is for.
  package enum Act: Sendable, Hashable {
    /// Signing in by anyone on the sign-in page.
    case signIn
    /// Adding a passkey to an account.
    case register(account: AccountID)
    /// A new proof of identity.
    case prove(account: AccountID)

    fileprivate var name: String {
      switch self {
      case .signIn: "sign-in"
      case .register(let account): "register:\(account)"
      case .prove(let account): "prove:\(account)"
      }
    }
  }

  private static let lifetime: Int64 = 10 * 60_000
  private static let nonceLength = 16
  private static let codeLength = 16

  static func make(
    for act: Act, cipher: FieldCipher, random: RandomBytes, at now: Timestamp
  ) -> String {
    let end = now.adding(milliseconds: lifetime).milliseconds
    let head =
      random(nonceLength) + (0..<8).map { UInt8(truncatingIfNeeded: end >> (56 - 8 * Int64($0))) }
    return Base64URL.encode(head + code(of: head, for: act, cipher: cipher))
  }

  /// Returns the end of a challenge of this server for this action; nil for anything else.
  static func end(
    of text: String, for act: Act, cipher: FieldCipher, at now: Timestamp
  ) -> Timestamp? {
    guard text.utf8.count <= 100, let bytes = Base64URL.decode(text),
      bytes.count == nonceLength + 8 + codeLength
    else { return nil }
    let head = Array(bytes[..<(nonceLength + 8)])
    let expected = code(of: head, for: act, cipher: cipher)
    let difference = zip(bytes[head.count...], expected).reduce(0 as UInt8) {
      $0 | ($1.0 ^ $1.1)
    }
    let end = head[nonceLength...].reduce(0 as Int64) { $0 << 8 | Int64($1) }
    guard difference == 0, now.milliseconds < end else { return nil }
    return Timestamp(milliseconds: end)
  }

  private static func code(of head: [UInt8], for act: Act, cipher: FieldCipher) -> [UInt8] {
    Array(
      cipher.blindIndex(Hexadecimal.encode(head), context: "passkey-challenge:\(act.name)")
        .prefix(codeLength))
  }
}
