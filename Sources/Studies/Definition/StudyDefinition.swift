// SPDX-License-Identifier: Apache-2.0

import Diary
import Identifiers
import Localization
import Reminders

/// A study as its file defines it.
package struct StudyDefinition: Sendable, Hashable {
  /// The id of the study.
  package let id: StudyID
  /// The version of the file; each change needs a higher one.
  package let version: Int
  /// The languages in which the study has all its texts.
  package let languages: [Language]
  /// The title.
  package let title: StudyText
  /// The purpose of the study, in a few sentences.
  package let about: StudyText
  /// The address to which participants write.
  package let contact: String
  /// The days for which each person takes part.
  package let days: Int
  /// The consent.
  package let consent: StudyConsent
  /// The conditions for taking part.
  package let eligibility: StudyEligibility
  /// The arms, in the order of the file.
  package let arms: [StudyArm]
  /// The sizes of the blocks of the allocation.
  package let blocks: [Int]
  /// The questionnaires that participants fill in.
  package let questionnaires: [StudyQuestionnaire]
  /// The outcomes that the export computes.
  package let outcomes: [StudyOutcome]
  /// The data that leaves the server, under pseudonyms.
  package let shares: Set<StudyShare>

  /// Returns an arm by its id.
  package func arm(_ id: String) -> StudyArm? { arms.first { $0.id == id } }
}

/// The consent to a study: the text, the questions that show that it was understood, and how to withdraw.
package struct StudyConsent: Sendable, Hashable {
  /// A question about the text, with its right answer.
  package struct Question: Sendable, Hashable {
    /// A possible answer.
    package struct Choice: Sendable, Hashable {
      /// The id of the answer.
      package let id: String
      /// The words of the answer.
      package let text: StudyText
    }

    /// The id of the question.
    package let id: String
    /// The words of the question.
    package let text: StudyText
    /// The possible answers.
    package let choices: [Choice]
    /// The id of the right answer.
    package let right: String
  }

  /// The text that is read before signing.
  package let text: StudyText
  /// The explanation of what relatives are told; nil if no arm tells them anything.
  package let family: StudyText?
  /// The questions, of which each must be answered correctly.
  package let questions: [Question]
  /// The explanation of how to withdraw and what happens then.
  package let withdrawal: StudyText

  /// Returns everything that is read before signing.
  package func paragraphs(in language: Language) -> [String] {
    [text, family, withdrawal].compactMap(\.self).flatMap { $0.paragraphs(in: language) }
  }

  /// Returns the ids of the questions that were not answered correctly, in their order.
  package func mistakes(in answers: [String: String]) -> [String] {
    questions.filter { answers[$0.id] != $0.right }.map(\.id)
  }
}

/// The conditions for taking part in a study.
package struct StudyEligibility: Sendable, Hashable {
  /// A question that the person answers with yes or no.
  package struct Question: Sendable, Hashable {
    /// The id of the question.
    package let id: String
    /// The words of the question.
    package let text: StudyText
    /// The answer with which the person may take part.
    package let answer: Bool
  }

  /// The ages in years; only adults can consent.
  package let ages: ClosedRange<Int>
  /// True if at least one medicine must be active.
  package let needsMedicine: Bool
  /// The further questions.
  package let questions: [Question]
}

/// One of the groups of a study, with the settings that it adds.
package struct StudyArm: Sendable, Hashable {
  /// The id of the arm.
  package let id: String
  /// The share of participants in relation to the weights of the other arms.
  package let weight: Int
  /// The title that participants see.
  package let title: StudyText
  /// The settings that the arm adds to those of the person.
  package let changes: StudyArmChanges
}

/// The settings that an arm adds; each makes reminders more insistent, and none can take anything away.
package struct StudyArmChanges: Sendable, Hashable {
  /// A message on another channel than push.
  package struct ChannelStep: Sendable, Hashable {
    /// The channel: mail, ntfy or text messages.
    package let channel: ReminderChannel
    /// The minutes after which the message follows.
    package let minutes: Int
  }

  /// The channels that an arm can use; each goes only to people who have set it up.
  package static let possibleChannels: [ReminderChannel] = [.mail, .ntfy, .sms]

  /// The minutes after which further push notifications follow.
  package var moreReminders: [Int] = []
  /// The messages on other channels.
  package var channels: [ChannelStep] = []
  /// The minutes after which relatives who agreed to be told are told once more; nil for not at all.
  package var family: Int?
  /// The minutes by which doses are announced, for medicines without an announcement.
  package var earlyNotice: Int?
  /// True if questions about the heart rate are switched on.
  package var asksHeartRate = false

  /// Creates the changes of an arm that changes nothing.
  package init() {}

  /// True if the arm changes nothing.
  package var isEmpty: Bool { self == StudyArmChanges() }

  /// True if the arm adds steps to the reminders of doses.
  package var addsSteps: Bool {
    !moreReminders.isEmpty || !channels.isEmpty || family != nil
  }
}

/// A questionnaire of a study, and the days on which it is filled in.
package struct StudyQuestionnaire: Sendable, Hashable {
  /// The questionnaire, one of those that come with the program.
  package let instrument: QuestionnaireInstruments.Name
  /// The days after joining, in order.
  package let days: [Int]
}

/// A figure that is computed for each participant.
package struct StudyOutcome: Sendable, Hashable {
  /// The way in which a figure is computed.
  package enum Measure: String, Sendable, Hashable, CaseIterable {
    /// The share of days with scheduled doses on which all of them were taken.
    case daysCovered = "days-covered"
    /// The share of scheduled doses that were taken within some minutes of their time.
    case timing
    /// The median of the minutes from the first delivery of a reminder to the answer.
    case ringToAnswer = "ring-to-answer"
    /// The days on which a question about the heart rate was answered with "I took it", for each thirty days.
    case falseQuestionDays = "false-question-days"
  }

  /// The id of the outcome, which is its column.
  package let id: String
  /// The way in which it is computed.
  package let measure: Measure
  /// The minutes of ``Measure/timing``; 0 for others.
  package let minutes: Int
}

/// A kind of data that a study exports.
package enum StudyShare: String, Sendable, Hashable, CaseIterable {
  /// Each scheduled dose with its state.
  case doses
  /// Each answer as it was given.
  case answers
  /// When reminders were delivered, and how long answers took.
  case reminders
  /// Questions about the heart rate and their answers.
  case heartRateQuestions = "heart-rate-questions"
  /// The scores of the study's questionnaires.
  case questionnaires
  /// Doses as FHIR resources, too.
  case fhir
}
