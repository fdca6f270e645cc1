// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Scheduling
import Storage

/// What somebody was asked because of the resting heart rate, with what was seen and what came of it.
package struct Warning: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The resting heart rate is higher than usual.
    case heart
    /// A watch seems not to be worn.
    case wear
  }

  /// What was said to "have you taken it today?".
  package enum Answer: String, Sendable, Hashable, CaseIterable {
    case yes, no, unwell
    /// Nothing was said, and nothing more is asked.
    case closed
  }

  /// What came of the answer.
  package enum Done: String, Sendable, Hashable, CaseIterable {
    /// Reminded again some hours later.
    case later
    /// Nothing more was wanted.
    case nothing
    /// What it was about was recorded before it came once more.
    case recorded
  }

  package let patient: PatientID
  package let id: WarningID
  package let kind: Kind
  package let day: CivilDate
  package let created: Timestamp
  package let method: WatchMethod
  /// Whether there were watched plans to ask about.
  package let isWatched: Bool
  /// The figures that were seen, for the sentence that explains it.
  package let finding: HeartFinding
  package let answer: Answer?
  package let answered: Timestamp?
  package let answeredBy: String?
  package let done: Done?
  package let doneAt: Timestamp?
}

/// The rows of `heart_warnings`.
enum WarningRows {
  /// Adds a warning; whether there was none of its kind on that day, on whichever node.
  static func add(_ warning: Warning, in writer: any SQLWriter) throws(StorageError) -> Bool {
    let finding = warning.finding
    return try writer.execute(
      """
      INSERT INTO heart_warnings (patient, warning, kind, day, created, method, is_watched,
        heart_rate, usual, boundary, doses_in_doubt, steps_share)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      ON CONFLICT (patient, kind, day) DO NOTHING
      """,
      [
        .text(warning.patient), .text(warning.id), .text(warning.kind.rawValue),
        .text(warning.day.text), SQLValue(warning.created), .text(warning.method.rawValue),
        SQLValue(warning.isWatched), SQLValue(finding.heartRate.map(Thousandths.of)),
        SQLValue(finding.usual.map(Thousandths.of)),
        SQLValue(finding.boundary.map(Thousandths.of)), SQLValue(finding.dosesInDoubt),
        SQLValue(finding.stepsShare.map(Thousandths.of)),
      ]) == 1
  }

  static func one(_ id: WarningID, in reader: any SQLReader) throws(StorageError) -> Warning? {
    try read(
      try reader.query(
        """
        SELECT patient, warning, kind, day, created, method, is_watched, heart_rate, usual, boundary,
          doses_in_doubt, steps_share, answer, answered, answered_by, done, done_at
        FROM heart_warnings WHERE warning = $1
        """, [.text(id)])
    ).first
  }

  /// Those of a person from a day on, the latest first.
  static func all(_ patient: PatientID, from: CivilDate, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [Warning]
  {
    try read(
      try reader.query(
        """
        SELECT patient, warning, kind, day, created, method, is_watched, heart_rate, usual, boundary,
          doses_in_doubt, steps_share, answer, answered, answered_by, done, done_at
        FROM heart_warnings WHERE patient = $1 AND day >= $2 ORDER BY created DESC, warning LIMIT $3
        """, [.text(patient), .text(from.text), SQLValue(limit)]))
  }

  /// Those that were asked, answered or settled since an instant, the earliest first.
  static func changed(
    _ patient: PatientID, after: Timestamp, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [Warning] {
    try read(
      try reader.query(
        """
        SELECT patient, warning, kind, day, created, method, is_watched, heart_rate, usual, boundary,
          doses_in_doubt, steps_share, answer, answered, answered_by, done, done_at
        FROM heart_warnings
        WHERE patient = $1 AND (created > $2 OR answered > $2 OR done_at > $2)
        ORDER BY created, warning LIMIT $3
        """, [.text(patient), SQLValue(after), SQLValue(limit)]))
  }

  /// What was said on each day that asked about the heart rate; asked and not answered is known too.
  static func answers(_ patient: PatientID, from: CivilDate, in reader: any SQLReader)
    throws(StorageError) -> [Int: HeartAnswer]
  {
    var found: [Int: HeartAnswer] = [:]
    for row in try reader.query(
      "SELECT day, answer FROM heart_warnings WHERE patient = $1 AND kind = 'heart' AND day >= $2",
      [.text(patient), .text(from.text)])
    {
      guard let day = CivilDate(text: try row.text(0)) else { continue }
      let answer = try row.optionalText(1).flatMap(Warning.Answer.init(rawValue:))
      found[day.daysSinceEpoch] =
        switch answer {
        case .yes: .taken
        case .no: .missed
        case .unwell, .closed, nil: HeartAnswer.none
        }
    }
    return found
  }

  private static func read(_ rows: [SQLRow]) throws(StorageError) -> [Warning] {
    var found: [Warning] = []
    for row in rows {
      guard let day = CivilDate(text: try row.text(3)) else {
        throw .unexpectedValue(column: 3, expected: .text)
      }
      found.append(
        Warning(
          patient: try row.id(0), id: try row.id(1), kind: try row.named(2), day: day,
          created: try row.timestamp(4), method: try row.named(5), isWatched: try row.bool(6),
          finding: HeartFinding(
            heartRate: try row.optionalInteger(7).map(Thousandths.number),
            usual: try row.optionalInteger(8).map(Thousandths.number),
            boundary: try row.optionalInteger(9).map(Thousandths.number),
            dosesInDoubt: Int(try row.integer(10)),
            stepsShare: try row.optionalInteger(11).map(Thousandths.number)),
          answer: try row.optionalText(12).flatMap(Warning.Answer.init(rawValue:)),
          answered: try row.optionalTimestamp(13), answeredBy: try row.optionalText(14),
          done: try row.optionalText(15).flatMap(Warning.Done.init(rawValue:)),
          doneAt: try row.optionalTimestamp(16)))
    }
    return found
  }
}
