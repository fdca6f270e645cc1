// SPDX-License-Identifier: Apache-2.0

import Storage

extension AccountStore {
  /// Deletes sessions, tokens and invitations that ended before an instant; returns how many.
  package func forgetCredentials(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    let end = SQLValue(instant)
    return try writer.execute("DELETE FROM sessions WHERE expires < $1", [end])
      + writer.execute("DELETE FROM tokens WHERE expires < $1", [end])
      + writer.execute("DELETE FROM invitations WHERE expires < $1 OR used < $1", [end])
  }
}
