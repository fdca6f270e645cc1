// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import People
import Plans
import Presentation
import Records
import Scheduling
import Storage
import Web

/// One answer for several doses that are due together.
struct SeveralAnswers: Sendable {
  static let maximum = 50

  /// One dose of the form: `dose event` or `dose event version`.
  struct Press: Sendable {
    let dose: DoseID
    let event: String
    let corrects: Int64?

    init(_ text: String) throws {
      let parts = text.split(separator: " ").map(String.init)
      guard parts.count == 2 || parts.count == 3, let dose = DoseID(text: parts[0]) else {
        throw Failure.badRequest("value", "answer must contain a dose and an event.")
      }
      self.dose = dose
      event = parts[1]
      corrects = parts.count == 3 ? Int64(parts[2]) : nil
    }
  }

  let action: AnswerAction
  let presses: [Press]
  /// The minutes to postpone.
  var minutes: Int?
  /// The administrations that the person was asked about and confirmed.
  var asked: Set<String> = []

  /// Records the possible answers; a dose that raises a question or already has another answer
  /// stays unchanged.
  func record(
    records: RecordStore, context: CommandContext, in writer: any SQLWriter
  ) throws -> DoneNote {
    var note = DoneNote(DoneNote.kind(action))
    for press in presses {
      guard
        let patient = try records.patient(
          of: "MedicationRequest", id: press.dose.plan.text, in: writer)
      else { throw Failure.notFound }
      if action == .later,
        try LaterChoices.asksWhy(press.dose, patient: patient, in: writer)
      {
        // Only the page of the dose asks for the reason.
        note.left += 1
        continue
      }
      do throws(AnswerError) {
        _ = try ConfirmedAnswer.answer(
          press.dose, patient: patient,
          AnswerRequest(
            action: action, event: press.event, minutes: minutes, corrects: press.corrects),
          asked: asked, context: context, in: writer)
        note.doses.append(press.dose)
      } catch {
        switch error {
        case .answered, .stale, .cancelled, .confirm, .invalid(.minutesOutOfRange):
          note.left += 1
        default: throw error.failure
        }
      }
    }
    return note
  }
}
