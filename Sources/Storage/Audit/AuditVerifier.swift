// SPDX-License-Identifier: Apache-2.0

/// Checks every chain of the trail against its seals, head and anchors.
struct AuditVerifier {
  private static let page: Int64 = 2_000
  let seal: AuditSeal

  /// Checks all chains.
  ///
  /// - Parameter evidence: the content of this node's files, read before the reader's snapshot.
  func verify(
    evidence: AuditEvidence?, in reader: some SQLReader
  ) throws(StorageError) -> AuditVerification {
    var result = AuditVerification()
    var nodes: [String] = try reader.query(
      "SELECT node FROM audit UNION SELECT node FROM audit_heads ORDER BY 1"
    ).values()
    if let evidence, !evidence.isEmpty || evidence.isMissing, !nodes.contains(evidence.node) {
      nodes.append(evidence.node)
    }
    for node in nodes {
      let own = evidence.flatMap { $0.node == node ? $0 : nil }
      if own?.hasConflict == true { result.add(.recordedConflict(node: node)) }
      if own?.isMissing == true { result.add(.anchorsMissing(node: node)) }
      var anchors = Anchors(own)
      let last = try walk(node, &anchors, in: reader, into: &result)
      // An installation that has not recorded anything yet has no head row.
      let isUnused = last == .start && own?.furthest.map { $0 == .start } != false
      try checkHead(node, last: last, isUnused: isUnused, in: reader, into: &result)
      for sequence in anchors.unmet {
        result.add(.anchor(node: node, expected: sequence, found: last.sequence))
      }
      for _ in 0..<(own?.forged ?? 0) {
        result.add(.anchor(node: node, expected: nil, found: last.sequence))
      }
    }
    let heads = evidence?.outside.heads.map(\.sequence) ?? []
    if let first = heads.min(), let last = heads.max() {
      result.outside = .init(count: heads.count, first: first, last: last)
    }
    return result
  }

  /// The heads in the files, compared with the rows as they are read.
  private struct Anchors {
    private var expected: [Int64: Set<[UInt8]>] = [:]

    init(_ evidence: AuditEvidence?) {
      var heads = (evidence?.trail.heads ?? []) + (evidence?.outside.heads ?? [])
      if case .head(let head)? = evidence?.anchor { heads.append(head) }
      for head in heads where head.sequence > 0 {
        expected[head.sequence, default: []].insert(head.hash)
      }
    }

    /// Compares a row with the files; a match confirms them.
    mutating func meet(_ head: AuditHead) {
      guard expected[head.sequence] != nil else { return }
      expected[head.sequence]?.remove(head.hash)
      if expected[head.sequence]?.isEmpty == true { expected[head.sequence] = nil }
    }

    /// The positions with another row or none.
    var unmet: [Int64] { expected.keys.sorted() }
  }

  private func walk(
    _ node: String, _ anchors: inout Anchors, in reader: some SQLReader,
    into result: inout AuditVerification
  ) throws(StorageError) -> AuditHead {
    var head = AuditHead.start
    // Start from the lowest possible number, to find a row inserted before the first one.
    var after: Int64 = .min
    while true {
      let rows = try reader.query(
        Self.further, [.text(node), .integer(after), .integer(Self.page)])
      for row in rows {
        after = try row.read(AuditRow.self).integer(.sequence)
        result.rows += 1
        head = check(row, node: node, sequence: after, after: head, into: &result)
        anchors.meet(head)
      }
      if rows.count < Int(Self.page) { return head }
    }
  }

  private static let further = SQLStatement(
    """
    SELECT \(AuditRow.columns), \(AuditProofRow.columns) FROM audit
    WHERE node = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
    """)

  /// Checks one row and returns it as the head that the next must follow.
  private func check(
    _ row: SQLRow, node: String, sequence: Int64, after head: AuditHead,
    into result: inout AuditVerification
  ) -> AuditHead {
    if sequence != head.sequence &+ 1 { result.add(.gap(node: node, before: sequence)) }
    guard let content = try? row.decode(as: AuditRow.self),
      let proof = try? AuditProofRow(row.read(AuditProofRow.self, after: AuditRow.self))
    else {
      result.add(.unreadable(node: node, sequence: sequence))
      return AuditHead(sequence: sequence, hash: AuditHead.start.hash)
    }
    if content.hash(after: head.hash) != proof.hash {
      result.add(.hash(node: node, sequence: sequence))
    }
    let stored = AuditHead(sequence: sequence, hash: proof.hash)
    if !seal.isValid(proof.mac, .row, node: node, stored, keyID: proof.keyID) {
      result.add(.seal(node: node, sequence: sequence))
    }
    return stored
  }

  private func checkHead(
    _ node: String, last: AuditHead, isUnused: Bool, in reader: some SQLReader,
    into result: inout AuditVerification
  ) throws(StorageError) {
    let row = try reader.first(AuditHeadRow.ofNode, [.text(node)])
    if row == nil, isUnused { return }
    guard let sealed = try? row?.decode(as: AuditHeadRow.self) else {
      result.add(.head(node: node, expected: nil, found: last.sequence))
      return
    }
    if !sealed.isValid(seal) || sealed.head != last {
      result.add(.head(node: node, expected: sealed.head.sequence, found: last.sequence))
    }
  }
}
