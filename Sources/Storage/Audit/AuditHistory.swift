// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// One line of the trail with its place in the chain.
package struct AuditEvent: Sendable, Hashable {
  /// The node whose chain holds the line.
  package let node: String
  /// The number of the line in the chain of its node.
  package let sequence: Int64
  /// The content of the line.
  package let entry: AuditEntry

  /// The place of the line when lines are read newest first.
  package var place: Place { Place(at: entry.at, sequence: sequence) }

  /// A place among lines read newest first, by time and then by number.
  package struct Place: Sendable, Hashable {
    /// The time of the line.
    package let at: Timestamp
    /// The number of the line in its chain.
    package let sequence: Int64

    /// Creates the place of a line.
    package init(at: Timestamp, sequence: Int64) {
      self.at = at
      self.sequence = sequence
    }
  }
}

/// A query for lines about one patient.
///
/// Conditions are joined by AND.
package struct AuditQuery: Sendable {
  /// A stretch of time, or everything outside it.
  package struct Stretch: Sendable {
    let atLeast: Int64?
    let before: Int64?
    let isExcluded: Bool

    /// Creates a stretch from `atLeast` (included) to `before` (excluded), both in milliseconds
    /// since 1970; nil leaves an end open, and `isExcluded` turns it into everything outside.
    package init(atLeast: Int64?, before: Int64?, isExcluded: Bool = false) {
      self.atLeast = atLeast
      self.before = before
      self.isExcluded = isExcluded
    }
  }

  /// The patient whose lines are wanted.
  package let patient: PatientID
  /// The stretches of time, all of which must match.
  package var stretches: [Stretch] = []
  /// The account that acted; nil for any.
  package var actor: AccountID?
  /// The place of the last line of the previous page; nil for the first page.
  package var after: AuditEvent.Place?

  /// Creates a query for every line about a patient.
  package init(patient: PatientID) {
    self.patient = patient
  }
}

/// Reads the lines of the trail about one patient; the caller has decided that access is allowed.
package enum AuditHistory {
  private static let select: SQLText = "SELECT \(AuditRow.columns)"

  /// Returns at most `limit` lines, the newest first.
  package static func events(
    _ query: AuditQuery, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [AuditEvent] {
    var conditions = Conditions(query)
    if let place = query.after {
      conditions.append(" AND (at < ", SQLValue(place.at))
      conditions.append(" OR (at = ", SQLValue(place.at))
      conditions.append(" AND sequence < ", .integer(place.sequence))
      conditions.sql.append("))")
    }
    conditions.append(" ORDER BY at DESC, sequence DESC LIMIT ", SQLValue(limit))
    var sql = select
    sql.append(contentsOf: conditions.sql)
    let rows: [AuditRow] = try reader.query(dynamic: sql, conditions.arguments).decode()
    return try rows.map(event)
  }

  /// Returns the number of matching lines on all pages; `after` does not count.
  package static func count(
    _ query: AuditQuery, in reader: any SQLReader
  ) throws(StorageError) -> Int {
    let conditions = Conditions(query)
    var sql: SQLText = "SELECT COUNT(*)"
    sql.append(contentsOf: conditions.sql)
    return try reader.first(dynamic: sql, conditions.arguments)?.value() ?? 0
  }

  /// Returns one line of a node's chain; nil if it does not exist.
  package static func event(
    node: String, sequence: Int64, in reader: any SQLReader
  ) throws(StorageError) -> AuditEvent? {
    let row = try reader.first(one, [.text(node), .integer(sequence)])
    guard let row else { return nil }
    return try event(row.decode())
  }

  private static let one = SQLStatement(
    "SELECT \(AuditRow.columns) FROM audit WHERE node = $1 AND sequence = $2")

  private static func event(_ content: AuditRow) throws(StorageError) -> AuditEvent {
    guard let kind = AuditEntry.Kind(rawValue: content.kind),
      let outcome = AuditEntry.Outcome(rawValue: content.outcome)
    else {
      throw .unexpectedValue(column: AuditRow.Column.kind.rawValue, expected: .text)
    }
    return AuditEvent(
      node: content.node, sequence: content.sequence,
      entry: AuditEntry(
        at: Timestamp(milliseconds: content.at), actor: content.actor, app: content.app,
        kind: kind, patient: content.patient, resource: content.resource,
        resourceID: content.resourceID, version: content.version, purpose: content.purpose,
        outcome: outcome, count: Int(content.count)))
  }

  private struct Conditions {
    var sql: SQLText = " FROM audit WHERE patient = $1"
    var arguments: [SQLValue]

    init(_ query: AuditQuery) {
      arguments = [.text(query.patient)]
      for stretch in query.stretches { append(stretch) }
      if let actor = query.actor { append(" AND actor = ", .text(actor)) }
    }

    mutating func append(_ piece: StaticString, _ value: SQLValue) {
      sql.append(piece)
      arguments.append(value)
      sql.appendPlaceholder(arguments.count)
    }

    private mutating func append(_ stretch: AuditQuery.Stretch) {
      if stretch.isExcluded {
        append(" AND (at < ", .integer(stretch.atLeast ?? .min))
        append(" OR at >= ", .integer(stretch.before ?? .max))
        sql.append(")")
        return
      }
      if let first = stretch.atLeast { append(" AND at >= ", .integer(first)) }
      if let end = stretch.before { append(" AND at < ", .integer(end)) }
    }
  }
}
