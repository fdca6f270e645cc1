// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The state of comparing a connection's prescriptions with those that the hospital still has.
package struct HospitalComparison: Sendable, Hashable {
  /// The types whose deletions the server lists.
  var histories: Set<String> = []
  /// The time when the deletions were last read; nil if there is no list of them, and before the first time.
  var watched: Timestamp?
  /// The time when the whole list was last asked for; nil before, or to ask again.
  var tried: Timestamp?
  /// The time when a whole list was last compared; nil before.
  package var compared: Timestamp?
  /// The number of prescriptions that are gone at once, so that a person is asked first; 0 if nothing
  /// waits for that.
  package var missing = 0
  /// The number of prescriptions that a person expects to be gone.
  var allowed = 0

  /// The time between two comparisons, in milliseconds: a day.
  static let interval: Int64 = 24 * 3_600_000

  func isDue(at now: Timestamp) -> Bool {
    tried.map { $0.adding(milliseconds: Self.interval) <= now } ?? true
  }
}

/// A row of `hospital_comparisons`.
struct HospitalComparisonRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, connection, histories, watched, tried, compared, missing, allowed
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let connection: ConnectionID
  let comparison: HospitalComparison

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .connection: .text(connection)
    case .histories: .text(comparison.histories.sorted().joined(separator: " "))
    case .watched: SQLValue(comparison.watched)
    case .tried: SQLValue(comparison.tried)
    case .compared: SQLValue(comparison.compared)
    case .missing: SQLValue(comparison.missing)
    case .allowed: SQLValue(comparison.allowed)
    }
  }
}

extension HospitalComparison {
  fileprivate init(_ row: ColumnReader<HospitalComparisonRow.Column>) throws(StorageError) {
    self.init(
      histories: Set(try row.text(.histories).split(separator: " ").map(String.init)),
      watched: try row.optionalTimestamp(.watched),
      tried: try row.optionalTimestamp(.tried), compared: try row.optionalTimestamp(.compared),
      missing: Int(clamping: try row.integer(.missing)),
      allowed: Int(clamping: try row.integer(.allowed)))
  }
}

/// The table `hospital_comparisons`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
package enum HospitalComparisonStore {
  /// Returns the state of a connection, which begins without any comparison.
  package static func load(
    _ connection: ConnectionID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> HospitalComparison {
    guard let row = try reader.first(one, [.text(patient), .text(connection)]) else {
      return HospitalComparison()
    }
    return try HospitalComparison(row.read(HospitalComparisonRow.self))
  }

  private static let one = SQLStatement(
    """
    SELECT \(HospitalComparisonRow.columns) FROM hospital_comparisons
    WHERE patient = $1 AND connection = $2
    """)

  /// Stores the state after a fetch, except for what a person decided while it ran.
  static func finish(
    _ after: HospitalComparison, from before: HospitalComparison, of connection: HospitalConnection,
    in writer: any SQLWriter
  ) throws(StorageError) {
    var after = after
    let current = try load(connection.id, patient: connection.patient, in: writer)
    if current.allowed != before.allowed {
      after.allowed = current.allowed
      after.tried = current.tried
    }
    guard after != current else { return }
    try put(
      HospitalComparisonRow(
        patient: connection.patient, connection: connection.id, comparison: after), in: writer)
  }

  /// Records that a person expects the missing prescriptions to be gone, so that they are compared again.
  ///
  /// - Returns: False if none are missing.
  static func allow(
    _ connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE hospital_comparisons SET allowed = missing, missing = 0, tried = NULL
      WHERE patient = $1 AND connection = $2 AND missing > 0
      """, [.text(patient), .text(connection)]) > 0
  }

  static func put(_ row: HospitalComparisonRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(putStatement, row.values)
  }

  private static let putStatement = SQLStatement(
    """
    INSERT INTO hospital_comparisons (\(HospitalComparisonRow.columns))
    VALUES (\(HospitalComparisonRow.placeholders))
    ON CONFLICT (patient, connection) DO UPDATE
    SET histories = excluded.histories, watched = excluded.watched, tried = excluded.tried,
      compared = excluded.compared, missing = excluded.missing, allowed = excluded.allowed
    """)

  static func deleteAll(
    of connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM hospital_comparisons WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
  }
}
