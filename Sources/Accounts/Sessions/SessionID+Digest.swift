// SPDX-License-Identifier: Apache-2.0

import Encodings
import Identifiers

/// Identifiers of sessions and tokens: the digest of their secret in hexadecimal, which cannot be used to
/// sign in.
extension SessionID {
  init(digest: [UInt8]) {
    self.init(Hexadecimal.encode(digest))
  }

  /// Creates the identifier of the session or token of a secret.
  package init(_ secret: Secret) {
    self.init(digest: secret.digest)
  }

  /// The digest; nil for a text that is not a hexadecimal number.
  var digest: [UInt8]? { Hexadecimal.decode(text) }
}
