// SPDX-License-Identifier: Apache-2.0

/// The field keys that running nodes report; a report that is not renewed within the lease expires.
package enum NodeKeys {
  /// The lease in milliseconds; nodes renew their report several times within it.
  package static let lease: Int64 = 60_000

  /// Reports that a node runs and which key it uses, and deletes reports older than ten leases.
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

  /// Deletes the report of a node that stops.
  package static func forget(
    _ node: String, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM node_keys WHERE node = $1", [.text(node)])
  }

  /// Returns the keys of the other running nodes, one entry for each.
  static func others(
    than own: String?, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      "SELECT field_key FROM node_keys WHERE seen > $1 AND node <> $2",
      [.integer(now.milliseconds - lease), .text(own ?? "")]
    ).values()
  }
}

/// The process that rotates the keys, with the clock by which other nodes' reports expire.
package struct KeyWitness: Sendable {
  /// The id under which this process reports its key; nil if it serves no requests.
  package let node: String?
  /// The clock by which reports of other nodes expire.
  package let now: @Sendable () -> Timestamp

  /// Creates a witness.
  package init(node: String?, now: @escaping @Sendable () -> Timestamp) {
    self.node = node
    self.now = now
  }
}
