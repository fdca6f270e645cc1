// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import People
import Plans
import Storage

/// The answer to a dose after a page has asked an ``IntakeQuestion``.
///
/// The form names the intakes and limits it asked about, and the confirmation counts only for
/// those: if someone else gives a dose in the meantime, the question is asked again.
package enum ConfirmedAnswer {
  /// Records an answer to a dose, confirmed if the form asked about everything in the question.
  ///
  /// - Parameter asked: The keys that the form named, or doses answered in the same request.
  /// - Throws: `confirm` if the form did not ask about all of it.
  package static func answer(
    _ dose: DoseID, patient: PatientID, _ request: AnswerRequest, asked: Set<String>,
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

  /// Records an intake that names no dose, confirmed if the form asked about everything in the
  /// question.
  ///
  /// - Parameter asked: The keys that the form named.
  /// - Throws: `confirm` if the form did not ask about all of it.
  package static func record(
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
    // A dose also identifies its intake, because the intake has no permanent id until the request
    // is complete.
    let named = question.intakes.filter { $0.dose.map { asked.contains($0.text) } ?? false }
    return asked.union(named.map(\.administration.text)).isSuperset(of: question.keys)
  }
}
