// SPDX-License-Identifier: Apache-2.0

import Identifiers

extension AuditHead: SQLReadableRow {
  enum Column: Int, SQLColumn { case sequence, hash }

  static let columns = SQLColumns<Column>()

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(sequence: try columns.integer(.sequence), hash: try columns.blob(.hash))
  }
}

extension AuditRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case node, sequence, at, actor, kind, patient, resource, resourceId, version, purpose
    case outcome, count, digest, app
  }

  static let columns = SQLColumns<Column>()

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    node = try columns.text(.node)
    sequence = try columns.integer(.sequence)
    at = try columns.integer(.at)
    actor = try columns.id(.actor)
    kind = try columns.text(.kind)
    patient = try columns.optionalID(.patient)
    resource = try columns.text(.resource)
    resourceID = try columns.optionalText(.resourceId)
    version = try columns.optionalInteger(.version)
    purpose = try columns.text(.purpose)
    outcome = try columns.text(.outcome)
    count = try columns.integer(.count)
    digest = try columns.optionalBlob(.digest)
    app = try columns.optionalID(.app)
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .node: .text(node)
    case .sequence: .integer(sequence)
    case .at: .integer(at)
    case .actor: .text(actor)
    case .kind: .text(kind)
    case .patient: SQLValue(patient)
    case .resource: .text(resource)
    case .resourceId: SQLValue(resourceID)
    case .version: SQLValue(version)
    case .purpose: .text(purpose)
    case .outcome: .text(outcome)
    case .count: .integer(count)
    case .digest: SQLValue(digest)
    case .app: SQLValue(app)
    }
  }
}

/// The columns of `audit` after those of an ``AuditRow``: the position in the chain, and the seal.
struct AuditProofRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn { case hash, mac, keyId }

  static let columns = SQLColumns<Column>()

  let hash: [UInt8]
  let mac: [UInt8]
  let keyID: String

  init(hash: [UInt8], mac: [UInt8], keyID: String) {
    self.hash = hash
    self.mac = mac
    self.keyID = keyID
  }

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    hash = try columns.blob(.hash)
    mac = try columns.blob(.mac)
    keyID = try columns.text(.keyId)
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .hash: .blob(hash)
    case .mac: .blob(mac)
    case .keyId: .text(keyID)
    }
  }
}

/// A row of `audit_heads`: the sealed end of a node's chain.
struct AuditHeadRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn { case node, sequence, hash, mac, keyId }

  static let columns = SQLColumns<Column>()

  let node: String
  let head: AuditHead
  let mac: [UInt8]
  let keyID: String

  init(_ head: AuditHead, node: String, seal: AuditSeal) {
    self.node = node
    self.head = head
    mac = seal.mac(.head, node: node, head)
    keyID = seal.currentKeyID
  }

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    node = try columns.text(.node)
    head = AuditHead(sequence: try columns.integer(.sequence), hash: try columns.blob(.hash))
    mac = try columns.blob(.mac)
    keyID = try columns.text(.keyId)
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .node: .text(node)
    case .sequence: .integer(head.sequence)
    case .hash: .blob(head.hash)
    case .mac: .blob(mac)
    case .keyId: .text(keyID)
    }
  }

  /// Returns true if the key of the seal is known and the row is unchanged.
  func isValid(_ seal: AuditSeal) -> Bool {
    seal.isValid(mac, .head, node: node, head, keyID: keyID)
  }

  static let ofNode = SQLStatement(
    "SELECT \(AuditHeadRow.columns) FROM audit_heads WHERE node = $1")
}
