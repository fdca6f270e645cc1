// SPDX-License-Identifier: Apache-2.0

import Storage

extension AccountStore {
  /// Deletes sessions, tokens and invitations that ended before an instant; returns how many.
  ///
  /// Counted guesses and visits to providers, which are of use for minutes, go with them.
  package func forgetCredentials(
    endedBefore instant: Timestamp, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    let end = SQLValue(instant)
    try SignInThrottle.forget(at: now, in: writer)
    try writer.execute("DELETE FROM provider_visits WHERE expires < $1", [SQLValue(now)])
    try writer.execute("DELETE FROM identity_offers WHERE expires < $1", [SQLValue(now)])
    try writer.execute("DELETE FROM address_proofs WHERE expires < $1", [SQLValue(now)])
    let unused = SQLValue(instant.adding(milliseconds: -SessionLimits.longestIdle))
    try writer.execute("DELETE FROM pending_sign_ins WHERE expires < $1", [end])
    try writer.execute("DELETE FROM device_sign_ins WHERE expires < $1", [end])
    try writer.execute("DELETE FROM used_challenges WHERE expires < $1", [end])
    return try writer.execute("DELETE FROM sessions WHERE seen < $1", [unused])
      + writer.execute("DELETE FROM sessions WHERE expires < $1", [end])
      + writer.execute("DELETE FROM tokens WHERE expires < $1", [end])
      + writer.execute("DELETE FROM invitations WHERE expires < $1 OR used < $1", [end])
  }
}
