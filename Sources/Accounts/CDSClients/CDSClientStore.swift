// SPDX-License-Identifier: Apache-2.0

import Storage

/// The statements that change the tables `cds_clients` and `cds_used_tokens`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum CDSClientStore {
  /// The time between two notes that a system is in use, in milliseconds.
  private static let noteInterval: Int64 = 60_000

  /// Adds a system, or replaces the keys and rights of the one with its issuer.
  static func put(_ client: CDSClient, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(putStatement, client.values)
  }

  private static let putStatement = SQLStatement(
    """
    INSERT INTO cds_clients (\(CDSClient.columns)) VALUES (\(CDSClient.placeholders))
    ON CONFLICT (issuer) DO UPDATE SET account = excluded.account, key_set = excluded.key_set,
      every_patient = excluded.every_patient, enabled = excluded.enabled
    """)

  /// Lets a system ask, or keeps it from asking; returns false if there is none with the issuer.
  static func set(
    enabled: Bool, of issuer: String, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE cds_clients SET enabled = $1 WHERE issuer = $2", [SQLValue(enabled), .text(issuer)])
      > 0
  }

  /// Deletes a system; returns false if there is none with the issuer.
  static func delete(_ issuer: String, in writer: any SQLWriter) throws(StorageError) -> Bool {
    try writer.execute("DELETE FROM cds_clients WHERE issuer = $1", [.text(issuer)]) > 0
  }

  /// Records about once a minute that a system is in use.
  static func touch(
    _ issuer: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE cds_clients SET used = $1 WHERE issuer = $2 AND (used IS NULL OR used <= $3)",
      [SQLValue(now), .text(issuer), SQLValue(now.adding(milliseconds: -noteInterval))])
  }

  /// Marks a token as used; returns false if it was used before.
  ///
  /// - Parameter expires: The time from which the token is not accepted anyway.
  static func use(
    token digest: [UInt8], until expires: Timestamp, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute("DELETE FROM cds_used_tokens WHERE expires < $1", [SQLValue(now)])
    let earlier = try writer.first(
      "SELECT 1 FROM cds_used_tokens WHERE digest = $1", [.blob(digest)])
    guard earlier == nil else { return false }
    try writer.execute(
      "INSERT INTO cds_used_tokens (digest, expires) VALUES ($1, $2)",
      [.blob(digest), SQLValue(expires)])
    return true
  }
}
