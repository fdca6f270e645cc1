// SPDX-License-Identifier: Apache-2.0

import Accounts
import Calendar
import Dosing
import Identifiers
import People
import Plans
import Presentation
import Storage
import Web

/// An answer by a sticker to the doses that its page prepared.
struct StickerAnswer: Sendable {
  let sticker: Sticker
  let secret: Secret
  let action: AnswerAction
  let presses: [SeveralAnswers.Press]
  let minutes: Int?
  /// The keys of the questions that the person has answered.
  let asked: Set<String>
  private let fields: [FormPair]
  /// The field of the questions that were confirmed before the last one.
  private static let confirmed = "confirmed"

  /// Reads the posted form; only the sticker's own medicine may be answered by it.
  init(_ form: FormBody, sticker: Sticker, secret: Secret) throws {
    guard let action = form.text("action").flatMap(AnswerAction.init(rawValue:)),
      [.taken, .skipped, .later].contains(action)
    else {
      throw Failure.badRequest("value", "action must be taken, skipped or later.")
    }
    presses = try form.all("answer").map(SeveralAnswers.Press.init)
    guard (1...SeveralAnswers.maximum).contains(presses.count) else {
      throw Failure.badRequest(
        "value", "answer must be given 1 to \(SeveralAnswers.maximum) times.")
    }
    if let plan = sticker.plan, presses.contains(where: { $0.dose.plan != plan }) {
      throw Failure.notFound
    }
    self.sticker = sticker
    self.secret = secret
    self.action = action
    minutes = form.text("minutes").flatMap { Int($0) }
    asked = Set(form.all("confirm") + form.all(Self.confirmed))
    fields = form.pairs
  }

  /// Records the answer for each dose that still takes it.
  ///
  /// A question stops all of it: nothing is recorded until it is answered.
  func record(_ context: CommandContext, in writer: any SQLWriter) throws -> DoneNote {
    var note = DoneNote(DoneNote.kind(action))
    for press in presses {
      if action == .later,
        try LaterChoices.asksWhy(press.dose, patient: sticker.patient, in: writer)
      {
        // Only the page of the dose asks for the reason.
        note.left += 1
        continue
      }
      do throws(AnswerError) {
        _ = try ConfirmedAnswer.answer(
          press.dose, patient: sticker.patient,
          AnswerRequest(
            action: action, event: press.event, minutes: minutes, corrects: press.corrects),
          asked: asked, context: context, in: writer)
        note.doses.append(press.dose)
      } catch {
        switch error {
        case .answered, .stale, .cancelled, .invalid(.minutesOutOfRange): note.left += 1
        default: throw error
        }
      }
    }
    if !note.doses.isEmpty { try Stickers.use(sticker, at: context.now, in: writer) }
    return note
  }

  /// Returns the fields to send again with the confirmation of a question.
  ///
  /// The questions confirmed so far stay confirmed, since each of several doses may raise one.
  /// Intakes that this request itself would record are named by their doses.
  func pairs(confirming question: IntakeQuestion) -> [FormPair] {
    let doses = question.intakes.compactMap(\.dose?.text)
    return fields.filter { $0.name != Self.confirmed }
      + asked.union(doses).sorted().map { FormPair(name: Self.confirmed, value: $0) }
  }
}
