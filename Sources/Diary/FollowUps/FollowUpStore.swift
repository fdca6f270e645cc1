// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The statements that change the tables `follow_ups` and `follow_up_choices`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum FollowUpStore {
  static func keep(
    _ choice: FollowUpChoice, ofPlan plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = NewFollowUpChoiceRow(patient: patient, plan: plan, choice: choice)
    try writer.execute(keepChoice, row.values)
  }

  private static let keepChoice = SQLStatement(
    """
    INSERT INTO follow_up_choices (\(NewFollowUpChoiceRow.columns))
    VALUES (\(NewFollowUpChoiceRow.placeholders))
    ON CONFLICT (patient, plan) DO UPDATE SET is_asked = excluded.is_asked,
      minutes = excluded.minutes, is_for_headache = excluded.is_for_headache
    """)

  /// Adds a question, or gives one another time; returns false if it was answered before.
  static func keep(
    _ question: FollowUp, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let row = NewFollowUpRow(patient: patient, question: question)
    return try writer.execute(keepQuestion, row.values) > 0
  }

  private static let keepQuestion = SQLStatement(
    """
    INSERT INTO follow_ups (\(NewFollowUpRow.columns)) VALUES (\(NewFollowUpRow.placeholders))
    ON CONFLICT (patient, administration) DO UPDATE SET plan = excluded.plan,
      taken = excluded.taken, minutes = excluded.minutes, due = excluded.due,
      ends = excluded.ends, asked = excluded.asked
    WHERE follow_ups.observation IS NULL
    """)

  /// Ends a question without an answer.
  static func end(
    _ question: FollowUp, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE follow_ups SET ends = $1 WHERE patient = $2 AND administration = $3",
      [SQLValue(now), .text(patient), .text(question.administration)])
  }

  static func answer(
    _ question: FollowUp, with observation: String, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE follow_ups SET observation = $1 WHERE patient = $2 AND administration = $3",
      [.text(observation), .text(patient), .text(question.administration)])
  }

  static func delete(
    _ administration: AdministrationID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM follow_ups WHERE patient = $1 AND administration = $2",
      [.text(patient), .text(administration)])
  }
}

/// A row of `follow_up_choices`.
struct NewFollowUpChoiceRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, isAsked, minutes, isForHeadache
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let choice: FollowUpChoice

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .isAsked: SQLValue(choice.isAsked)
    case .minutes: SQLValue(choice.minutes)
    case .isForHeadache: SQLValue(choice.isForHeadache)
    }
  }
}

/// A row of `follow_ups`, as it is written before an answer.
struct NewFollowUpRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, administration, plan, taken, minutes, due, ends, asked
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let question: FollowUp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .administration: .text(question.administration)
    case .plan: .text(question.plan)
    case .taken: SQLValue(question.taken)
    case .minutes: SQLValue(question.minutes)
    case .due: SQLValue(question.due)
    case .ends: SQLValue(question.ends)
    case .asked: .integer(question.asked)
    }
  }
}
