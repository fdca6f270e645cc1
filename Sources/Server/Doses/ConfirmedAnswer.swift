// SPDX-License-Identifier: Apache-2.0

import Adherence
import Storage

/// An answer of a page to ``IntakeQuestion``.
///
/// A page names what it asked about; the answer counts for that and nothing else, so that a dose given by somebody
/// else in between is asked about again.
enum ConfirmedAnswer {
  static func answer(
    _ dose: DoseID, patient: String, _ request: AnswerRequest, asked: Set<String>,
    context: CommandContext, in writer: any SQLWriter
  ) throws(AnswerError) -> Dose {
    do {
      return try AnswerCommands.answer(
        dose, patient: patient, request, context: context, in: writer)
    } catch .confirm(let question) where isAnswered(question, by: asked) {
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
    } catch .confirm(let question) where isAnswered(question, by: asked) {
      var confirmed = request
      confirmed.confirm = true
      return try IntakeCommands.record(confirmed, context: context, in: writer)
    }
  }

  private static func isAnswered(_ question: IntakeQuestion, by asked: Set<String>) -> Bool {
    // A dose names its intake as well: one that is recorded in the same press has no lasting id before it is
    // through.
    let named = question.intakes.filter { $0.dose.map { asked.contains($0.text) } ?? false }
    return asked.union(named.map(\.administration)).isSuperset(of: question.keys)
  }
}
