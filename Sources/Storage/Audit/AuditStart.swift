// SPDX-License-Identifier: Apache-2.0

/// The rule for whether a data folder must contain anchors when the database is opened.
package enum AuditAnchoring: Sendable {
  /// Required as soon as anything is recorded, so missing files were removed.
  case expected
  /// Not required: the folder was just restored, or joins the nodes of a shared database.
  case begins
}

/// Finds the end of the audit chain when a database is opened, and creates its anchors.
struct AuditStart {
  /// The schema step after which the anchors are created, before anything is recorded.
  static let firstAnchored = "m0001-storage"
  let node: String
  let keys: KeyRing
  let seal: AuditSeal
  let anchor: AuditAnchor?
  let outside: AuditOutsideWriter?
  let anchoring: AuditAnchoring

  /// Finds the end of the chain while no other node adds to it.
  ///
  /// - Parameter wasAnchored: true if the schema had reached ``firstAnchored`` before this start.
  func find(
    wasAnchored: Bool, in connection: any SQLConnection
  ) throws(StorageError) -> AuditRecovery {
    // Read the files first: the chain can only be further ahead.
    var evidence = anchor?.evidence ?? AuditEvidence(node: node)
    evidence.outside = outside?.read() ?? AuditAnchorTrail.Content()
    guard connection.isShared else {
      evidence.isExpected = try isExpected(wasAnchored, in: connection)
      return try begin(try recover(evidence, in: connection))
    }
    try connection.begin(exclusively: true)
    try Self.requireKeys(keys, of: node, in: connection)
    evidence.isExpected = try isExpected(wasAnchored, in: connection)
    let found = try recover(evidence, in: connection)
    try connection.commit()
    return try begin(found)
  }

  /// Throws if existing data was sealed with other keys, before anything is migrated or recorded: the operator took
  /// the wrong key file, which is no conflict of the trail.
  func refuseOtherKeys(
    _ migrator: Migrator, in connection: any SQLConnection
  ) throws(StorageError) {
    guard try migrator.hasBegun(connection) else { return }
    let missing = try migrator.missing(in: connection)
    guard !missing.contains(where: { $0.name == Self.firstAnchored }) else { return }
    try Self.requireKeys(keys, of: node, in: connection)
    // Until something is recorded, only the anchor names the keys.
    let isEmpty = try connection.first("SELECT 1 FROM audit_heads LIMIT 1") == nil
    if isEmpty, let named = anchor?.keyID, keys.audit.key(id: named) == nil { throw .foreignKeys }
  }

  /// Throws if the chain was sealed with a key that these keys do not contain.
  static func requireKeys(
    _ keys: KeyRing, of node: String, in reader: some SQLReader
  ) throws(StorageError) {
    if let row = try reader.first(
      "SELECT key_id FROM audit_heads WHERE node = $1", [.text(node)]),
      keys.audit.key(id: try row.value()) == nil
    {
      throw .foreignKeys
    }
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
