// SPDX-License-Identifier: Apache-2.0

import Accounts
import Storage

/// Secrets of the installation that must survive a restart, such as the key that signs pushes.
package enum StoredSecrets {
  /// The name of the key that identifies this server to push services.
  package static let vapidKey = "vapid"

  /// Returns the secret with a name; the first one proposed is stored permanently.
  ///
  /// `proposed` is text so that it can be encrypted; callers encode bytes first.
  package static func value(
    _ name: String, orKeep proposed: String, accounts: AccountStore, in writer: any SQLWriter
  ) throws(StorageError) -> String {
    let cipher = accounts.cipher
    let sealed = try writer.first("SELECT sealed FROM secrets WHERE name = $1", [.text(name)])?
      .value(as: [UInt8].self)
    if let sealed { return try cipher.open(sealed, context: "secrets:\(name)") }
    try writer.execute(
      "INSERT INTO secrets (name, sealed) VALUES ($1, $2)",
      [.text(name), .blob(try cipher.seal(proposed, context: "secrets:\(name)"))])
    return proposed
  }
}
