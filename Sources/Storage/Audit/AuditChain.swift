// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Appends to one node's hash chain at the end of each commit.
///
/// Used only on the writer; the lock exists so that the object can be shared.
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
  /// - Parameter start: the current end of the chain.
  func append(
    _ entries: [AuditEntry], after start: AuditHead, to connection: some SQLConnection
  ) throws(StorageError) -> AuditHead {
    var head = start
    for entry in entries {
      let row = AuditRow(entry, node: node, sequence: head.sequence + 1, seal: seal)
      head = AuditHead(sequence: row.sequence, hash: row.hash(after: head.hash))
      let proof = AuditProofRow(
        hash: head.hash, mac: seal.mac(.row, node: node, head), keyID: seal.currentKeyID)
      try connection.executeLater(Self.insert, row.values + proof.values)
    }
    try connection.executeLater(
      Self.putHead, AuditHeadRow(head, node: node, seal: seal).values)
    return head
  }

  private static let insert = SQLStatement(
    """
    INSERT INTO audit (\(AuditRow.columns), \(AuditProofRow.columns))
    VALUES (\(AuditRow.placeholders), $15, $16, $17)
    """)

  private static let putHead = SQLStatement(
    """
    INSERT INTO audit_heads (\(AuditHeadRow.columns)) VALUES (\(AuditHeadRow.placeholders))
    ON CONFLICT (node) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash,
      mac = excluded.mac, key_id = excluded.key_id
    """)

  /// Returns the end of the chain in a database that other processes also write to, with any mismatch; other
  /// processes wait until this transaction ends.
  func follow(
    in connection: some SQLConnection
  ) throws(StorageError) -> (head: AuditHead, conflict: String?) {
    let known = head
    guard let row = try connection.first(Self.lockedHead, [.text(node)]) else {
      let isNew = known == .start
      return (known, isNew ? nil : "The stored head of the audit chain is missing.")
    }
    let sealed: AuditHeadRow = try row.decode()
    let stored = sealed.head
    guard sealed.isValid(seal) else {
      return (known, "The stored head of the audit chain is forged.")
    }
    guard stored.sequence >= known.sequence else {
      return (
        known,
        "The audit chain ended at \(known.sequence), but its head now says \(stored.sequence)."
      )
    }
    return (stored, nil)
  }

  private static let lockedHead = SQLStatement(
    """
    SELECT \(AuditHeadRow.columns) FROM audit_heads WHERE node = $1
      /*postgresql FOR UPDATE NOWAIT */
    """)

  /// Returns true if the database contains a row that was being committed.
  func holds(_ head: AuditHead, in reader: some SQLReader) throws(StorageError) -> Bool {
    let row = try reader.first(
      "SELECT hash FROM audit WHERE node = $1 AND sequence = $2",
      [.text(node), .integer(head.sequence)])
    return try row?.value(as: [UInt8].self) == head.hash
  }

  func adopt(_ head: AuditHead) {
    state.withLock { $0 = head }
  }
}
