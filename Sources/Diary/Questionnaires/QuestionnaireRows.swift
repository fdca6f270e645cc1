// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The statements on the tables `questionnaire_assignments`, `questionnaire_answers` and `questionnaire_drafts`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum QuestionnaireRows {
  // MARK: Assignments

  static func insert(
    _ assignment: QuestionnaireAssignment, of patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = NewQuestionnaireAssignmentRow(patient: patient, assignment: assignment)
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO questionnaire_assignments (\(NewQuestionnaireAssignmentRow.columns))
    VALUES (\(NewQuestionnaireAssignmentRow.placeholders))
    """)

  static func end(
    _ id: QuestionnaireAssignmentID, of patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE questionnaire_assignments SET ended = $1
      WHERE patient = $2 AND assignment = $3 AND ended IS NULL
      """, [SQLValue(now), .text(patient), .text(id)])
  }

  static func assignments(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [QuestionnaireAssignment] {
    try reader.query(assignmentsStatement, [.text(patient)])
      .decode(as: QuestionnaireAssignmentRow.self).map(\.assignment)
  }

  private static let assignmentsStatement = SQLStatement(
    """
    SELECT \(QuestionnaireAssignmentRow.columns) FROM questionnaire_assignments
    WHERE patient = $1 ORDER BY created DESC, assignment LIMIT 1000
    """)

  // MARK: Answers

  /// Notes that an occasion was answered; returns false if it was answered before.
  static func answer(
    _ assignment: QuestionnaireAssignmentID, _ occasion: Int, with response: String,
    of patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      INSERT INTO questionnaire_answers (patient, assignment, occasion, response, answered)
      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (patient, assignment, occasion) DO NOTHING
      """,
      [
        .text(patient), .text(assignment), SQLValue(occasion), .text(response), SQLValue(now),
      ]) > 0
  }

  static func answers(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [AnsweredQuestionnaire] {
    try reader.query(answersStatement, [.text(patient)])
      .decode(as: QuestionnaireAnswerRow.self).map(\.answer)
  }

  private static let answersStatement = SQLStatement(
    """
    SELECT \(QuestionnaireAnswerRow.columns) FROM questionnaire_answers
    WHERE patient = $1 ORDER BY answered DESC, assignment, occasion LIMIT 5000
    """)

  // MARK: Drafts

  static func draft(
    of questionnaire: String, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> String? {
    try reader.first(
      "SELECT fields FROM questionnaire_drafts WHERE patient = $1 AND questionnaire = $2",
      [.text(patient), .text(questionnaire)]
    )?.value()
  }

  static func saveDraft(
    _ fields: String, of questionnaire: String, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO questionnaire_drafts (patient, questionnaire, fields, saved)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (patient, questionnaire) DO UPDATE SET fields = excluded.fields,
        saved = excluded.saved
      """, [.text(patient), .text(questionnaire), .text(fields), SQLValue(now)])
  }

  static func deleteDraft(
    of questionnaire: String, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM questionnaire_drafts WHERE patient = $1 AND questionnaire = $2",
      [.text(patient), .text(questionnaire)])
  }
}

/// A row of `questionnaire_assignments` as it is read.
struct QuestionnaireAssignmentRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case assignment, questionnaire, schedule, starts, weeks, openDays, lastDay, origin, study
    case account, byName, reminds, created, ended
  }

  static let columns = SQLColumns<Column>()

  let assignment: QuestionnaireAssignment

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    guard let starts = CivilDate(text: try row.text(.starts)) else {
      throw row.unexpected(.starts)
    }
    let lastDay = try row.optionalText(.lastDay).flatMap { CivilDate(text: $0) }
    guard
      let schedule = QuestionnaireSchedule(
        try row.named(.schedule), starts: starts, weeks: Int(try row.integer(.weeks)),
        openDays: Int(try row.integer(.openDays)), lastDay: lastDay)
    else { throw row.unexpected(.schedule) }
    let study = try row.optionalText(.study)
    let origin: QuestionnaireAssignment.Origin
    if let study {
      origin = .study(study)
    } else {
      origin = try row.text(.origin) == "practitioner" ? .practitioner : .person
    }
    assignment = QuestionnaireAssignment(
      id: try row.id(.assignment), questionnaire: try row.text(.questionnaire),
      schedule: schedule, origin: origin, account: try row.id(.account),
      byName: try row.text(.byName), reminds: try row.bool(.reminds),
      created: try row.timestamp(.created), ended: try row.optionalTimestamp(.ended))
  }
}

/// A row of `questionnaire_assignments` as it is written.
struct NewQuestionnaireAssignmentRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, assignment, questionnaire, schedule, starts, weeks, openDays, lastDay, origin
    case study, account, byName, reminds, created
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let assignment: QuestionnaireAssignment

  func value(of column: Column) -> SQLValue {
    let schedule = assignment.schedule
    return switch column {
    case .patient: .text(patient)
    case .assignment: .text(assignment.id)
    case .questionnaire: .text(assignment.questionnaire)
    case .schedule: .text(schedule.kind.rawValue)
    case .starts: .text(schedule.starts.text)
    case .weeks: SQLValue(schedule.weeks)
    case .openDays: SQLValue(schedule.openDays)
    case .lastDay: SQLValue(schedule.lastDay?.text)
    case .origin: .text(assignment.origin.name)
    case .study: SQLValue(assignment.origin.study)
    case .account: .text(assignment.account)
    case .byName: .text(assignment.byName)
    case .reminds: SQLValue(assignment.reminds)
    case .created: SQLValue(assignment.created)
    }
  }
}

/// A row of `questionnaire_answers` as it is read.
struct QuestionnaireAnswerRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case assignment, occasion, response, answered }

  static let columns = SQLColumns<Column>()

  let answer: AnsweredQuestionnaire

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    answer = AnsweredQuestionnaire(
      assignment: try row.id(.assignment), occasion: Int(try row.integer(.occasion)),
      response: try row.text(.response), answered: try row.timestamp(.answered))
  }
}
