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
  ///
  /// - Parameter start: where the chain ends now.
  func append(
    _ entries: [AuditEntry], after start: AuditHead, to connection: some SQLConnection
  ) throws(StorageError) -> AuditHead {
    var head = start
    for entry in entries {
      let row = AuditRow(entry, node: node, sequence: head.sequence + 1, seal: seal)
      head = AuditHead(sequence: row.sequence, hash: row.hash(after: head.hash))
      try connection.execute(
        """
        INSERT INTO audit (node, sequence, at, actor, kind, patient, resource, resource_id,
          version, purpose, outcome, count, digest, hash, mac, key_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        """,
        [
          .text(node), .integer(row.sequence), .integer(row.at), .text(row.actor),
          .text(row.kind), SQLValue(row.patient), .text(row.resource), SQLValue(row.resourceID),
          SQLValue(row.version), .text(row.purpose), .text(row.outcome), .integer(row.count),
          SQLValue(row.digest), .blob(head.hash), .blob(seal.mac(.row, node: node, head)),
          .text(seal.currentKeyID),
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

  /// Where the chain ends in a database that other processes write to as well, and what does not
  /// fit there; other processes wait until this transaction ends.
  func follow(
    in connection: some SQLConnection
  ) throws(StorageError) -> (head: AuditHead, conflict: String?) {
    let known = head
    let row = try connection.first(
      """
      SELECT sequence, hash, mac, key_id FROM audit_heads WHERE node = $1
        /*postgresql FOR UPDATE NOWAIT */
      """, [.text(node)])
    guard let row else {
      let isNew = known == .start
      return (known, isNew ? nil : "The stored head of the audit chain is missing.")
    }
    let stored = AuditHead(sequence: try row.integer(0), hash: try row.blob(1))
    guard seal.isValid(try row.blob(2), .head, node: node, stored, keyID: try row.text(3)) else {
      return (known, "The stored head of the audit chain is forged.")
    }
    guard stored.sequence >= known.sequence else {
      return (
        known,
        "The audit chain ended at \(known.sequence), its head now says \(stored.sequence)."
      )
    }
    return (stored, nil)
  }

  /// Whether the database holds a row that was being committed.
  func holds(_ head: AuditHead, in reader: some SQLReader) throws(StorageError) -> Bool {
    let row = try reader.first(
      "SELECT hash FROM audit WHERE node = $1 AND sequence = $2",
      [.text(node), .integer(head.sequence)])
    return try row?.blob(0) == head.hash
  }

  func adopt(_ head: AuditHead) {
    state.withLock { $0 = head }
  }
}
