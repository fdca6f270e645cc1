// SPDX-License-Identifier: Apache-2.0

import Accounts
import Hummingbird
import Identifiers
import Localization
import People
import SiteMap
import Storage
import Web

/// The first visit: creates the first account, with the code that the server printed when it
/// started.
package enum WelcomeRoutes {
  /// The page and its form, open to all until there is an account.
  package static let all: [Route] = [
    .open(.get, "/welcome", form),
    .open(.post, "/welcome", submit),
  ]

  private static func form(_ call: Call) async throws -> Response {
    guard try await SignInRoutes.isUnused(call) else { return call.redirect(to: "/sign-in") }
    return WelcomePage(input: WelcomeInput(call: call)).response(call)
  }

  private static func submit(_ call: Call) async throws -> Response {
    let form = try await FormBody.read(call)
    guard try await SignInRoutes.isUnused(call), let code = call.environment.setupCode else {
      return call.redirect(to: "/sign-in")
    }
    let input = WelcomeInput(form: form, call: call)
    var errors = input.errors(zones: call.environment.zones)
    if !code.matches(input.code) { errors.insert(.code, at: 0) }
    guard errors.isEmpty else {
      return WelcomePage(input: input, errors: errors).response(call)
    }
    do {
      let environment = call.environment
      let hash = try await environment.signIn.hash(
        newPassword: input.password, rules: PasswordRules(), context: [input.email, input.name])
      let account = try await Registration(environment: environment).create(
        email: input.email, displayName: input.name, passwordHash: hash, isAdministrator: true,
        language: input.language, zone: input.zone, onlyWhenEmpty: true, by: .setup)
      if let region = input.region {
        try await environment.database.write { writer in
          try ServerRegion.choose(region, in: writer)
        }
      }
      code.use()
      let session = try await environment.signIn.openSession(
        for: account, as: SessionStart(proof: .setup, device: call.deviceName), at: call.now)
      return call.redirect(
        to: Address.startWho,
        cookies: [
          SignInRoutes.sessionCookie(session, call),
          TextSizeField.cookie(input.textSize, isSecure: call.isSecure),
        ])
    } catch AccountError.emailTaken {
      return call.redirect(to: "/sign-in")
    } catch let error as AccountError {
      return WelcomePage(input: input, errors: [.account(error)]).response(call)
    }
  }
}
