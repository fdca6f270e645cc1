// SPDX-License-Identifier: Apache-2.0

/// Walks every chain of the trail and compares it with its seals, head and anchor.
struct AuditVerifier {
  private static let page: Int64 = 2_000
  let seal: AuditSeal

  /// `anchor` is the node and content of this node's anchor file, read before the reader's snapshot.
  func verify(
    anchor: (node: String, content: AuditAnchor.Content, hasConflict: Bool)?,
    in reader: some SQLReader
  ) throws(StorageError) -> AuditVerification {
    var result = AuditVerification()
    let rows = try reader.query(
      "SELECT node FROM audit UNION SELECT node FROM audit_heads ORDER BY 1")
    var nodes = try rows.map { row throws(StorageError) in try row.text(0) }
    if let anchor, anchor.content != .absent || anchor.hasConflict, !nodes.contains(anchor.node) {
      nodes.append(anchor.node)
    }
    for node in nodes {
      var anchored: AuditHead?
      if let anchor, anchor.node == node {
        if anchor.hasConflict { result.add(.recordedConflict(node: node)) }
        if case .head(let head) = anchor.content { anchored = head }
      }
      let walk = try self.walk(node, anchored: anchored, in: reader, into: &result)
      try checkHead(node, last: walk.last, in: reader, into: &result)
      if let anchored {
        if anchored.sequence > 0, walk.hashAtAnchor != anchored.hash {
          result.add(
            .anchor(node: node, expected: anchored.sequence, found: walk.last.sequence))
        }
      } else if let anchor, anchor.node == node, anchor.content == .forged {
        result.add(.anchor(node: node, expected: nil, found: walk.last.sequence))
      }
    }
    return result
  }

  private func walk(
    _ node: String, anchored: AuditHead?, in reader: some SQLReader,
    into result: inout AuditVerification
  ) throws(StorageError) -> (last: AuditHead, hashAtAnchor: [UInt8]?) {
    var head = AuditHead.start
    var hashAtAnchor: [UInt8]?
    // From the lowest possible number: a row smuggled in before the first must be met too.
    var after: Int64 = .min
    while true {
      let rows = try reader.query(
        """
        SELECT node, sequence, at, actor, kind, patient, resource, resource_id, version, purpose,
          outcome, count, hash, mac, key_id
        FROM audit WHERE node = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
        """,
        [.text(node), .integer(after), .integer(Self.page)])
      for row in rows {
        after = try row.integer(1)
        result.rows += 1
        head = check(row, node: node, sequence: after, after: head, into: &result)
        if after == anchored?.sequence { hashAtAnchor = head.hash }
      }
      if rows.count < Int(Self.page) { return (head, hashAtAnchor) }
    }
  }

  /// Checks one row and returns it as the head that the next must follow.
  private func check(
    _ row: SQLRow, node: String, sequence: Int64, after head: AuditHead,
    into result: inout AuditVerification
  ) -> AuditHead {
    if sequence != head.sequence &+ 1 { result.add(.gap(node: node, before: sequence)) }
    guard let content = try? AuditRow(row), let hash = try? row.blob(12),
      let mac = try? row.blob(13), let keyID = try? row.text(14)
    else {
      result.add(.unreadable(node: node, sequence: sequence))
      return AuditHead(sequence: sequence, hash: AuditHead.start.hash)
    }
    if content.hash(after: head.hash) != hash {
      result.add(.hash(node: node, sequence: sequence))
    }
    let stored = AuditHead(sequence: sequence, hash: hash)
    if !seal.isValid(mac, .row, node: node, stored, keyID: keyID) {
      result.add(.seal(node: node, sequence: sequence))
    }
    return stored
  }

  private func checkHead(
    _ node: String, last: AuditHead, in reader: some SQLReader,
    into result: inout AuditVerification
  ) throws(StorageError) {
    let row = try reader.first(
      "SELECT sequence, hash, mac, key_id FROM audit_heads WHERE node = $1", [.text(node)])
    guard let row, let sequence = try? row.integer(0), let hash = try? row.blob(1),
      let mac = try? row.blob(2), let keyID = try? row.text(3)
    else {
      result.add(.head(node: node, expected: nil, found: last.sequence))
      return
    }
    let head = AuditHead(sequence: sequence, hash: hash)
    if !seal.isValid(mac, .head, node: node, head, keyID: keyID) || head != last {
      result.add(.head(node: node, expected: sequence, found: last.sequence))
    }
  }
}
