// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// The score of answers for which a study asked.
package struct QuestionnaireStudyScore: Sendable, Hashable {
  /// The canonical address of the questionnaire.
  package let questionnaire: String
  /// The time at which it was first answered.
  package let answered: Timestamp
  /// The name of the score: the code of its Observation.
  package let name: String
  /// The score, as it is after corrections.
  package let value: Double

  /// Returns the scores of a person's answers for a study, given in [from, until), the oldest first.
  ///
  /// Answers to the same questionnaire that the study did not ask for are not among them. The caller decides access.
  package static func all(
    of patient: PatientID, study: StudyID, from: Timestamp, until: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> [QuestionnaireStudyScore] {
    var scores: [QuestionnaireStudyScore] = []
    for row in try reader.query(
      statement, [.text(patient), .text(study), SQLValue(from), SQLValue(until)])
    {
      let columns = row.read(QuestionnaireStudyScoreRow.self)
      let body = try columns.text(.body)
      guard let json = try? JSONValue(parsing: body),
        let number = json["valueQuantity"]?["value"]?.number, let value = Double(number.text)
      else { continue }
      scores.append(
        QuestionnaireStudyScore(
          questionnaire: try columns.text(.questionnaire),
          answered: try columns.timestamp(.answered),
          name: json["code"]?["coding"]?.array?.first?["code"]?.string ?? "", value: value))
    }
    return scores
  }

  private static let statement = SQLStatement(
    """
    SELECT \(QuestionnaireStudyScoreRow.columns) FROM questionnaire_answers a
    JOIN questionnaire_assignments s ON s.patient = a.patient AND s.assignment = a.assignment
    JOIN resources o ON o.type = 'Observation' AND o.patient = a.patient
      AND o.id = 'score-' || a.response
    WHERE a.patient = $1 AND s.study = $2 AND a.answered >= $3 AND a.answered < $4
    ORDER BY a.answered, s.questionnaire
    """)
}

/// An answered occasion with the Observation of its score.
enum QuestionnaireStudyScoreRow: SQLRowType {
  enum Column: Int, SQLColumn { case questionnaire, answered, body }

  static let columns = SQLColumns<Column>(
    of: "a", [.questionnaire: "s.questionnaire", .body: "o.body"])
}
