// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// One thing that somebody said about a dose.
package struct AnswerStoryEntry: Sendable, Hashable {
  package let action: AnswerAction
  /// When it happened.
  package let at: Timestamp
  /// When it was written down.
  package let recorded: Timestamp
  package let by: String
  package let reason: String?
  package let amount: Amount?
  /// How long it was put off; for `later` alone.
  package let minutes: Int?

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

/// Questions about answers; the caller has decided that they may be asked.
package enum AnswerQueries {
  /// All that was said about a dose, in the order in which it was written down.
  ///
  /// Presses that repeated what was already so are left out.
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

  /// Reads the entry with whose columns a row begins.
  package static func entry(_ row: SQLRow) throws(StorageError) -> AnswerStoryEntry {
    try AnswerStoryEntry(row.read(AnswerStoryRow.self))
  }

  /// The gap in milliseconds that a plan's doses keep; nil when it states none.
  package static func minimumGap(
    of plan: PlanID, patient: PatientSnapshot
  ) throws(StorageError) -> Int64? {
    try patient.plan(plan)?.minimumGap
  }

  /// The gap in milliseconds that a plan's doses keep; nil when it states none.
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
