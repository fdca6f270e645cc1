// SPDX-License-Identifier: Apache-2.0
import Foundation
import Identifiers
import TestSupport

@testable import Storage

/// A change that an attacker might make.
enum Tamper {
  case edit(column: Int, sequence: Int)
  case delete(sequence: Int)
  case swap(Int, Int)
  case cut(after: Int)
  case cutWithHead(after: Int)
  /// The tail is deleted and the head row restored to its state at that time.
  case putBack(after: Int)
  /// A row is changed, and every later hash is recalculated, as anyone can do; the seals cannot be.
  case rechain(sequence: Int)
  /// A row is inserted a second time at the end.
  case append(copyOf: Int)

  /// The number of kinds.
  static let kinds = 8

  static func random(using generator: inout SeededGenerator, rows: Int) -> Tamper {
    let sequence = Int.random(in: 1...rows, using: &generator)
    switch Int.random(in: 0..<13, using: &generator) {
    case 0..<6: return .edit(column: Int.random(in: 0..<14, using: &generator), sequence: sequence)
    case 6: return .delete(sequence: sequence)
    case 7:
      let other = (sequence + Int.random(in: 0..<(rows - 1), using: &generator)) % rows + 1
      return .swap(sequence, other)
    case 8: return .cut(after: sequence - 1)
    case 9: return .cutWithHead(after: max(1, sequence - 1))
    case 10: return .putBack(after: max(1, sequence - 1))
    case 11: return .rechain(sequence: sequence)
    default: return .append(copyOf: sequence)
    }
  }

  private static let edits: [StaticString] = [
    "UPDATE audit SET at = at + 1 WHERE sequence = $1",
    "UPDATE audit SET actor = actor || 'x' WHERE sequence = $1",
    "UPDATE audit SET kind = 'read' WHERE sequence = $1",
    "UPDATE audit SET patient = coalesce(patient || 'x', '') WHERE sequence = $1",
    "UPDATE audit SET resource = 'Patient' WHERE sequence = $1",
    "UPDATE audit SET resource_id = NULL WHERE sequence = $1",
    "UPDATE audit SET version = coalesce(version, 0) + 1 WHERE sequence = $1",
    "UPDATE audit SET purpose = 'system' WHERE sequence = $1",
    "UPDATE audit SET outcome = 'denied' WHERE sequence = $1",
    "UPDATE audit SET count = count + 1 WHERE sequence = $1",
    "UPDATE audit SET hash = mac WHERE sequence = $1",
    "UPDATE audit SET mac = hash WHERE sequence = $1",
    "UPDATE audit SET digest = coalesce(NULL, hash) WHERE sequence = $1",
    "UPDATE audit SET app = coalesce(app || 'x', 'x') WHERE sequence = $1",
  ]

  /// Applies the change.
  ///
  /// - Parameter copies: the head row as it was after each row.
  func apply(to writer: any SQLWriter, copies: [[SQLValue]]) throws -> String {
    switch self {
    case .edit(let column, let sequence):
      try writer.execute(Self.edits[column], [SQLValue(sequence)])
    case .delete(let sequence):
      try writer.execute("DELETE FROM audit WHERE sequence = $1", [SQLValue(sequence)])
    case .swap(let one, let other):
      try writer.execute("UPDATE audit SET sequence = -1 WHERE sequence = $1", [SQLValue(one)])
      try writer.execute(
        "UPDATE audit SET sequence = $1 WHERE sequence = $2", [SQLValue(one), SQLValue(other)])
      try writer.execute("UPDATE audit SET sequence = $1 WHERE sequence = -1", [SQLValue(other)])
    case .cut(let last):
      try writer.execute("DELETE FROM audit WHERE sequence > $1", [SQLValue(last)])
    case .cutWithHead(let last):
      // The MAC of a row must not be accepted as that of a head.
      try writer.execute("DELETE FROM audit WHERE sequence > $1", [SQLValue(last)])
      try writer.execute(
        """
        UPDATE audit_heads SET sequence = $1,
          hash = (SELECT hash FROM audit WHERE sequence = $1),
          mac = (SELECT mac FROM audit WHERE sequence = $1)
        """,
        [SQLValue(last)])
    case .putBack(let last):
      try writer.execute("DELETE FROM audit WHERE sequence > $1", [SQLValue(last)])
      try writer.execute(
        "UPDATE audit_heads SET sequence = $1, hash = $2, mac = $3, key_id = $4",
        copies[last - 1])
    case .rechain(let sequence):
      try writer.execute(
        "UPDATE audit SET actor = 'nobody' WHERE sequence = $1", [SQLValue(sequence)])
      try Self.rechain(from: sequence, in: writer)
    case .append(let sequence):
      try writer.execute(
        """
        INSERT INTO audit SELECT node, (SELECT max(sequence) + 1 FROM audit), at, actor, kind,
          patient, resource, resource_id, version, purpose, outcome, count, hash, mac, key_id,
          digest, app
        FROM audit WHERE sequence = $1
        """,
        [SQLValue(sequence)])
    }
    return "\(self)"
  }

  private static let rowsFrom = SQLStatement(
    "SELECT \(AuditRow.columns) FROM audit WHERE sequence >= $1 ORDER BY sequence")

  /// Recalculates the hashes from a row on, as if the row had always been so.
  private static func rechain(from sequence: Int, in writer: any SQLWriter) throws {
    var hash = AuditHead.start.hash
    if let row = try writer.first(
      "SELECT hash FROM audit WHERE sequence = $1", [SQLValue(sequence - 1)])
    {
      hash = try row.blob(0)
    }
    let rows: [AuditRow] = try writer.query(Self.rowsFrom, [SQLValue(sequence)]).decode()
    for row in rows {
      hash = row.hash(after: hash)
      try writer.execute(
        "UPDATE audit SET hash = $1 WHERE sequence = $2", [.blob(hash), .integer(row.sequence)])
    }
    try writer.execute("UPDATE audit_heads SET hash = $1", [.blob(hash)])
  }
}
