// SPDX-License-Identifier: Apache-2.0

/// One backup that was tried, and what came of it.
package struct BackupRun: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case schedule, command
  }

  package var id: String
  package var kind: Kind
  package var started: Timestamp
  package var finished: Timestamp
  /// Why there is no backup; nil when there is one that was read back whole.
  package var trouble: String?
  package var place: String
  package var bytes: Int64
  package var rows: Int64

  package init(
    id: String, kind: Kind, started: Timestamp, finished: Timestamp, trouble: String?,
    place: String, bytes: Int64, rows: Int64
  ) {
    self.id = id
    self.kind = kind
    self.started = started
    self.finished = finished
    self.trouble = trouble
    self.place = place
    self.bytes = bytes
    self.rows = rows
  }
}

/// The record of backups in the database.
package enum BackupLog {
  /// How many are kept on record.
  private static let kept = 200

  /// Adds a try; one that is on record already is left as it is.
  package static func insert(_ run: BackupRun, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO backups (backup, kind, started, finished, trouble, place, bytes, entries)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (backup) DO NOTHING
      """,
      [
        .text(run.id), .text(run.kind.rawValue), SQLValue(run.started), SQLValue(run.finished),
        SQLValue(run.trouble), .text(run.place), .integer(run.bytes), .integer(run.rows),
      ])
    try writer.execute(
      """
      DELETE FROM backups WHERE backup NOT IN
        (SELECT backup FROM backups ORDER BY finished DESC, backup LIMIT $1)
      """, [SQLValue(kept)])
  }

  /// The last one of a kind, or of any.
  package static func last(
    _ kind: BackupRun.Kind? = nil, in reader: any SQLReader
  ) throws(StorageError) -> BackupRun? {
    let row = try reader.first(
      """
      SELECT backup, kind, started, finished, trouble, place, bytes, entries FROM backups
      WHERE kind IN ($1, $2) ORDER BY finished DESC, backup LIMIT 1
      """, values(of: kind))
    return try row.map(run)
  }

  /// The last one that gave a backup.
  package static func lastGood(
    _ kind: BackupRun.Kind? = nil, in reader: any SQLReader
  ) throws(StorageError) -> BackupRun? {
    let row = try reader.first(
      """
      SELECT backup, kind, started, finished, trouble, place, bytes, entries FROM backups
      WHERE trouble IS NULL AND kind IN ($1, $2) ORDER BY finished DESC, backup LIMIT 1
      """, values(of: kind))
    return try row.map(run)
  }

  /// Returns the arguments for one kind, or for both if none is given.
  private static func values(of kind: BackupRun.Kind?) -> [SQLValue] {
    [kind ?? .schedule, kind ?? .command].map { .text($0.rawValue) }
  }

  private static func run(_ row: SQLRow) throws(StorageError) -> BackupRun {
    BackupRun(
      id: try row.text(0), kind: BackupRun.Kind(rawValue: try row.text(1)) ?? .command,
      started: try row.timestamp(2), finished: try row.timestamp(3),
      trouble: try row.optionalText(4), place: try row.text(5), bytes: try row.integer(6),
      rows: try row.integer(7))
  }
}
