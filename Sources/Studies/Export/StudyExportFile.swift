// SPDX-License-Identifier: Apache-2.0

/// A file of an export.
package enum StudyExportFile: String, Sendable, Hashable, CaseIterable {
  case participants = "participants.csv"
  case doses = "doses.csv"
  case answers = "answers.csv"
  case ringToAnswer = "ring-to-answer.csv"
  case heartRateQuestions = "heart-rate-questions.csv"
  case questionnaireScores = "questionnaire-scores.csv"
  case outcomes = "outcomes.csv"
  case summary = "summary.csv"
  case dictionary = "dictionary.csv"
  case patients = "Patient.ndjson"
  case administrations = "MedicationAdministration.ndjson"

  /// A column with its meaning.
  typealias Column = (name: String, meaning: String)

  /// The data that a study must share for the file; nil for a file of every study.
  var share: StudyShare? {
    switch self {
    case .participants, .outcomes, .summary, .dictionary: nil
    case .doses: .doses
    case .answers: .answers
    case .ringToAnswer: .reminders
    case .heartRateQuestions: .heartRateQuestions
    case .questionnaireScores: .questionnaires
    case .patients, .administrations: .fhir
    }
  }

  /// The media type.
  package var mediaType: String {
    switch self {
    case .patients, .administrations: "application/fhir+ndjson"
    default: "text/csv; charset=utf-8; header=present"
    }
  }

  /// Returns the files of a study's export, in their order.
  package static func all(of study: StudyDefinition) -> [StudyExportFile] {
    allCases.filter { file in file.share.map { study.shares.contains($0) } ?? true }
  }

  /// Returns the columns with their meaning; none for FHIR.
  func columns(of study: StudyDefinition) -> [Column] {
    let pseudonym: Column = (
      "participant", "random pseudonym, the same in every export of the study"
    )
    let medicine: Column = ("medicine", "number of the medicine among those of the participant")
    let day: Column = ("day", "day on the participant's clock; 0 is the day of joining")
    let minute: Column = ("minute", "minute of that day, 0 to 1439")
    switch self {
    case .participants:
      return [
        pseudonym, ("arm", "id of the arm; empty until the study is closed"),
        ("version", "version of the study to which the participant consented"),
        ("days", "full days of data"), ("withdrew", "1 if the participant withdrew, else 0"),
      ]
    case .doses:
      return [
        pseudonym, medicine, day, minute, ("state", "taken, skipped, refused or missed"),
        ("lateness", "minutes from its time to when it was taken, negative before; empty if not"),
      ]
    case .answers:
      return [
        pseudonym, ("medicine", "as in doses.csv; 0 for an entry without a planned medicine"),
        ("action", "taken, skipped, refused, later or undo"), day, minute,
        ("delay", "minutes from that moment to when it was recorded"),
      ]
    case .ringToAnswer:
      return [
        pseudonym, medicine, day, minute,
        ("minutes", "from the first delivery of the reminder to the answer"),
      ]
    case .heartRateQuestions:
      return [
        pseudonym, day,
        ("answer", "yes (the medicine was taken), no, unwell, closed; empty without an answer"),
      ]
    case .questionnaireScores:
      return [
        pseudonym, day, ("questionnaire", "id of the questionnaire"),
        ("score", "name of the score"), ("value", "the score"),
      ]
    case .outcomes:
      return [pseudonym, ("arm", "id of the arm; empty until the study is closed")]
        + study.outcomes.map { outcome -> Column in (outcome.id, outcome.meaning) }
    case .summary:
      return [
        ("arm", "id of the arm; all for everyone"), ("figure", "what is counted or averaged"),
        ("value", "the figure; <5 and suppressed mark cells with fewer than five participants"),
      ]
    case .dictionary:
      return [
        ("file", "name of the file"), ("column", "name of the column"),
        ("meaning", "its meaning, with unit"),
      ]
    case .patients, .administrations: return []
    }
  }
}

extension StudyOutcome {
  /// The meaning of the figure, for the data dictionary.
  var meaning: String {
    switch measure {
    case .daysCovered: "share of days with scheduled doses on which all were taken, 0 to 1"
    case .timing: "share of scheduled doses taken within \(minutes) minutes of their time, 0 to 1"
    case .ringToAnswer: "median minutes from the first delivery of a reminder to the answer"
    case .falseQuestionDays: "days with a needless question about the heart rate per 30 days"
    }
  }
}
