// SPDX-License-Identifier: Apache-2.0

import Storage

/// The lease of the connection to the broker: of several nodes, only the one that holds it connects.
package enum HomeLease {
  /// The lease in milliseconds; its node renews it several times within.
  package static let milliseconds: Int64 = 30_000

  /// Takes or renews the lease for a node; returns false while another node holds it.
  package static func take(
    by node: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      INSERT INTO home_leases (lease, node, expires) VALUES ('mqtt', $1, $2)
      ON CONFLICT (lease) DO UPDATE SET node = excluded.node, expires = excluded.expires
      WHERE home_leases.node = excluded.node OR home_leases.expires <= $3
      """,
      [.text(node), SQLValue(now.adding(milliseconds: milliseconds)), SQLValue(now)]) > 0
  }

  /// Gives the lease back, so that another node can connect at once.
  package static func giveBack(
    by node: String, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM home_leases WHERE node = $1", [.text(node)])
  }
}
