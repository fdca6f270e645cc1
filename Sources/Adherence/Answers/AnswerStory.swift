// SPDX-License-Identifier: Apache-2.0

import Identifiers
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
      """
      SELECT action, at, recorded, by_name, reason, amount_value, amount_unit, minutes
      FROM answers
      WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
        AND dose_version IS NOT NULL
      ORDER BY dose_version
      """,
      [.text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text)])
    var story: [AnswerStoryEntry] = []
    story.reserveCapacity(rows.count)
    for row in rows { story.append(try entry(row)) }
    return story
  }

  /// Reads the eight columns with which a story's query begins.
  static func entry(_ row: SQLRow) throws(StorageError) -> AnswerStoryEntry {
    guard let action = AnswerAction(rawValue: try row.text(0)) else {
      throw .unexpectedValue(column: 0, expected: .text)
    }
    return AnswerStoryEntry(
      action: action, at: try row.timestamp(1), recorded: try row.timestamp(2),
      by: try row.text(3), reason: try row.optionalText(4),
      amount: Amount(column: try row.optionalText(5), unit: try row.optionalText(6), code: nil),
      minutes: try row.optionalInteger(7).map(Int.init(clamping:)))
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
      [.text(patient), .text(plan)])?.optionalInteger(0)
  }
}
