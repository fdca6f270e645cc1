// SPDX-License-Identifier: Apache-2.0

import Encodings
import Identifiers

/// Sessions and tokens are named by the digest of their secret, in hexadecimal: nobody signs in with it.
extension SessionID {
  init(digest: [UInt8]) {
    self.init(Hexadecimal.encode(digest))
  }

  /// Names the session or token of a secret.
  package init(_ secret: Secret) {
    self.init(digest: secret.digest)
  }

  /// The digest; nil for a text that is no hexadecimal number.
  var digest: [UInt8]? { Hexadecimal.decode(text) }
}
