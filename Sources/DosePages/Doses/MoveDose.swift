// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Hummingbird
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// Moves one upcoming dose, or this dose and all that follow at its time of day.
package enum MoveDose {
  /// The input of a move that failed.
  struct Refusal: Sendable {
    let date: String
    let time: String
    let isFollowing: Bool
    let message: String
  }

  @Sendable static func post(_ form: PostedForm) async throws -> Response {
    guard let id = DoseID(text: try form.parameter("dose")) else { throw Failure.notFound }
    let before = try await DoseSurroundings.read(id, form.call)
    let call = form.call(openedFor: before.dose.patient)
    try ForgeryGuard.check(form.fields, of: call)
    let isFollowing = form.text("scope") == "following"
    func refused(_ message: String) -> Response {
      var page = DosePage(before, returnPath: nil)
      page.moveRefusal = Refusal(
        date: form.raw("move-date") ?? "", time: form.raw("move-time") ?? "",
        isFollowing: isFollowing, message: message)
      return page.response(call)
    }
    let localizer = call.localizer
    let typed: Timestamp?
    do {
      typed = try LocalMoment.read(
        date: form.text("move-date"), time: form.text("move-time"), zone: before.zone,
        now: call.now)
    } catch {
      return refused(localizer.text("rescheduling.moves.unreadable"))
    }
    guard let due = typed else { return refused(localizer.text("rescheduling.moves.unreadable")) }
    let patient = before.dose.patient
    do {
      try await form.run { context, writer in
        if isFollowing {
          try DoseMover.following(id, patient: patient, to: due, context: context, in: writer)
        } else {
          try DoseMover.once(id, patient: patient, to: due, context: context, in: writer)
        }
      }
      return call.redirect(to: "/doses/\(id.text)?moved=yes")
    } catch PlanError.notMovable {
      return refused(localizer.text("rescheduling.moves.not-movable"))
    } catch PlanError.moveOutOfRange(let earliest, let latest) {
      let words = DoseFormatter(localizer: localizer, zone: before.zone, now: call.now)
      return refused(MoveDosePart.range(earliest, latest, words))
    } catch PlanError.invalid(let issues) {
      return refused(
        issues.first?.text(localizer) ?? localizer.text("rescheduling.moves.not-movable"))
    }
  }
}

/// The form that moves a dose.
struct MoveDosePart: PagePart {
  let dose: Dose
  let room: DoseMover.Room
  let zone: Zone
  let words: DoseFormatter
  let refusal: MoveDose.Refusal?
  let token: FormToken

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    let local = zone.local(at: Instant(milliseconds: dose.due.milliseconds))
    let scopes =
      [FieldChoice("once", localizer.text("rescheduling.moves.once"))]
      + (room.mayFollow
        ? [FieldChoice("following", localizer.text("rescheduling.moves.following"))] : [])
    return Disclosure(
      localizer.text("rescheduling.moves.title"), object: dose.medicineName, isOpen: refusal != nil,
      """
      <p class="hint">\(Self.range(room.earliest, room.latest, words))</p>\
      \(Form(
        action: "/doses/\(dose.id.text)/move", token: token,
        fields: """
          <div class="field-row">\
          \(FormField(
            "move-date", label: localizer.text("rescheduling.moves.date"), kind: .date(),
            value: refusal?.date ?? local.date.text, localizer: localizer))\
          \(FormField(
            "move-time", label: localizer.text("rescheduling.moves.time"), kind: .time,
            value: refusal?.time ?? String(local.time.text.prefix(5)), error: refusal?.message,
            localizer: localizer))</div>\
          \(FormField(
            "scope", label: localizer.text("rescheduling.moves.scope"), kind: .radios(scopes),
            value: refusal?.isFollowing == true ? "following" : "once", localizer: localizer))
          """,
        buttons: """
          \(Button(
            localizer.text("rescheduling.moves.move"), icon: .clock, object: dose.medicineName,
            person: token.personName))
          """))
      """
    ).markup
  }

  /// Returns the interval within which it may move.
  static func range(_ earliest: Timestamp, _ latest: Timestamp?, _ words: DoseFormatter) -> String {
    guard let latest else {
      return words.localizer.text(
        "rescheduling.moves.from", ["from": .text(words.moment(earliest))])
    }
    return words.localizer.text(
      "rescheduling.moves.range",
      ["from": .text(words.moment(earliest)), "until": .text(words.moment(latest))])
  }
}
