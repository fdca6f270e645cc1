// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// The building of the search index from the resources in force, after an upgrade that changes its rules.
///
/// It works in batches, each with its place in one transaction, so that a process that was killed continues where it
/// stopped, and several nodes of one database share the work. Changes of resources meanwhile keep the index in step.
package enum RecordIndexUpgrade {
  /// The number of resources of a batch: few, because one may be large.
  private static let size = 500

  /// The result of a batch.
  package enum Progress: Sendable, Hashable {
    /// Resources of this number were added to the index; more may follow.
    case added(Int)
    /// The index is complete.
    case complete
  }

  private enum Step: Int64 {
    case records, shared, complete
  }

  /// Returns true if the index is complete and follows the rules of this program.
  package static func isCurrent(in reader: any SQLReader) throws(StorageError) -> Bool {
    let found: RecordIndexStateRow? = try reader.first(stateStatement)?.decode()
    guard let state = found else { return false }
    return state.version == RecordIndex.version && state.step == Step.complete.rawValue
  }

  /// Does one batch of the work that is left; call it in a transaction of its own until the index is complete.
  package static func advance(in writer: any SQLWriter) throws(StorageError) -> Progress {
    let found: RecordIndexStateRow? = try writer.first(lockingStatement)?.decode()
    guard let state = found, state.version == RecordIndex.version else {
      try begin(in: writer)
      return .added(0)
    }
    guard let step = Step(rawValue: state.step), step != .complete else { return .complete }
    let batch = try batch(after: state, step, in: writer)
    for record in batch {
      try RecordIndex.write(record.indexRows, for: record.indexed, in: writer)
    }
    if let last = batch.last {
      try save(step, last, in: writer)
    } else {
      try save(step == .records ? .shared : .complete, nil, in: writer)
    }
    return .added(batch.count)
  }

  /// Builds the whole index again within one transaction, and returns the number of resources.
  package static func rebuild(in writer: any SQLWriter) throws(StorageError) -> Int {
    try begin(in: writer)
    var count = 0
    while case .added(let more) = try advance(in: writer) { count += more }
    return count
  }

  /// Completes the index of a database, batch by batch, and returns the number of resources that were added.
  ///
  /// - Parameter starting: Called once before the first batch, if there is anything to do.
  package static func perform(
    in database: Database, starting: @Sendable () -> Void
  ) async throws -> Int {
    guard try await !database.read({ try isCurrent(in: $0) }) else { return 0 }
    starting()
    var count = 0
    while case .added(let more) = try await database.write({ try advance(in: $0) }) {
      count += more
    }
    return count
  }

  // MARK: State

  private static let stateStatement = SQLStatement(
    "SELECT \(RecordIndexStateRow.columns) FROM record_index_state WHERE entry = 1")

  private static let lockingStatement = SQLStatement(
    """
    SELECT \(RecordIndexStateRow.columns) FROM record_index_state WHERE entry = 1
    /*postgresql FOR UPDATE */
    """)

  private static func begin(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO record_index_state (entry, version, step, done_type, done_patient, done_id)
      VALUES (1, $1, 0, '', '', '')
      ON CONFLICT (entry) DO UPDATE SET version = excluded.version, step = excluded.step,
        done_type = excluded.done_type, done_patient = excluded.done_patient,
        done_id = excluded.done_id
      """, [.integer(RecordIndex.version)])
    try RecordIndex.clear(in: writer)
  }

  private static func save(
    _ step: Step, _ last: StoredRecord?, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE record_index_state SET step = $1, done_type = $2, done_patient = $3, done_id = $4
      WHERE entry = 1
      """,
      [
        .integer(step.rawValue), .text(last?.type ?? ""), .text(last?.patient.text ?? ""),
        .text(last?.id ?? ""),
      ])
  }

  // MARK: Batches

  private static func batch(
    after state: RecordIndexStateRow, _ step: Step, in reader: any SQLReader
  ) throws(StorageError) -> [StoredRecord] {
    switch step {
    case .records:
      return try reader.query(
        recordsStatement,
        [
          .text(state.doneType), .text(state.donePatient), .text(state.doneID), SQLValue(size),
        ]
      ).decode()
    case .shared:
      return try reader.query(
        sharedStatement, [.text(state.doneType), .text(state.doneID), SQLValue(size)]
      ).decode()
    case .complete: return []
    }
  }

  private static let recordsStatement = SQLStatement(
    """
    SELECT \(StoredRecord.columns) FROM resources WHERE (type, patient, id) > ($1, $2, $3)
    ORDER BY type, patient, id LIMIT $4 /*postgresql FOR UPDATE */
    """)

  private static let sharedStatement = SQLStatement(
    """
    SELECT \(SharedRecordRow.columns) FROM shared_resources r WHERE (r.type, r.id) > ($1, $2)
    ORDER BY r.type, r.id LIMIT $3 /*postgresql FOR UPDATE */
    """)
}

/// The row of `record_index_state`.
struct RecordIndexStateRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case version, step, doneType, donePatient, doneId }

  static let columns = SQLColumns<Column>()

  /// The number of the rules by which the index is built.
  let version: Int64
  /// The step: records of patients, shared resources, complete.
  let step: Int64
  /// The last resource of the step that is in the index; empty before the first.
  let doneType: String
  let donePatient: String
  let doneID: String

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    version = try columns.integer(.version)
    step = try columns.integer(.step)
    doneType = try columns.text(.doneType)
    donePatient = try columns.text(.donePatient)
    doneID = try columns.text(.doneId)
  }
}
