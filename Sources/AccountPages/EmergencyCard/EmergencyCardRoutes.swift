// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTTPTypes
import Hummingbird
import Presentation
import SiteMap
import Storage
import Web

/// The emergency card: shown and printed by the person, opened by a helper with a link and a code.
package enum EmergencyCardRoutes {
  static let openPath = "/emergency-card/open"

  /// The pages of the person, and those of the helper, which are open to all.
  package static let all: [Route] = [
    .page(.get, Address.emergencyCard, page),
    .form(Address.emergencyCard, make).after(.recent, from: Address.emergencyCard),
    .form("\(Address.emergencyCard)/:card/end", end),
    .open(.get, "\(openPath)/:secret", ask),
    .open(.post, "\(openPath)/:secret", open),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await show(call, signedIn, problem: nil)
  }

  private static func show(
    _ call: Call, _ signedIn: SignedIn, problem: EmergencyCardError?
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, EmergencyCards.resource, of: patient)
    let environment = call.environment
    let (actor, now) = (signedIn.actor, call.now)
    let region = try await call.emergencyRegion()
    let page = try await environment.database.read { reader in
      EmergencyCardPage(
        model: try EmergencyCardModel.read(
          patient, as: actor, environment: environment, at: now, in: reader),
        cards: try EmergencyCards.all(
          of: patient, at: now, cipher: environment.accounts.cipher, in: reader),
        openings: try EmergencyCards.openings(of: patient, limit: 50, in: reader),
        problem: problem, region: region)
    }
    try await environment.audit(authorization, count: 1, at: now)
    return page.response(call)
  }

  private static func make(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    _ = try form.authorize(.update, EmergencyCards.resource)
    let environment = form.call.environment
    let secret = Secret(prefix: EmergencyCards.prefix, random: environment.random)
    let code = EmergencyCode(random: environment.random)
    let showsCode = form.isChecked("shows-code")
    let days = form.text("days").flatMap { Int($0) } ?? 30
    guard EmergencyCards.days.contains(days) else {
      throw Failure.unprocessable("value", "days must be one of the form's choices.")
    }
    return try await form.save(thenOpen: "\(Address.emergencyCard)?done=made#cards") {
      context, writer in
      try EmergencyCards.make(
        secret, code, showsCode: showsCode, days: days, of: patient, context,
        cipher: environment.accounts.cipher, in: writer)
    } refused: { (error: EmergencyCardError) in
      try await show(form.call, form.signedIn, problem: error)
    }
  }

  private static func end(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    _ = try form.authorize(.update, EmergencyCards.resource)
    let id = try form.parameter("card")
    return try await form.save(thenOpen: "\(Address.emergencyCard)?done=ended#cards") {
      context, writer in
      try EmergencyCards.end(id, of: patient, context, in: writer)
    } refused: { (_: EmergencyCardError) in
      throw Failure.notFound
    }
  }

  // MARK: A helper

  private static func ask(_ call: Call) async throws -> Response {
    EmergencyCodePage(secret: try call.parameter("secret")).response(call)
  }

  /// Returns the throttling buckets for wrong codes.
  ///
  /// Each combines the card with the network of the request, so that no one who has the link can
  /// lock out a helper elsewhere. If the network is unknown, all helpers share one, and the wait is
  /// only seconds.
  static func guessBuckets(
    _ secret: String, from network: String?, _ accounts: AccountStore
  ) -> [SignInThrottle.Bucket] {
    guard let network else {
      return [.everywhere(accounts.attemptKey("emergency-card", secret))]
    }
    return [
      .target(accounts.attemptKey("emergency-card", "\(network) \(secret)")),
      .origin(accounts.attemptKey("emergency-card-from", network)),
    ]
  }

  /// Opens the card for a helper.
  ///
  /// Unknown links, expired cards and wrong codes get the same answer, and repeated attempts have
  /// to wait.
  private static func open(_ call: Call) async throws -> Response {
    let text = try call.parameter("secret")
    let form = try await FormBody.read(call)
    let environment = call.environment
    let (accounts, now) = (environment.accounts, call.now)
    var page = EmergencyCodePage(secret: text)
    let buckets = guessBuckets(text, from: call.clientNetwork, accounts)
    do {
      try await environment.codeThrottle.admit(buckets, at: now)
    } catch AccountError.tooManyAttempts(let seconds) {
      page.minutes = (seconds + 59) / 60
      return page.response(call)
    }
    let secret = Secret(text: text)
    let code = EmergencyCode(typed: form.text("code") ?? "")
    let opening = environment.newIdentifier()
    let model = try await environment.database.write { writer -> EmergencyCardModel? in
      guard let found = try EmergencyCards.named(by: secret, at: now, in: writer) else {
        return nil
      }
      guard let code,
        try EmergencyCards.opens(
          found.id, of: found.patient, with: code, at: now, cipher: accounts.cipher, in: writer)
      else {
        try EmergencyCards.noteRefusal(of: found.id, patient: found.patient, at: now, in: writer)
        return nil
      }
      // Reads with the rights of the card's creator, limited to this person.
      let actor = Actor(
        accountID: found.account, kind: .token,
        rights: try accounts.rights(of: found.account, at: now, in: writer)
          .filter { $0.key == found.patient }, scope: .own)
      let model = try EmergencyCardModel.read(
        found.patient, as: actor, environment: environment, at: now, in: writer)
      try EmergencyCards.note(
        opening: opening, of: found.id, patient: found.patient, at: now, in: writer)
      return model
    }
    guard let model else {
      page.isRefused = true
      return page.response(call)
    }
    try await environment.codeThrottle.succeeded(buckets)
    return EmergencyOpenedPage(model: model, region: try await call.emergencyRegion())
      .response(call)
  }
}
