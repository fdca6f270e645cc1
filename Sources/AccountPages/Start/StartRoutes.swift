// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import SiteMap
import Storage
import TimeZones
import Web

/// The first pages of a new account: confirming its language, time zone and text size, and whom it
/// is for.
package enum StartRoutes {
  /// The two pages; nothing depends on them, so they can be left at any time.
  package static let all: [Route] = [
    .page(.get, Address.start, form),
    .accountForm(Address.start, submit),
    .page(.get, Address.startWho) { call, _ in WhoPage.response(call) },
  ]

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    var hasJoined = false
    if let code = call.queryValue("code") {
      switch try await look(code, call, signedIn) {
      // The account existed before the invitation, which is still open.
      case .offer(let offer): return call.redirect(to: "/join/\(offer.invitation.code)")
      case .refused(.standing(.used(let account))): hasJoined = account == signedIn.account.id
      case .refused: break
      }
    }
    let stored = try await stored(call, signedIn)
    var input = StartInput(
      language: call.language, zone: stored.details.zone, textSize: call.frame().textSize)
    if stored.isNew { input.zone = call.browserGuess.zone(home: stored.details.zone) }
    input.hasJoined = hasJoined
    return StartPage(
      input: input, asksZone: stored.isNew, lacksRecoveryCodes: stored.lacksRecoveryCodes
    ).response(call)
  }

  private static func look(
    _ code: String, _ call: Call, _ signedIn: SignedIn
  ) async throws -> InvitationLookUp.Answer {
    let key = call.environment.accounts.attemptKey("code", signedIn.account.id.text)
    return try await InvitationLookUp(call: call, buckets: [.target(key)]).find(code)
  }

  /// The account when the page is opened.
  private struct Stored: Sendable {
    let details: PatientDetails
    let version: Int64
    /// True while the person has no medicines.
    let isNew: Bool
    /// True if losing its passkey would lock the account.
    let lacksRecoveryCodes: Bool
  }

  private static func stored(_ call: Call, _ signedIn: SignedIn) async throws -> Stored {
    let (account, accounts) = (signedIn.account, call.environment.accounts)
    let authorization = try call.authorize(.read, "Patient", of: account.patient)
    let stored = try await call.environment.database.read { reader -> Stored in
      guard let details = try PeopleQueries.details(account.patient, in: reader) else {
        throw Failure.notFound
      }
      let factor = try accounts.secondFactor(of: account.id, in: reader)
      return Stored(
        details: details.details, version: details.version,
        isNew: try PlanQueries.names(patient: account.patient, in: reader).isEmpty,
        lacksRecoveryCodes: factor.passkeys > 0 && factor.recoveryCodes == 0)
    }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return stored
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    let (call, account) = (form.call, form.signedIn.account)
    let environment = call.environment
    let stored = try await stored(call, form.signedIn)
    var input = StartInput(form: form.fields, call: call)
    // With medicines, another zone moves doses, which has a page of its own.
    if !stored.isNew { input.zone = stored.details.zone }
    guard (try? environment.zones.zone(input.zone)) != nil else {
      return StartPage(
        input: input, asksZone: stored.isNew, lacksRecoveryCodes: stored.lacksRecoveryCodes,
        isZoneUnknown: true
      ).response(call)
    }
    var details = stored.details
    details.zone = input.zone
    details.language = input.language
    let (changed, accounts, language) = (details, environment.accounts, input.language)
    _ = try call.authorize(.update, "Patient", of: account.patient)
    do {
      try await form.run { context, writer in
        if changed != stored.details {
          try PeopleCommands.change(
            changed, patient: account.patient, ifVersion: stored.version, context: context,
            in: writer)
        }
        guard language != account.language else { return }
        try accounts.change(
          displayName: account.displayName, language: language, of: account.id,
          at: context.now, in: writer)
      }
    } catch PeopleError.versionConflict {
      // Another window saved it: the page shows the current values.
      return form.redirect(to: Address.start)
    } catch PeopleError.plans(let error) {
      throw error
    } catch is PeopleError {
      throw Failure.unprocessable("value", "The settings could not be saved.")
    }
    environment.sessions.forget()
    let next = input.hasJoined ? PeopleNote.accepted.address : Address.startWho
    return form.redirect(to: next, cookies: input.cookies(isSecure: call.isSecure))
  }
}

/// The form of the first settings.
struct StartInput: Sendable {
  var language: Language
  var zone: String
  var textSize: TextSize
  /// True if the account has just accepted an invitation.
  var hasJoined = false

  init(language: Language, zone: String, textSize: TextSize) {
    self.language = language
    self.zone = zone
    self.textSize = textSize
  }

  init(form: FormBody, call: Call) {
    language = form.text("language").flatMap(Language.init(rawValue:)) ?? call.language
    zone = form.text("zone") ?? ""
    textSize = TextSizeField.size(in: form) ?? call.frame().textSize
    hasJoined = form.text("joined") == "yes"
  }

  /// Returns the cookies with which this device follows the account's language and shows the text size.
  func cookies(isSecure: Bool) -> [String] {
    [
      Cookies.removing(Preferences.languageCookie, isSecure: isSecure),
      TextSizeField.cookie(textSize, isSecure: isSecure),
    ]
  }
}
