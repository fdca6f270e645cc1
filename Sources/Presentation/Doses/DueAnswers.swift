// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import People
import Plans
import Storage

/// One answer for doses that wait together, from a button or a spoken sentence that cannot ask anything.
///
/// A question of one dose stops all of it: nothing is recorded, and the app asks.
package struct DueAnswers: Sendable {
  /// The answer.
  package let action: AnswerAction
  /// The doses.
  package let doses: [DoseID]
  /// The minutes by which a dose is put off; nil for other answers.
  package let minutes: Int?

  /// Creates an answer.
  package init(_ action: AnswerAction, to doses: [DoseID], minutes: Int? = nil) {
    self.action = action
    self.doses = doses
    self.minutes = minutes
  }

  /// Records the answer for each dose and returns the number of doses that took it.
  ///
  /// A dose that has another answer by now, or that can't be put off, stays as it is.
  ///
  /// - Throws: `AnswerError.confirm` if a question must be answered first.
  package func record(
    of patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws -> Int {
    let together = Set(doses.map(\.text))
    var recorded = 0
    for dose in doses {
      if action == .later, try LaterChoices.asksWhy(dose, patient: patient, in: writer) {
        continue
      }
      do throws(AnswerError) {
        _ = try ConfirmedAnswer.answer(
          dose, patient: patient, AnswerRequest(action: action, minutes: minutes),
          asked: together, context: context, in: writer)
        recorded += 1
      } catch {
        switch error {
        case .answered, .stale, .cancelled, .invalid(.minutesOutOfRange): continue
        default: throw error
        }
      }
    }
    return recorded
  }
}
