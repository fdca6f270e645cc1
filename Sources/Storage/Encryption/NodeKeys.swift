// SPDX-License-Identifier: Apache-2.0

/// The key for fields that each running node uses, as the nodes report it; a note that is not
/// renewed within the lease expires.
package enum NodeKeys {
  /// The lease in milliseconds; nodes renew their note several times in it.
  package static let lease: Int64 = 60_000

  /// Notes that a node runs and which key it uses, and deletes notes ten leases old.
  package static func note(
    _ node: String, _ cipher: FieldCipher, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO node_keys (node, field_key, seen) VALUES ($1, $2, $3)
      ON CONFLICT (node) DO UPDATE SET field_key = excluded.field_key, seen = excluded.seen
      """, [.text(node), .text(cipher.keys.fields.current.id), SQLValue(now)])
    try writer.execute(
      "DELETE FROM node_keys WHERE seen < $1", [.integer(now.milliseconds - 10 * lease)])
  }

  /// Deletes the note of a node that stops.
  package static func forget(
    _ node: String, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM node_keys WHERE node = $1", [.text(node)])
  }

  /// What the other nodes that run seal with, one entry for each.
  static func others(
    than own: String?, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      "SELECT field_key FROM node_keys WHERE seen > $1 AND node <> $2",
      [.integer(now.milliseconds - lease), .text(own ?? "")]
    ).values()
  }
}

/// The process that changes the keys, with the clock by which other nodes' notes expire.
package struct KeyWitness: Sendable {
  /// The id under which this process notes its key; nil if it serves no requests.
  package let node: String?
  /// The clock by which notes of other nodes expire.
  package let now: @Sendable () -> Timestamp

  /// Creates a witness.
  package init(node: String?, now: @escaping @Sendable () -> Timestamp) {
    self.node = node
    self.now = now
  }
}
