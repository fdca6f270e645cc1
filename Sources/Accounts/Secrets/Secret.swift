// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import Secrecy
import Storage

/// A bearer secret: shown or sent once, kept only as a digest.
package struct Secret: Sendable, Hashable {
  private let concealed: Concealed<String>

  /// The text that the holder presents, for example `rgs_…`.
  package var text: String { concealed.revealed }

  package init(text: String) {
    concealed = Concealed(text)
  }

  /// A new secret of 256 bits, with a prefix that tells what it is for.
  package init(prefix: String, random: RandomBytes) {
    self.init(text: prefix + Base64URL.encode(random(32)))
  }

  /// SHA-256 of the text: enough for a secret of 256 bits, which nobody can guess.
  package var digest: [UInt8] {
    Array(SHA256.hash(data: Array(text.utf8)))
  }

  package static let sessionPrefix = "rgs_"
  package static let tokenPrefix = "rgt_"
  package static let invitationPrefix = "rgi_"
  /// A link that proves an e-mail address.
  package static let addressPrefix = "rge_"
  /// A sign-in whose second step is still to come.
  package static let pendingPrefix = "rgp_"
}
