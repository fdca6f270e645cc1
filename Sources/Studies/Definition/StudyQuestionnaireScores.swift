// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Scheduling
import Storage

/// A score of a questionnaire that a participant filled in.
package struct StudyScore: Sendable, Hashable {
  /// The id of the questionnaire.
  package let questionnaire: String
  /// The time at which it was filled in.
  package let at: Timestamp
  /// The name of the score within the questionnaire.
  package let name: String
  /// The score.
  package let value: Double

  /// Creates a score.
  package init(questionnaire: String, at: Timestamp, name: String, value: Double) {
    self.questionnaire = questionnaire
    self.at = at
    self.name = name
    self.value = value
  }
}

/// The schedule and the scores of the questionnaires of a study, which another module keeps.
package protocol StudyQuestionnaireScores: Sendable {
  /// Asks a person to fill in the questionnaires of a study on their days, counted from a date.
  func assign(
    _ questionnaires: [StudyQuestionnaire], of study: StudyID, to patient: PatientID,
    from date: CivilDate, _ context: CommandContext, in writer: any SQLWriter) throws

  /// Stops asking a person.
  func end(
    _ study: StudyID, for patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter) throws

  /// Returns the scores of the given questionnaires in [from, until), the oldest first.
  func scores(
    _ questionnaires: [String], of patient: PatientID, from: Timestamp, until: Timestamp,
    in reader: any SQLReader
  ) throws -> [StudyScore]
}

/// The connection to the module that keeps questionnaires.
package enum StudyQuestionnaires {
  /// The questionnaires of this program; nil if it has none that a study can schedule.
  ///
  /// Without them, a study file with questionnaires cannot be loaded.
  package static let connected: (any StudyQuestionnaireScores)? = nil
}
