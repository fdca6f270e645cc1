// SPDX-License-Identifier: Apache-2.0

/// Walks every chain of the trail and compares it with its seals, head and anchors.
struct AuditVerifier {
  private static let page: Int64 = 2_000
  let seal: AuditSeal

  /// `evidence` is what this node's files say, read before the reader's snapshot.
  func verify(
    evidence: AuditEvidence?, in reader: some SQLReader
  ) throws(StorageError) -> AuditVerification {
    var result = AuditVerification()
    let rows = try reader.query(
      "SELECT node FROM audit UNION SELECT node FROM audit_heads ORDER BY 1")
    var nodes = try rows.map { row throws(StorageError) in try row.text(0) }
    if let evidence, !evidence.isEmpty || evidence.isMissing, !nodes.contains(evidence.node) {
      nodes.append(evidence.node)
    }
    for node in nodes {
      let own = evidence.flatMap { $0.node == node ? $0 : nil }
      if own?.hasConflict == true { result.add(.recordedConflict(node: node)) }
      if own?.isMissing == true { result.add(.anchorsMissing(node: node)) }
      var anchors = Anchors(own)
      let last = try walk(node, &anchors, in: reader, into: &result)
      // An installation that has recorded nothing yet has no head row either.
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

  /// The heads that the files name, compared with the rows as they are met.
  private struct Anchors {
    private var expected: [Int64: Set<[UInt8]>] = [:]

    init(_ evidence: AuditEvidence?) {
      var heads = (evidence?.trail.heads ?? []) + (evidence?.outside.heads ?? [])
      if case .head(let head)? = evidence?.anchor { heads.append(head) }
      for head in heads where head.sequence > 0 {
        expected[head.sequence, default: []].insert(head.hash)
      }
    }

    /// A row stands at a place: what the files say of it is settled where it is the same.
    mutating func meet(_ head: AuditHead) {
      guard expected[head.sequence] != nil else { return }
      expected[head.sequence]?.remove(head.hash)
      if expected[head.sequence]?.isEmpty == true { expected[head.sequence] = nil }
    }

    /// The places where another row stands, or none.
    var unmet: [Int64] { expected.keys.sorted() }
  }

  private func walk(
    _ node: String, _ anchors: inout Anchors, in reader: some SQLReader,
    into result: inout AuditVerification
  ) throws(StorageError) -> AuditHead {
    var head = AuditHead.start
    // From the lowest possible number: a row smuggled in before the first must be met too.
    var after: Int64 = .min
    while true {
      let rows = try reader.query(
        """
        SELECT node, sequence, at, actor, kind, patient, resource, resource_id, version, purpose,
          outcome, count, digest, hash, mac, key_id
        FROM audit WHERE node = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
        """,
        [.text(node), .integer(after), .integer(Self.page)])
      for row in rows {
        after = try row.integer(1)
        result.rows += 1
        head = check(row, node: node, sequence: after, after: head, into: &result)
        anchors.meet(head)
      }
      if rows.count < Int(Self.page) { return head }
    }
  }

  /// Checks one row and returns it as the head that the next must follow.
  private func check(
    _ row: SQLRow, node: String, sequence: Int64, after head: AuditHead,
    into result: inout AuditVerification
  ) -> AuditHead {
    if sequence != head.sequence &+ 1 { result.add(.gap(node: node, before: sequence)) }
    guard let content = try? AuditRow(row), let hash = try? row.blob(13),
      let mac = try? row.blob(14), let keyID = try? row.text(15)
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
    _ node: String, last: AuditHead, isUnused: Bool, in reader: some SQLReader,
    into result: inout AuditVerification
  ) throws(StorageError) {
    let row = try reader.first(
      "SELECT sequence, hash, mac, key_id FROM audit_heads WHERE node = $1", [.text(node)])
    if row == nil, isUnused { return }
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
