// SPDX-License-Identifier: Apache-2.0

/// One attempt to make a backup, with its result.
package struct BackupRun: Sendable, Hashable {
  /// The way in which a backup was started: by the schedule or by a command.
  package enum Kind: String, Sendable, CaseIterable {
    case schedule, command
  }

  /// The identifier of the run.
  package var id: String
  /// The way in which the run was started.
  package var kind: Kind
  /// The start of the run.
  package var started: Timestamp
  /// The end of the run.
  package var finished: Timestamp
  /// The code of the reason why there is no backup (``BackupTrouble``); nil if the backup was made
  /// and read back completely.
  package var trouble: String?
  /// The path or other place of the backup, for the operator.
  package var place: String
  /// The size of the file in bytes.
  package var bytes: Int64
  /// The number of rows in the backup.
  package var rows: Int64

  /// Creates the record of a run.
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

/// A row of `backups`.
struct BackupRunRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case backup, kind, started, finished, trouble, place, bytes, entries
  }

  static let columns = SQLColumns<Column>()

  let run: BackupRun

  init(_ run: BackupRun) {
    self.run = run
  }

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    run = BackupRun(
      id: try columns.text(.backup),
      kind: BackupRun.Kind(rawValue: try columns.text(.kind)) ?? .command,
      started: try columns.timestamp(.started), finished: try columns.timestamp(.finished),
      trouble: try columns.optionalText(.trouble), place: try columns.text(.place),
      bytes: try columns.integer(.bytes), rows: try columns.integer(.entries))
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .backup: .text(run.id)
    case .kind: .text(run.kind.rawValue)
    case .started: SQLValue(run.started)
    case .finished: SQLValue(run.finished)
    case .trouble: SQLValue(run.trouble)
    case .place: .text(run.place)
    case .bytes: .integer(run.bytes)
    case .entries: .integer(run.rows)
    }
  }
}

/// The record of backups in the database.
package enum BackupLog {
  /// The number of runs that are kept.
  private static let kept = 200

  /// Adds a run and keeps the latest 200; a run that is recorded already stays as it is.
  package static func insert(_ run: BackupRun, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, BackupRunRow(run).values)
    try writer.execute(
      """
      DELETE FROM backups WHERE backup NOT IN
        (SELECT backup FROM backups ORDER BY finished DESC, backup LIMIT $1)
      """, [SQLValue(kept)])
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO backups (\(BackupRunRow.columns)) VALUES (\(BackupRunRow.placeholders))
    ON CONFLICT (backup) DO NOTHING
    """)

  /// Returns the last run of a kind, or of any kind for nil, successful or not.
  package static func last(
    _ kind: BackupRun.Kind? = nil, in reader: any SQLReader
  ) throws(StorageError) -> BackupRun? {
    try reader.first(latest, values(of: kind))?.decode(as: BackupRunRow.self).run
  }

  private static let latest = SQLStatement(
    """
    SELECT \(BackupRunRow.columns) FROM backups
    WHERE kind IN ($1, $2) ORDER BY finished DESC, backup LIMIT 1
    """)

  /// Returns the last successful run of a kind, or of any kind for nil.
  package static func lastGood(
    _ kind: BackupRun.Kind? = nil, in reader: any SQLReader
  ) throws(StorageError) -> BackupRun? {
    try reader.first(latestGood, values(of: kind))?.decode(as: BackupRunRow.self).run
  }

  private static let latestGood = SQLStatement(
    """
    SELECT \(BackupRunRow.columns) FROM backups
    WHERE trouble IS NULL AND kind IN ($1, $2) ORDER BY finished DESC, backup LIMIT 1
    """)

  /// Returns the arguments for one kind, or for both if none is given.
  private static func values(of kind: BackupRun.Kind?) -> [SQLValue] {
    [kind ?? .schedule, kind ?? .command].map { .text($0.rawValue) }
  }
}
