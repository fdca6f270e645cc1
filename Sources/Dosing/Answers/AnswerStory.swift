// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// One entry in the history of a dose: an answer, a correction or an undo.
package struct AnswerStoryEntry: Sendable, Hashable {
  /// The answer, or `undo` if one was taken back.
  package let action: AnswerAction
  /// The time at which it happened, as reported.
  package let at: Timestamp
  /// The time at which it was recorded.
  package let recorded: Timestamp
  /// The name of the person or system that recorded it.
  package let by: String
  /// The person's own words; nil if none were given.
  package let reason: String?
  /// The amount taken, without a unit code; nil if it was not taken or not stated.
  package let amount: Amount?
  /// The minutes by which it was postponed; nil unless the action is `later`.
  package let minutes: Int?

  /// Creates an entry from its fields.
  package init(
    action: AnswerAction, at: Timestamp, recorded: Timestamp, by: String, reason: String? = nil,
    amount: Amount? = nil, minutes: Int? = nil
  ) {
    self.action = action
    self.at = at
    self.recorded = recorded
    self.by = by
    self.reason = reason
    self.amount = amount
    self.minutes = minutes
  }
}

/// Queries about answers; the caller has checked that the actor may read them.
package enum AnswerQueries {
  /// Returns every answer to a dose, in the order in which they were recorded.
  ///
  /// Repeated presses that changed nothing are left out.
  package static func story(
    of dose: DoseID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [AnswerStoryEntry] {
    let rows = try reader.query(
      storyStatement,
      [.text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text)])
    var story: [AnswerStoryEntry] = []
    story.reserveCapacity(rows.count)
    for row in rows { story.append(try entry(row)) }
    return story
  }

  private static let storyStatement = SQLStatement(
    """
    SELECT \(AnswerStoryRow.columns) FROM answers a
    WHERE a.patient = $1 AND a.plan = $2 AND a.era = $3 AND a.occurrence = $4
      AND a.dose_version IS NOT NULL
    ORDER BY a.dose_version
    """)

  /// Reads an entry from the first columns of a row.
  package static func entry(_ row: SQLRow) throws(StorageError) -> AnswerStoryEntry {
    try AnswerStoryEntry(row.read(AnswerStoryRow.self))
  }

  /// Returns the minimum gap between a plan's doses, in milliseconds; nil if it states none.
  package static func minimumGap(
    of plan: PlanID, patient: PatientSnapshot
  ) throws(StorageError) -> Int64? {
    try patient.plan(plan)?.minimumGap
  }

  /// Returns the minimum gap between a plan's doses, in milliseconds; nil if it states none.
  package static func minimumGap(
    of plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Int64? {
    try reader.first(
      "SELECT minimum_gap FROM plans WHERE patient = $1 AND plan = $2",
      [.text(patient), .text(plan)])?.value(as: Int64?.self)
  }
}

/// The columns of an ``AnswerStoryEntry``.
enum AnswerStoryRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case action, at, recorded, byName, reason, amountValue, amountUnit, minutes
  }

  static let columns = SQLColumns<Column>(of: "a")
}

extension AnswerStoryEntry {
  init(_ row: ColumnReader<AnswerStoryRow.Column>) throws(StorageError) {
    self.init(
      action: try row.named(.action), at: try row.timestamp(.at),
      recorded: try row.timestamp(.recorded), by: try row.text(.byName),
      reason: try row.optionalText(.reason),
      amount: Amount(
        column: try row.optionalText(.amountValue), unit: try row.optionalText(.amountUnit),
        code: nil),
      minutes: try row.optionalInteger(.minutes).map(Int.init(clamping:)))
  }
}
