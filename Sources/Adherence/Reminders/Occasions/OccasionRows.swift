// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The rows of `occasions`.
enum OccasionRows {
  static func one(_ id: String, patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> Occasion?
  {
    try read(
      try reader.query(
        """
        SELECT patient, occasion, kind, source, subject, due, rings_from, ends, generation,
          is_critical, state, version, answered, answered_by, changed
        FROM occasions WHERE patient = $1 AND occasion = $2
        """, [.text(patient), .text(id)])
    ).first
  }

  /// The occasions of some reminders, by subject.
  static func of(_ subjects: [ReminderRow], in reader: any SQLReader) throws(StorageError)
    -> [String: Occasion]
  {
    guard !subjects.isEmpty else { return [:] }
    let rows = try reader.query(
      """
      SELECT o.patient, o.occasion, o.kind, o.source, o.subject, o.due, o.rings_from, o.ends,
        o.generation, o.is_critical, o.state, o.version, o.answered, o.answered_by, o.changed
      FROM reminders r
      JOIN occasions o ON o.patient = r.patient AND o.subject = r.subject
      WHERE r.subject IN (
      """, [], in: subjects.map { .text($0.subject) })
    return Dictionary(try read(rows).map { ($0.subject, $0) }) { first, _ in first }
  }

  /// The occasion of one reminder.
  static func of(subject: String, patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> Occasion?
  {
    try read(
      try reader.query(
        """
        SELECT patient, occasion, kind, source, subject, due, rings_from, ends, generation,
          is_critical, state, version, answered, answered_by, changed
        FROM occasions WHERE patient = $1 AND subject = $2
        """, [.text(patient), .text(subject)])
    ).first
  }

  /// Those that end after an instant, by due time.
  static func ending(after instant: Timestamp, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [Occasion]
  {
    try read(
      try reader.query(
        """
        SELECT patient, occasion, kind, source, subject, due, rings_from, ends, generation,
          is_critical, state, version, answered, answered_by, changed
        FROM occasions WHERE patient = $1 AND ends > $2 ORDER BY due, occasion
        """, [.text(patient), SQLValue(instant)]))
  }

  /// Those that changed after an instant, the earliest change first.
  static func changed(
    after instant: Timestamp, patient: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [Occasion] {
    try read(
      try reader.query(
        """
        SELECT patient, occasion, kind, source, subject, due, rings_from, ends, generation,
          is_critical, state, version, answered, answered_by, changed
        FROM occasions WHERE patient = $1 AND changed > $2 ORDER BY changed, occasion LIMIT $3
        """, [.text(patient), SQLValue(instant), SQLValue(limit)]))
  }

  /// Adds an occasion; false where it is known already.
  static func insert(
    _ new: NewOccasion, subject: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      INSERT INTO occasions (patient, occasion, kind, source, subject, due, rings_from, ends,
        generation, is_critical, state, version, changed)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, 'open', 1, $10)
      ON CONFLICT (patient, occasion) DO NOTHING
      """,
      [
        .text(new.patient), .text(new.id), .text(new.kind.rawValue), .text(new.source),
        .text(subject), SQLValue(new.due), SQLValue(new.ringsFrom), SQLValue(new.ends),
        SQLValue(new.isCritical), SQLValue(now),
      ]) > 0
  }

  /// Removes an occasion of which nothing was told, with its reminder.
  static func remove(_ occasion: Occasion, in writer: any SQLWriter) throws(StorageError) {
    let arguments = [SQLValue.text(occasion.patient), .text(occasion.subject)]
    try writer.execute("DELETE FROM occasions WHERE patient = $1 AND subject = $2", arguments)
    try writer.execute("DELETE FROM reminders WHERE patient = $1 AND subject = $2", arguments)
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
    for row in rows {
      found.append(
        Occasion(
          patient: try row.id(0), id: try row.text(1), kind: try row.named(2),
          source: try row.text(3), subject: try row.text(4), due: try row.timestamp(5),
          ringsFrom: try row.timestamp(6), ends: try row.timestamp(7),
          generation: try row.integer(8), isCritical: try row.bool(9),
          state: try row.named(10), version: try row.integer(11),
          answered: try row.optionalTimestamp(12), answeredBy: try row.optionalText(13),
          changed: try row.timestamp(14)))
    }
    return found
  }
}
