// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import People
import SiteMap
import Storage
import Web

/// The pages with which a person erases all data about them.
package enum ErasureRoutes {
  static let all: [Route] = [
    .page(.get, PrivacyRoutes.erasePath, form).after(.recent),
    .form(PrivacyRoutes.erasePath, submit).after(.recent, from: PrivacyRoutes.erasePath),
    .open(.get, erasedPath) { ErasedPage().response($0) },
  ]

  private static let erasedPath = "/erased"

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let allowed = try call.authorize(
      .delete, ErasureCommands.resource, of: call.patient(of: signedIn))
    return try await page(allowed, call, signedIn).response(call)
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let allowed = try form.authorize(.delete, ErasureCommands.resource)
    var page = try await page(allowed, call, signedIn)
    guard page.obstacle == nil else { return page.response(call) }
    guard form.text("name").map(Self.folded) == Self.folded(page.name) else {
      page.isMistaken = true
      return page.response(call)
    }
    do {
      _ = try await ErasureCommands(
        patient: allowed.patient, actor: allowed.actor.accountID, purpose: allowed.purpose,
        environment: call.environment
      ).perform()
    } catch let obstacle as ErasureObstacle {
      page.obstacle = obstacle
      return page.response(call)
    }
    let isSecure = call.isSecure
    guard allowed.patient == signedIn.account.patient else {
      return call.redirect(
        to: Address.people, cookies: [Cookies.removing(PersonChoice.cookie, isSecure: isSecure)])
    }
    var response = call.redirect(
      to: erasedPath,
      cookies: [
        Cookies.removing(Authentication.cookieName(isSecure: isSecure), isSecure: isSecure),
        Cookies.setting(
          ErasedPage.cookie, to: signedIn.account.id.text, maximumAgeSeconds: 300,
          isSecure: isSecure),
      ])
    // Other people's queued entries on this device stay.
    response.headers[.clearSiteData] = "\"cache\""
    return response
  }

  private static func page(
    _ allowed: Authorization, _ call: Call, _ signedIn: SignedIn
  ) async throws -> ErasurePage {
    let (accounts, now, account) = (call.environment.accounts, call.now, signedIn.account)
    return try await call.environment.database.read { reader in
      guard let name = try PeopleQueries.name(allowed.patient, in: reader) else {
        throw Failure.notFound
      }
      // One parent cannot erase a child who has two.
      let isShared =
        try allowed.patient != account.patient
        && !accounts.patientsWithOnly(account.id, besides: account.patient, at: now, in: reader)
          .contains(allowed.patient)
      return ErasurePage(
        name: name,
        obstacle: isShared
          ? .otherGuardian
          : try ErasureCommands.obstacle(
            allowed.patient, accounts: accounts, at: now, in: reader))
    }
  }

  /// Returns the name without regard to case and double spaces: it only shows intent.
  private static func folded(_ text: String) -> String {
    text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
