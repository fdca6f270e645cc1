// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// A questionnaire that a person is asked to answer.
package struct QuestionnaireAssignment: Sendable, Hashable {
  /// The reason for which a questionnaire is asked.
  package enum Origin: Sendable, Hashable {
    /// The person or a guardian chose it.
    case person
    /// A practitioner with access asked for it.
    case practitioner
    /// A study asks, named by its identifier.
    case study(String)

    /// The name in the table.
    package var name: String {
      switch self {
      case .person: "person"
      case .practitioner: "practitioner"
      case .study: "study"
      }
    }

    /// The identifier of the study; nil for the others.
    package var study: String? {
      if case .study(let id) = self { id } else { nil }
    }
  }

  /// The identifier.
  package let id: QuestionnaireAssignmentID
  /// The canonical address of the questionnaire, without a version.
  package let questionnaire: String
  /// The days on which it is asked.
  package let schedule: QuestionnaireSchedule
  /// The reason.
  package let origin: Origin
  /// The account that assigned it.
  package let account: AccountID
  /// The name of the person who assigned it, as shown.
  package let byName: String
  /// True if Today shows it while it can be answered, and a quiet reminder is sent when it opens.
  package let reminds: Bool
  /// The time at which it was assigned.
  package let created: Timestamp
  /// The time at which it was ended; nil while it is in force.
  package let ended: Timestamp?
}

extension QuestionnaireAssignment {
  /// A study with one of its questionnaires.
  struct StudyPart: Hashable {
    let study: String
    let questionnaire: String
  }

  /// The study that asks, with the questionnaire; nil if someone else asks.
  var studyPart: StudyPart? {
    origin.study.map { StudyPart(study: $0, questionnaire: questionnaire) }
  }
}

/// An occasion that can be answered now.
package struct DueQuestionnaire: Sendable, Hashable {
  /// The assignment.
  package let assignment: QuestionnaireAssignment
  /// The occasion.
  package let occasion: QuestionnaireSchedule.Occasion
}

/// An occasion that was answered.
package struct AnsweredQuestionnaire: Sendable, Hashable {
  /// The assignment.
  package let assignment: QuestionnaireAssignmentID
  /// The number of the occasion.
  package let occasion: Int
  /// The id of the QuestionnaireResponse.
  package let response: String
  /// The time at which it was first sent.
  package let answered: Timestamp
}

/// A reason for which a questionnaire was not assigned, answered or found.
package enum QuestionnaireError: String, Error, Sendable, Hashable, CaseIterable {
  /// There is no such questionnaire, assignment or answer.
  case notFound = "not-found"
  /// The questionnaire cannot be answered here.
  case unusable
  /// A person has as many assignments as allowed.
  case tooMany = "too-many"
  /// The dates or numbers of a schedule are outside the limits.
  case schedule
  /// The occasion has closed, or was answered.
  case closed
  /// Answers are missing or not valid.
  case answers
  /// The questions are other ones than those that were shown.
  case changed
  /// The time of the answers is in the future or too long ago.
  case time
  /// The event of the form made other answers, or they were changed or deleted since.
  case eventUsed = "event-used"
}
