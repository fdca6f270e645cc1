// SPDX-License-Identifier: Apache-2.0

import Adherence
import Storage

/// The double-dose question, asked by a page.
///
/// A page names the intakes that it asked about; the answer counts for these and no others, so that
/// a dose given by somebody else in between is asked about again.
enum DoubleDose {
  static func answer(
    _ dose: DoseID, patient: String, _ request: AnswerRequest, asked: Set<String>,
    context: CommandContext, in writer: any SQLWriter
  ) throws(AnswerError) -> Dose {
    do {
      return try AnswerCommands.answer(
        dose, patient: patient, request, context: context, in: writer)
    } catch .confirm(let intakes) where isAnswered(intakes, by: asked) {
      var confirmed = request
      confirmed.confirm = true
      return try AnswerCommands.answer(
        dose, patient: patient, confirmed, context: context, in: writer)
    } catch .limit(let question) where isAnswered(question, by: asked) {
      var confirmed = request
      confirmed.confirm = true
      return try AnswerCommands.answer(
        dose, patient: patient, confirmed, context: context, in: writer)
    }
  }

  static func record(
    _ request: AdministrationRequest, asked: Set<String>, context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) -> RecordedAdministration {
    do {
      return try IntakeCommands.record(request, context: context, in: writer)
    } catch .confirm(let intakes) where isAnswered(intakes, by: asked) {
      var confirmed = request
      confirmed.confirm = true
      return try IntakeCommands.record(confirmed, context: context, in: writer)
    } catch .limit(let question) where isAnswered(question, by: asked) {
      var confirmed = request
      confirmed.confirm = true
      return try IntakeCommands.record(confirmed, context: context, in: writer)
    }
  }

  private static func isAnswered(_ intakes: [Intake], by asked: Set<String>) -> Bool {
    // A dose names its intake as well: one that is recorded in the same press has no lasting id before it is
    // through.
    intakes.allSatisfy { intake in
      asked.contains(intake.administration)
        || intake.dose.map { asked.contains($0.text) } ?? false
    }
  }

  private static func isAnswered(_ question: LimitQuestion, by asked: Set<String>) -> Bool {
    isAnswered(question.intakes, by: asked)
      && asked.isSuperset(of: question.breaches.map(\.key))
  }
}
