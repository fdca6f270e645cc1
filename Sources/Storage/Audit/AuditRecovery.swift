// SPDX-License-Identifier: Apache-2.0

/// Finds the end of a node's chain after a start.
struct AuditRecovery {
  let head: AuditHead
  /// The mismatch; nil if there is none.
  let conflict: String?

  /// Compares the last row, the head row and the anchors.
  ///
  /// If they differ, the chain continues after the furthest one, so that missing rows stay visible as a gap.
  init(
    node: String, seal: AuditSeal, evidence: AuditEvidence, in reader: some SQLReader
  ) throws(StorageError) {
    var last = AuditHead.start
    if let row = try reader.first(Self.lastRow, [.text(node)]) { last = try row.decode() }
    var furthest = last
    var conflict: String?
    if let row = try reader.first(AuditHeadRow.ofNode, [.text(node)]) {
      let sealed: AuditHeadRow = try row.decode()
      let stored = sealed.head
      if !sealed.isValid(seal) {
        conflict = "The stored head of the audit chain is forged."
      } else if stored != last {
        conflict = "The audit chain ends at \(last.sequence), but its head says \(stored.sequence)."
        if stored.sequence > furthest.sequence { furthest = stored }
      }
    } else if last != .start {
      conflict = "The stored head of the audit chain is missing."
    }
    if evidence.isMissing {
      conflict = conflict ?? "The anchor files of the audit chain are missing."
    }
    if evidence.forged > 0 {
      conflict = conflict ?? "An anchor file of the audit chain is forged."
    }
    if let anchored = evidence.furthest {
      if anchored.sequence > last.sequence {
        conflict =
          conflict
          ?? "The audit chain ends at \(last.sequence), but its anchor says \(anchored.sequence)."
        if anchored.sequence > furthest.sequence { furthest = anchored }
      } else if anchored.sequence > 0 {
        let row = try reader.first(
          "SELECT hash FROM audit WHERE node = $1 AND sequence = $2",
          [.text(node), .integer(anchored.sequence)])
        if try row?.value(as: [UInt8].self) != anchored.hash {
          conflict =
            conflict ?? "Row \(anchored.sequence) of the audit chain differs from its anchor."
        }
      }
    }
    head = furthest
    self.conflict = conflict
  }

  private static let lastRow = SQLStatement(
    "SELECT \(AuditHead.columns) FROM audit WHERE node = $1 ORDER BY sequence DESC LIMIT 1")
}
