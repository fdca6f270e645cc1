// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
import Dosing
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The addresses of stickers, and the pages that make, print and revoke them.
///
/// Opening a sticker's address changes nothing, since phones and browsers open addresses ahead; only
/// its form answers.
package enum StickerRoutes {
  /// The routes of stickers.
  package static let all: [Route] = [
    .open(.get, "/s/:secret", tap),
    .accountForm("/s/:secret/answers", answer),
    .page(.get, Address.stickers, StickersPage.page),
    .form(Address.stickers, StickersPage.make),
    .page(.get, "\(Address.stickers)/labels", StickerLabelsPage.page),
    .accountForm("\(Address.stickers)/phone", markPhone),
    .form("\(Address.stickers)/:sticker/end", StickersPage.end),
  ]

  /// The cookie of a phone that logs at once, with the account that chose it.
  static let phoneCookie = "regimen-stickers"

  /// Returns the path of a sticker.
  static func path(_ secret: Secret) -> String { "/s/\(secret.text)" }

  /// Returns true if the account chose that this phone logs at once.
  static func logsAtOnce(_ call: Call, _ signedIn: SignedIn) -> Bool {
    call.cookie(phoneCookie) == signedIn.account.id.text
  }

  private static func secret(_ call: Call) throws -> Secret {
    Secret(text: try call.parameter("secret"))
  }

  // MARK: A tap

  private static func tap(_ call: Call) async throws -> Response {
    // Strangers learn nothing, not even by the time that a look-up takes.
    guard let signedIn = call.signedIn, call.session != nil else {
      return StickerTapPage.closed(call)
    }
    let secret = try secret(call)
    let environment = call.environment
    guard let reading = try await StickerReading.read(secret, call, signedIn) else {
      try await countGuess(call, signedIn)
      return StickerTapPage.closed(call)
    }
    try await environment.audit(
      reading.authorization, count: reading.known.count + reading.model.due.count, at: call.now)
    let isAtOnce =
      logsAtOnce(call, signedIn) && call.queryValue("done") == nil
      && !reading.model.isDoubtful && !reading.wasUndone && !reading.model.due.isEmpty
    var events: [DoseID: String] = [:]
    for dose in reading.model.due {
      events[dose.id] =
        isAtOnce
        ? StickerEvent.id(reading.sticker, dose, by: signedIn.account.id)
        : environment.newIdentifier()
    }
    let shown = call.visiting(reading.sticker.patient)
    return StickerTapPage(
      reading: reading, secret: secret,
      words: DoseFormatter(localizer: call.localizer, zone: reading.zone, now: call.now),
      events: events, isAtOnce: isAtOnce
    ).response(shown)
  }

  /// Slows down an account that asks for stickers that aren't its own.
  private static func countGuess(_ call: Call, _ signedIn: SignedIn) async throws {
    let key = call.environment.accounts.attemptKey("sticker", signedIn.account.id.text)
    try await call.environment.codeThrottle.admit([.origin(key)], at: call.now)
  }

  private static func answer(_ form: PostedForm) async throws -> Response {
    let secret = try secret(form.call)
    let (signedIn, environment) = (form.signedIn, form.call.environment)
    let found = try await environment.database.read { reader in
      try StickerReading.find(secret, for: signedIn, in: reader)?.sticker
    }
    guard let sticker = found else {
      try await countGuess(form.call, signedIn)
      throw Failure.notFound
    }
    // The sticker determines its person, whoever was chosen on another page in the meantime.
    let call = form.call(openedFor: sticker.patient)
    try ForgeryGuard.check(form.fields, of: call)
    let answer = try StickerAnswer(form.fields, sticker: sticker, secret: secret)
    let by = call.localizer.text(
      "stickers.by",
      ["name": .text(signedIn.account.displayName), "sticker": .text(sticker.name)])
    let context = environment.commandContext(for: signedIn.actor, byName: by, now: call.now)
    do {
      let note = try await environment.database.write { writer in
        try answer.record(context, in: writer)
      }
      return call.redirect(to: note.address(on: path(secret)))
    } catch let error as AnswerError {
      guard case .confirm(let question) = error else { throw error.failure }
      return try await ask(question, answer, call)
    }
  }

  /// Returns the page that asks about a possible double dose before anything is logged.
  private static func ask(
    _ question: IntakeQuestion, _ answer: StickerAnswer, _ call: Call
  ) async throws -> Response {
    let (patient, now) = (answer.sticker.patient, call.now)
    let (zones, ids) = (call.environment.zones, answer.presses.map(\.dose))
    let (zone, doses) = try await call.environment.database.read { reader in
      (
        try PeopleQueries.zone(patient, zones: zones, in: reader),
        try DoseQueries.doses(ids, patient: patient, now: now, in: reader)
      )
    }
    return IntakeQuestionPage(
      medicine: call.localizer.list(doses.map(\.medicineName)), question: question, zone: zone,
      action: "\(path(answer.secret))/answers", pairs: answer.pairs(confirming: question),
      back: path(answer.secret)
    ).response(call)
  }

  // MARK: This phone

  private static func markPhone(_ form: PostedForm) async throws -> Response {
    let (call, isOn) = (form.call, form.text("choice") == "on")
    let cookie =
      isOn
      ? Cookies.setting(
        phoneCookie, to: form.signedIn.account.id.text,
        maximumAgeSeconds: Preferences.lifetimeSeconds, isSecure: call.isSecure)
      : Cookies.removing(phoneCookie, isSecure: call.isSecure)
    return form.redirect(
      to: "\(Address.stickers)?done=\(isOn ? "phone-on" : "phone-off")", cookies: [cookie])
  }
}
