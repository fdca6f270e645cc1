// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Storage

/// The queries of `follow_ups` and `follow_up_choices`.
enum FollowUpRows {
  /// Returns a question; nil if there is none.
  static func one(
    _ administration: AdministrationID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> FollowUp? {
    try reader.first(oneStatement, [.text(patient), .text(administration)])?
      .decode(as: FollowUp.self)
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(FollowUp.columns) FROM follow_ups f
    WHERE f.patient = $1 AND f.administration = $2
    """)

  /// Returns the questions that wait for an answer, with the names of their medicines, the oldest dose first.
  static func open(
    patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [OpenFollowUp] {
    var found: [OpenFollowUp] = []
    for row in try reader.query(openStatement, [.text(patient), SQLValue(now)]) {
      let name = try row.read(FollowUpNameRow.self, after: FollowUp.self).text(.medicineName)
      found.append(OpenFollowUp(question: try row.decode(as: FollowUp.self), medicineName: name))
    }
    return found
  }

  private static let openStatement = SQLStatement(
    """
    SELECT \(FollowUp.columns), \(FollowUpNameRow.columns) FROM follow_ups f
    JOIN plans p ON p.patient = f.patient AND p.plan = f.plan
    WHERE f.patient = $1 AND f.observation IS NULL AND f.due <= $2 AND f.ends > $2
    ORDER BY f.taken, f.administration
    """)

  /// Returns the facts about a plan by which a dose of it is followed up; nil if there is no such plan.
  static func plan(
    _ plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> FollowUpPlan? {
    try reader.first(planStatement, [.text(patient), .text(plan)])?.decode(as: FollowUpPlan.self)
  }

  private static let planStatement = SQLStatement(
    """
    SELECT \(FollowUpPlan.columns) FROM plans p
    LEFT JOIN plan_limits l ON l.patient = p.patient AND l.plan = p.plan
    LEFT JOIN follow_up_choices c ON c.patient = p.patient AND c.plan = p.plan
    WHERE p.patient = $1 AND p.plan = $2
    """)

  /// Returns the choices of a patient, by plan.
  static func choices(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: FollowUpChoice] {
    var choices: [PlanID: FollowUpChoice] = [:]
    for row in try reader.query(choicesStatement, [.text(patient)]) {
      let row = row.read(FollowUpChoiceRow.self)
      let plan: PlanID = try row.id(.plan)
      choices[plan] = FollowUpChoice(
        isAsked: try row.bool(.isAsked),
        minutes: try row.optionalInteger(.minutes).map { Int(clamping: $0) },
        isForHeadache: try row.bool(.isForHeadache))
    }
    return choices
  }

  private static let choicesStatement = SQLStatement(
    "SELECT \(FollowUpChoiceRow.columns) FROM follow_up_choices c WHERE c.patient = $1")

  /// The answers that are read to find the last ones of each medicine.
  private static let mostAnswers = 100

  /// Returns the last answers about all medicines, the latest dose first.
  static func answers(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [(plan: PlanID, ingredients: String, answer: FollowUpAnswer)] {
    var found: [(plan: PlanID, ingredients: String, answer: FollowUpAnswer)] = []
    for row in try reader.query(answersStatement, [.text(patient), SQLValue(mostAnswers)]) {
      let row = row.read(AnsweredFollowUpRow.self)
      let body = try row.text(.body)
      guard let json = try? JSONValue(parsing: Array(body.utf8)),
        let answer = FollowUpObservation.answer(in: json)
      else { continue }
      let plan: PlanID = try row.id(.plan)
      let ingredients = try row.text(.ingredients)
      found.append((plan: plan, ingredients: ingredients, answer: answer))
    }
    return found
  }

  private static let answersStatement = SQLStatement(
    """
    SELECT \(AnsweredFollowUpRow.columns) FROM follow_ups f
    JOIN plans p ON p.patient = f.patient AND p.plan = f.plan
    JOIN resources r ON r.type = 'Observation' AND r.patient = f.patient AND r.id = f.observation
    WHERE f.patient = $1 AND f.observation IS NOT NULL
    ORDER BY f.taken DESC, f.administration LIMIT $2
    """)

  /// Returns the times of all intakes since an instant, with the ingredients of their medicines.
  static func intakes(
    patient: PatientID, since instant: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [CountedIntake] {
    try reader.query(intakesStatement, [.text(patient), SQLValue(instant)]).decode()
  }

  private static let intakesStatement = SQLStatement(
    """
    SELECT \(CountedIntake.columns) FROM intakes i
    WHERE i.patient = $1 AND i.taken >= $2 ORDER BY i.taken
    """)
}

/// A question that waits for an answer, with the name of its medicine.
package struct OpenFollowUp: Sendable, Hashable {
  /// The question.
  package let question: FollowUp
  /// The name of the medicine as shown to people.
  package let medicineName: String
}

extension FollowUp: SQLReadableRow {
  /// The columns of a question.
  package enum Column: Int, SQLColumn {
    case administration, plan, taken, minutes, due, ends, asked, observation
  }

  /// The columns under the alias `f`.
  package static let columns = SQLColumns<Column>(of: "f")

  /// Reads a row.
  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    self.init(
      administration: try row.id(.administration), plan: try row.id(.plan),
      taken: try row.timestamp(.taken), minutes: Int(clamping: try row.integer(.minutes)),
      due: try row.timestamp(.due), ends: try row.timestamp(.ends),
      asked: try row.integer(.asked), observation: try row.optionalText(.observation))
  }
}

/// The facts about a plan by which a dose of it is followed up.
struct FollowUpPlan: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case status, unplannedReason, minimumGap, limits, isAsked, minutes
  }

  static let columns = SQLColumns<Column>(
    of: "p", [.limits: "l.limits", .isAsked: "c.is_asked", .minutes: "c.minutes"])

  /// True if the medicine is taken as needed, and the person has not turned the question off.
  let isAsked: Bool
  let timing: FollowUpTiming

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    let reason = try row.optionalText(.unplannedReason).flatMap { UnplannedReason(code: $0) }
    let isOn = try row.optionalBool(.isAsked) ?? true
    isAsked = try row.text(.status) == "active" && reason == .asNeeded && isOn
    let limits = try row.optionalText(.limits).flatMap { PlanLimits(text: $0) }
    let gap = try row.optionalInteger(.minimumGap)
    timing = FollowUpTiming(
      chosen: try row.optionalInteger(.minutes).map { Int(clamping: $0) },
      gap: limits?.gap ?? gap)
  }
}

/// The name of the medicine of a question.
enum FollowUpNameRow: SQLRowType {
  enum Column: Int, SQLColumn { case medicineName }

  static let columns = SQLColumns<Column>(
    of: "p", [.medicineName: "COALESCE(p.shown_name, p.medicine_name)"])
}

/// A choice with its plan.
enum FollowUpChoiceRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, isAsked, minutes, isForHeadache
  }

  static let columns = SQLColumns<Column>(of: "c")
}

/// An answer with the medicine that it is about.
enum AnsweredFollowUpRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, ingredients, body
  }

  static let columns = SQLColumns<Column>(
    of: "f", [.ingredients: "p.ingredients", .body: "r.body"])
}

/// An intake with its medicine.
struct CountedIntake: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case plan, medicineName, ingredients, taken
  }

  static let columns = SQLColumns<Column>(of: "i")

  let plan: PlanID?
  let name: String
  let ingredients: String
  let taken: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    plan = try row.optionalID(.plan)
    name = try row.text(.medicineName)
    ingredients = try row.text(.ingredients)
    taken = try row.timestamp(.taken)
  }
}
