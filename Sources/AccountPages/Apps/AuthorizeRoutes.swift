// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import SiteMap
import Storage
import Web

/// Takes people from an app to the page on which they decide, and back.
enum AuthorizeRoutes {
  static let routes: [Route] = [
    .open(.get, AppEndpoint.authorize) { try await authorize($0, $0.queryFields) },
    Route.open(.post, AppEndpoint.authorize) { call in
      try await authorize(call, try await FormBody.read(call).pairs)
    }.servingPrograms(),
    .page(.get, AppEndpoint.consent, consent),
    .accountForm(AppEndpoint.consent, decide),
  ]

  /// Returns to the app with a refusal.
  private static func back(
    _ failure: OAuthFailure, to target: AuthorizationRequest.Target, _ call: Call
  ) -> Response {
    failure.log(call)
    return call.redirect(to: target.address(failure, issuer: call.baseURL))
  }

  /// Checks a request and leads to the page on which the person decides, after signing in.
  private static func authorize(_ call: Call, _ fields: [FormPair]) async throws -> Response {
    do {
      let target = try await AuthorizationRequest.target(fields, call)
      do {
        let request = try AuthorizationRequest(target, fields, fhirBase: call.fhirBase)
        if request.demand.isSilent { throw silentFailure(of: request, call) }
        var pairs = request.sent
        if !request.demand.isFree {
          let mark = try LoginDemand.mark(
            call.now, challenge: request.challenge, cipher: call.environment.accounts.cipher)
          pairs.append((LoginDemand.markField, mark))
        }
        return call.redirect(to: QueryText.address(AppEndpoint.consent, pairs))
      } catch let failure as OAuthFailure {
        return back(failure, to: target, call)
      }
    } catch let failure as OAuthFailure {
      return AppTroublePage.response(failure, call)
    }
  }

  /// Returns the refusal of a request that no page may answer; people decide each time, so it never succeeds.
  private static func silentFailure(
    of request: AuthorizationRequest, _ call: Call
  ) -> OAuthFailure {
    guard call.session != nil, let session = call.signedIn?.session,
      request.demand.isMet(by: session.proved, asked: call.now)
    else { return OAuthFailure(.loginRequired, "The person must sign in.") }
    if call.environment.settings.requiresSecondFactor, session.mustSetUp(at: call.now) {
      return OAuthFailure(.interactionRequired, "The person must complete the account first.")
    }
    return OAuthFailure(.consentRequired, "The person decides each time.")
  }

  /// Returns true if the person's proof of identity is recent enough for the app.
  private static func isProved(
    _ request: AuthorizationRequest, _ call: Call, _ signedIn: SignedIn
  ) -> Bool {
    guard !request.demand.isFree else { return true }
    guard let asked = request.asked(call), let session = signedIn.session else { return false }
    return request.demand.isMet(by: session.proved, asked: asked)
  }

  /// Returns the step before the decision: noting the time of the request, or a new proof of identity; nil for none.
  private static func step(
    before request: AuthorizationRequest, _ call: Call, _ signedIn: SignedIn
  ) -> Response? {
    guard !isProved(request, call, signedIn) else { return nil }
    guard request.asked(call) != nil else {
      return call.redirect(to: QueryText.address(AppEndpoint.authorize, request.sent))
    }
    let next = QueryText.encode(call.request.uri.string)
    return call.redirect(to: "\(Address.proof)?next=\(next)")
  }

  @Sendable private static func consent(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    do {
      let target = try await AuthorizationRequest.target(call.queryFields, call)
      do {
        let request = try AuthorizationRequest(
          target, call.queryFields, fhirBase: call.fhirBase)
        if let first = step(before: request, call, signedIn) { return first }
        let page = try await ConsentPage(request, call, signedIn)
        return page.response(call)
      } catch let failure as OAuthFailure {
        return back(failure, to: target, call)
      }
    } catch let failure as OAuthFailure {
      return AppTroublePage.response(failure, call)
    }
  }

  @Sendable private static func decide(_ form: PostedForm) async throws -> Response {
    let call = form.call
    do {
      // The names of the decision differ from those of the request.
      let sent = form.fields.pairs
      let target = try await AuthorizationRequest.target(sent, call)
      do {
        let request = try AuthorizationRequest(target, sent, fhirBase: call.fhirBase)
        guard form.text("answer") == "allow" else {
          try await forget(request.launch, request, form)
          throw OAuthFailure(.accessDenied, "The person did not agree.")
        }
        guard isProved(request, call, form.signedIn) else {
          throw OAuthFailure(.loginRequired, "The person must sign in again.")
        }
        var page = try await ConsentPage(request, call, form.signedIn)
        guard let decision = page.decision(form) else { return page.response(call) }
        return try await allow(decision, request, form)
      } catch let failure as OAuthFailure {
        return back(failure, to: target, call)
      }
    } catch let failure as OAuthFailure {
      return AppTroublePage.response(failure, call)
    }
  }

  /// Uses up the launch of a request that the person denied.
  private static func forget(
    _ launch: Secret?, _ request: AuthorizationRequest, _ form: PostedForm
  ) async throws {
    guard let launch else { return }
    let (accounts, app, account) = (
      form.call.environment.accounts, request.app.id, form.signedIn.account.id
    )
    try await form.run { context, writer in
      _ = try accounts.useLaunch(launch, of: app, by: account, at: context.now, in: writer)
    }
  }

  private static func allow(
    _ decision: ConsentPage.Decision, _ request: AuthorizationRequest, _ form: PostedForm
  ) async throws -> Response {
    let call = form.call
    let environment = call.environment
    let code = Secret(prefix: Secret.appCodePrefix, random: environment.random)
    let grant = AppGrant(
      id: environment.newID(), app: request.app.id, account: form.signedIn.account.id,
      patient: decision.patient, scopes: decision.scopes, created: call.now,
      expires: AppLifetimes.end(days: decision.days, at: call.now))
    let facts = AppCodeRequest(
      challenge: request.challenge, redirect: request.target.redirect, nonce: request.nonce,
      proved: form.signedIn.session?.proved ?? call.now, keyThumbprint: request.keyThumbprint)
    let accounts = environment.accounts
    let launch = request.launch
    try await environment.database.write { writer in
      if let launch {
        let patient = try accounts.useLaunch(
          launch, of: grant.app, by: grant.account, at: grant.created, in: writer)
        guard patient != nil, patient == grant.patient else { throw OAuthFailure.launchOver }
      }
      try accounts.grant(grant, code: code, for: facts, in: writer)
    }
    return call.redirect(
      to: request.target.address([("code", code.text)], issuer: call.baseURL))
  }
}

/// Explains that an app's request cannot be answered, without sending anyone to an unknown address.
enum AppTroublePage {
  static func response(_ failure: OAuthFailure, _ call: Call) -> Response {
    failure.log(call)
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("apps.trouble")
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(Notice(.warning, title: localizer.text("apps.trouble-again")))\
      <p class="muted">\(localizer.text("apps.trouble-detail"))</p>\
      <p class="muted" lang="en">\(failure.detail)</p></div>
      """, status: .badRequest)
  }
}
