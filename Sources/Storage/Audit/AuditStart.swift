// SPDX-License-Identifier: Apache-2.0

/// Whether a data folder must have the anchors of its audit chain when the database is opened.
package enum AuditAnchoring: Sendable {
  /// As soon as anything is recorded: missing files were removed.
  case expected
  /// They may begin now: the folder was just restored, or joins the nodes of a shared database.
  case begins
}

/// Finds the end of the audit chain when a database is opened, and begins its anchors.
struct AuditStart {
  /// From this step of the schema on the anchors are begun before anything is recorded.
  static let firstAnchored = "m0067-audit-content"
  let node: String
  let keys: KeyRing
  let seal: AuditSeal
  let anchor: AuditAnchor?
  let outside: AuditOutsideWriter?
  let anchoring: AuditAnchoring

  /// Finds the end of the chain, while no other node adds to it.
  ///
  /// - Parameter wasAnchored: whether the schema was at ``firstAnchored`` already before this start.
  func find(
    wasAnchored: Bool, in connection: any SQLConnection
  ) throws(StorageError) -> AuditRecovery {
    // The files first: the chain can only be further than they say.
    var evidence = anchor?.evidence ?? AuditEvidence(node: node)
    evidence.outside = outside?.read() ?? AuditAnchorTrail.Content()
    guard connection.isShared else {
      evidence.isExpected = try isExpected(wasAnchored, in: connection)
      return try begin(try recover(evidence, in: connection))
    }
    try connection.begin(exclusively: true)
    if let row = try connection.first(
      "SELECT key_id FROM audit_heads WHERE node = $1", [.text(node)]),
      keys.audit.key(id: try row.text(0)) == nil
    {
      throw .foreignKeys
    }
    evidence.isExpected = try isExpected(wasAnchored, in: connection)
    let found = try recover(evidence, in: connection)
    try connection.commit()
    return try begin(found)
  }

  private func recover(
    _ evidence: AuditEvidence, in reader: some SQLReader
  ) throws(StorageError) -> AuditRecovery {
    try AuditRecovery(node: node, seal: seal, evidence: evidence, in: reader)
  }

  private func begin(_ found: AuditRecovery) throws(StorageError) -> AuditRecovery {
    if let conflict = found.conflict { try anchor?.recordConflict(conflict) }
    try anchor?.begin()
    return found
  }

  private func isExpected(
    _ wasAnchored: Bool, in reader: some SQLReader
  ) throws(StorageError) -> Bool {
    guard anchor != nil, wasAnchored, anchoring == .expected else { return false }
    return try reader.first(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM audit) OR EXISTS (SELECT 1 FROM audit_heads)
        OR EXISTS (SELECT 1 FROM resources) OR EXISTS (SELECT 1 FROM accounts)
      """) != nil
  }
}
