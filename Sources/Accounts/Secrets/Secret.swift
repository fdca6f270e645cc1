// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import Secrecy
import Storage

/// A bearer secret, shown or sent once and stored only as a digest.
package struct Secret: Sendable, Hashable {
  private let concealed: Concealed<String>

  /// The text that the holder presents, for example `rgs_…`.
  package var text: String { concealed.revealed }

  /// Creates a secret from the text that its holder presents.
  package init(text: String) {
    concealed = Concealed(text)
  }

  /// Creates a secret of 256 random bits, with a prefix that shows its purpose.
  package init(prefix: String, random: RandomBytes) {
    self.init(text: prefix + Base64URL.encode(random(32)))
  }

  /// The SHA-256 of the text: enough for a secret of 256 bits, which no one can guess.
  package var digest: [UInt8] {
    Array(SHA256.hash(data: Array(text.utf8)))
  }

  /// The prefix of a session.
  package static let sessionPrefix = "rgs_"
  /// The prefix of a bearer token.
  package static let tokenPrefix = "rgt_"
  /// The prefix of an invitation to choose a password.
  package static let invitationPrefix = "rgi_"
  /// The prefix of a link that proves an e-mail address.
  package static let addressPrefix = "rge_"
  /// The prefix of a sign-in that still needs its second step.
  package static let pendingPrefix = "rgp_"
  /// The prefix of the token of a researcher.
  package static let researcherPrefix = "rgr_"
  /// The prefix of the token of a device in the home.
  package static let homeDevicePrefix = "rgd_"
}
