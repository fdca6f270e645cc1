// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The table `occasions`.
enum OccasionRows {
  static func one(_ id: String, patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> Occasion?
  {
    try read(reader.query(oneStatement, [.text(patient), .text(id)])).first
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(OccasionRow.columns) FROM occasions o WHERE o.patient = $1 AND o.occasion = $2")

  /// The occasions of some reminders, by subject.
  static func of(_ subjects: [ReminderRow], in reader: any SQLReader) throws(StorageError)
    -> [String: Occasion]
  {
    guard !subjects.isEmpty else { return [:] }
    let rows = try reader.query(
      """
      SELECT \(OccasionRow.columns) FROM reminders r
      JOIN occasions o ON o.patient = r.patient AND o.subject = r.subject
      WHERE r.subject IN (
      """, [], in: subjects.map { .text($0.subject) })
    return Dictionary(try read(rows).map { ($0.subject, $0) }) { first, _ in first }
  }

  /// The occasion of one reminder.
  static func of(subject: String, patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> Occasion?
  {
    try read(reader.query(ofSubjectStatement, [.text(patient), .text(subject)])).first
  }

  private static let ofSubjectStatement = SQLStatement(
    "SELECT \(OccasionRow.columns) FROM occasions o WHERE o.patient = $1 AND o.subject = $2")

  /// The occasions that end after an instant, by due time.
  static func ending(
    after instant: Timestamp, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Occasion] {
    try read(reader.query(endingStatement, [.text(patient), SQLValue(instant)]))
  }

  private static let endingStatement = SQLStatement(
    """
    SELECT \(OccasionRow.columns) FROM occasions o
    WHERE o.patient = $1 AND o.ends > $2 ORDER BY o.due, o.occasion
    """)

  /// The occasions that changed after an instant, the earliest change first.
  static func changed(
    after instant: Timestamp, patient: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [Occasion] {
    try read(
      reader.query(changedStatement, [.text(patient), SQLValue(instant), SQLValue(limit)]))
  }

  private static let changedStatement = SQLStatement(
    """
    SELECT \(OccasionRow.columns) FROM occasions o
    WHERE o.patient = $1 AND o.changed > $2 ORDER BY o.changed, o.occasion LIMIT $3
    """)

  /// Adds an occasion; false where it is known already.
  static func insert(
    _ new: NewOccasion, subject: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      insertStatement, NewOccasionRow(occasion: new, subject: subject, changed: now).values) > 0
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO occasions (\(NewOccasionRow.columns)) VALUES (\(NewOccasionRow.placeholders))
    ON CONFLICT (patient, occasion) DO NOTHING
    """)

  /// Deletes an occasion that was never delivered, with its reminder.
  static func remove(_ occasion: Occasion, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "DELETE FROM occasions WHERE patient = $1 AND subject = $2",
      [.text(occasion.patient), .text(occasion.subject)])
    try ReminderStore.delete(occasion.subject, patient: occasion.patient, in: writer)
  }

  static func update(_ occasion: Occasion, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE occasions SET rings_from = $1, generation = $2, state = $3, version = $4,
        answered = $5, answered_by = $6, changed = $7
      WHERE patient = $8 AND occasion = $9
      """,
      [
        SQLValue(occasion.ringsFrom), .integer(occasion.generation),
        .text(occasion.state.rawValue), .integer(occasion.version),
        SQLValue(occasion.answered), SQLValue(occasion.answeredBy), SQLValue(occasion.changed),
        .text(occasion.patient), .text(occasion.id),
      ])
  }

  private static func read(_ rows: [SQLRow]) throws(StorageError) -> [Occasion] {
    var found: [Occasion] = []
    found.reserveCapacity(rows.count)
    for row in rows { found.append(try Occasion(row.read(OccasionRow.self))) }
    return found
  }
}

/// The row behind each ``Occasion``.
enum OccasionRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, occasion, kind, source, subject, due, ringsFrom, ends, generation, isCritical
    case state, version, answered, answeredBy, changed
  }

  static let columns = SQLColumns<Column>(of: "o")
}

extension Occasion {
  fileprivate init(_ row: ColumnReader<OccasionRow.Column>) throws(StorageError) {
    self.init(
      patient: try row.id(.patient), id: try row.text(.occasion), kind: try row.named(.kind),
      source: try row.text(.source), subject: try row.text(.subject),
      due: try row.timestamp(.due), ringsFrom: try row.timestamp(.ringsFrom),
      ends: try row.timestamp(.ends), generation: try row.integer(.generation),
      isCritical: try row.bool(.isCritical), state: try row.named(.state),
      version: try row.integer(.version), answered: try row.optionalTimestamp(.answered),
      answeredBy: try row.optionalText(.answeredBy), changed: try row.timestamp(.changed))
  }
}

/// An occasion as its row is first written.
struct NewOccasionRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, occasion, kind, source, subject, due, ringsFrom, ends, generation, isCritical
    case state, version, changed
  }

  static let columns = SQLColumns<Column>()

  let occasion: NewOccasion
  let subject: String
  let changed: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(occasion.patient)
    case .occasion: .text(occasion.id)
    case .kind: .text(occasion.kind.rawValue)
    case .source: .text(occasion.source)
    case .subject: .text(subject)
    case .due: SQLValue(occasion.due)
    case .ringsFrom: SQLValue(occasion.ringsFrom)
    case .ends: SQLValue(occasion.ends)
    case .generation, .version: .integer(1)
    case .isCritical: SQLValue(occasion.isCritical)
    case .state: .text(Occasion.State.open.rawValue)
    case .changed: SQLValue(changed)
    }
  }
}
