// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Appends to one node's hash chain at the end of each commit.
///
/// Used on the writer only; the lock merely lets the object be shared.
final class AuditChain: Sendable {
  let node: String
  private let seal: AuditSeal
  private let state: Mutex<AuditHead>

  init(node: String, seal: AuditSeal, head: AuditHead) {
    self.node = node
    self.seal = seal
    state = Mutex(head)
  }

  var head: AuditHead { state.withLock { $0 } }

  /// Writes the entries and the new head, and returns it; the caller adopts it after the commit.
  func append(
    _ entries: [AuditEntry], to connection: some SQLConnection
  ) throws(StorageError) -> AuditHead {
    var head = head
    for entry in entries {
      let row = AuditRow(entry, node: node, sequence: head.sequence + 1)
      head = AuditHead(sequence: row.sequence, hash: row.hash(after: head.hash))
      try connection.execute(
        """
        INSERT INTO audit (node, sequence, at, actor, kind, patient, resource, resource_id,
          version, purpose, outcome, count, hash, mac, key_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        """,
        [
          .text(node), .integer(row.sequence), .integer(row.at), .text(row.actor),
          .text(row.kind), SQLValue(row.patient), .text(row.resource), SQLValue(row.resourceID),
          SQLValue(row.version), .text(row.purpose), .text(row.outcome), .integer(row.count),
          .blob(head.hash), .blob(seal.mac(.row, node: node, head)), .text(seal.currentKeyID),
        ])
    }
    try connection.execute(
      """
      INSERT INTO audit_heads (node, sequence, hash, mac, key_id) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (node) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash,
        mac = excluded.mac, key_id = excluded.key_id
      """,
      [
        .text(node), .integer(head.sequence), .blob(head.hash),
        .blob(seal.mac(.head, node: node, head)), .text(seal.currentKeyID),
      ])
    return head
  }

  func adopt(_ head: AuditHead) {
    state.withLock { $0 = head }
  }
}
