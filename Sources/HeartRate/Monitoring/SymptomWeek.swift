// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Observations
import People
import Plans
import Scheduling
import Storage

/// A weekly question about symptoms that a medicine that slows the heart can cause.
package enum SymptomQuestion: String, Sendable, Hashable, CaseIterable {
  case dizzy, tired, breathless, pounding, cold, sleep

  /// The grades of an answer, from 0 (not at all) to 3 (very much).
  package static let grades = 0...3
}

/// One week's answers to the symptom questions.
package struct SymptomWeek: Sendable, Hashable {
  /// The Monday of the week.
  package let week: CivilDate
  /// The grade of each question.
  package let answers: [SymptomQuestion: Int]
  /// The time at which the answers were saved last.
  package let created: Timestamp

  /// Returns the Monday of the week that a day belongs to.
  package static func monday(of day: CivilDate) -> CivilDate {
    day.adding(days: 1 - day.weekday.rawValue)
  }
}

/// The weekly answers, each stored whole as a FHIR QuestionnaireResponse.
///
/// They have their own table, because the record store has no place for that type and only the pages read
/// them.
package enum SymptomWeeks {
  /// The canonical address of the questionnaire.
  package static let questionnaire = "urn:regimen:questionnaire:heart-weekly"

  /// Saves the answers of this week in the person's time zone, replacing earlier ones.
  ///
  /// - Parameters:
  ///   - answers: a grade for every question.
  ///   - text: returns the text of a question, which is stored with the answer.
  /// - Throws: ``HeartRateError/value`` if an answer is missing or not one of the grades.
  package static func save(
    _ answers: [SymptomQuestion: Int], of patient: PatientID, text: (SymptomQuestion) -> String,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.create, patient: patient, context)
    guard answers.count == SymptomQuestion.allCases.count,
      answers.values.allSatisfy(SymptomQuestion.grades.contains)
    else { throw HeartRateError.value }
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
    let week = SymptomWeek.monday(of: zone.date(at: Instant(context.now)))
    let id = context.newIdentifier()
    let body = response(id, answers, of: patient, text: text, at: context.now).bytes
    let row = NewSymptomWeekRow(
      patient: patient, week: week.text, response: id,
      body: String(decoding: body, as: UTF8.self), created: context.now)
    try writer.execute(saveStatement, row.values)
    HeartRateCommands.audit(patient, context, in: writer)
  }

  private static let saveStatement = SQLStatement(
    """
    INSERT INTO heart_rate_questionnaires (\(NewSymptomWeekRow.columns))
    VALUES (\(NewSymptomWeekRow.placeholders))
    ON CONFLICT (patient, week) DO UPDATE SET response = excluded.response,
      body = excluded.body, created = excluded.created
    """)

  /// Returns the latest answered weeks, the latest first.
  package static func all(of patient: PatientID, limit: Int = 53, in reader: any SQLReader) throws
    -> [SymptomWeek]
  {
    try bodies(of: patient, limit: limit, in: reader).compactMap { week, body, created in
      guard let week = CivilDate(text: week) else { return nil }
      var answers: [SymptomQuestion: Int] = [:]
      for item in body["item"]?.array ?? [] {
        guard let question = item["linkId"]?.string.flatMap(SymptomQuestion.init(rawValue:)),
          let grade = item["answer"]?[0]?["valueInteger"]?.number?.integer
        else { continue }
        answers[question] = grade
      }
      return SymptomWeek(week: week, answers: answers, created: created)
    }
  }

  /// Returns the questionnaire and the responses of up to 1,000 weeks as a FHIR Bundle, the latest first.
  package static func bundle(
    of patient: PatientID, text: (SymptomQuestion) -> String, title: String,
    in reader: any SQLReader
  ) throws -> JSONValue {
    let responses = try bodies(of: patient, limit: 1_000, in: reader).map(\.body)
    let entries = ([questions(text: text, title: title)] + responses).map { resource in
      ["resource": resource] as JSONValue
    }
    return ["resourceType": "Bundle", "type": "collection", "entry": .array(entries)]
  }

  /// Returns the questions as a FHIR Questionnaire.
  package static func questions(text: (SymptomQuestion) -> String, title: String) -> JSONValue {
    [
      "resourceType": "Questionnaire", "url": .string(questionnaire), "status": "active",
      "title": .string(title), "subjectType": ["Patient"],
      "item": .array(
        SymptomQuestion.allCases.map { question in
          [
            "linkId": .string(question.rawValue), "text": .string(text(question)),
            "type": "integer", "required": true,
          ]
        }),
    ]
  }

  private static func response(
    _ id: String, _ answers: [SymptomQuestion: Int], of patient: PatientID,
    text: (SymptomQuestion) -> String, at now: Timestamp
  ) -> JSONValue {
    [
      "resourceType": "QuestionnaireResponse", "id": .string(id),
      "questionnaire": .string(questionnaire), "status": "completed",
      "subject": ["reference": .string("Patient/\(patient)")],
      "authored": .string(
        FHIRDateTime.instantText(milliseconds: now.milliseconds, offsetMinutes: 0)),
      "item": .array(
        SymptomQuestion.allCases.map { question in
          [
            "linkId": .string(question.rawValue), "text": .string(text(question)),
            "answer": [["valueInteger": .number(JSONNumber(answers[question] ?? 0))]],
          ]
        }),
    ]
  }

  private static func bodies(of patient: PatientID, limit: Int, in reader: any SQLReader) throws
    -> [(week: String, body: JSONValue, created: Timestamp)]
  {
    try reader.query(bodiesStatement, [.text(patient), SQLValue(limit)])
      .decode(as: SymptomWeekRow.self)
      .map { ($0.week, try JSONValue(parsing: Array($0.body.utf8)), $0.created) }
  }

  private static let bodiesStatement = SQLStatement(
    """
    SELECT \(SymptomWeekRow.columns) FROM heart_rate_questionnaires
    WHERE patient = $1 ORDER BY week DESC LIMIT $2
    """)
}

/// A row of `heart_rate_questionnaires` as it is read.
struct SymptomWeekRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case week, body, created }

  static let columns = SQLColumns<Column>()

  let week: String
  let body: String
  let created: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    week = try row.text(.week)
    body = try row.text(.body)
    created = try row.timestamp(.created)
  }
}

/// A row of `heart_rate_questionnaires` as it is written.
struct NewSymptomWeekRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, week, response, body, created }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let week: String
  let response: String
  let body: String
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .week: .text(week)
    case .response: .text(response)
    case .body: .text(body)
    case .created: SQLValue(created)
    }
  }
}
