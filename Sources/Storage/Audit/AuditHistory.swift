// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// One line of the trail with its place in the chain.
package struct AuditEvent: Sendable, Hashable {
  package let node: String
  package let sequence: Int64
  package let entry: AuditEntry

  /// Where it stands when lines are read newest first.
  package var place: Place { Place(at: entry.at, sequence: sequence) }

  package struct Place: Sendable, Hashable {
    package let at: Timestamp
    package let sequence: Int64

    package init(at: Timestamp, sequence: Int64) {
      self.at = at
      self.sequence = sequence
    }
  }
}

/// Which lines about one patient are asked for; conditions are joined by AND.
package struct AuditQuery: Sendable {
  /// A stretch of time, or all outside of it.
  package struct Stretch: Sendable {
    let atLeast: Int64?
    let before: Int64?
    let isExcluded: Bool

    package init(atLeast: Int64?, before: Int64?, isExcluded: Bool = false) {
      self.atLeast = atLeast
      self.before = before
      self.isExcluded = isExcluded
    }
  }

  package let patient: PatientID
  package var stretches: [Stretch] = []
  /// The account that acted.
  package var actor: AccountID?
  /// The line before the first one wanted.
  package var after: AuditEvent.Place?

  package init(patient: PatientID) {
    self.patient = patient
  }
}

/// Reads what the trail says about one patient; the caller has decided that it may be told.
package enum AuditHistory {
  private static let select: SQLText = "SELECT \(AuditRow.columns)"

  /// The newest lines first.
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

  /// How many lines there are on all pages.
  package static func count(
    _ query: AuditQuery, in reader: any SQLReader
  ) throws(StorageError) -> Int {
    let conditions = Conditions(query)
    var sql: SQLText = "SELECT COUNT(*)"
    sql.append(contentsOf: conditions.sql)
    return try reader.first(dynamic: sql, conditions.arguments)?.value() ?? 0
  }

  /// One line of the chain; nil where there is none.
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
        at: Timestamp(milliseconds: content.at), actor: content.actor, kind: kind,
        patient: content.patient, resource: content.resource, resourceID: content.resourceID,
        version: content.version, purpose: content.purpose, outcome: outcome,
        count: Int(content.count)))
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
