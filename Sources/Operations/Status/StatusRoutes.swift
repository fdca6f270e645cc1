// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Knowledge
import People
import Presentation
import Reminders
import Storage
import Web

/// `/status`: whether reminders get through, for the person and for whoever runs the server.
package enum StatusRoutes {
  package static let all: [Route] = [
    .page(.get, "/status", status),
    .page(.post, "/status/clock", trustClock).after(.administration, from: "/status"),
    .page(.post, "/status/country", chooseCountry).after(.administration, from: "/status"),
  ]

  private static func status(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let model = try await StatusModel.read(call, signedIn)
    let done = call.queryValue("done")
    return StatusPage(
      model: model, isClockTrusted: done == "clock", isCountrySaved: done == "country"
    ).response(call)
  }

  /// Saves the country of this server's people; only for administrators.
  private static func chooseCountry(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    guard signedIn.actor.isAdministrator else { throw Failure.notFound }
    let chosen = form.text(EmergencyRegionField.name).flatMap(EmergencyRegion.init(rawValue:))
    guard let chosen else { return call.redirect(to: "/status#country") }
    try await call.environment.database.write { writer in
      try ServerRegion.choose(chosen, in: writer)
    }
    return call.redirect(to: "/status?done=country")
  }

  /// An administrator says that the clock is right, although it was ahead before.
  private static func trustClock(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    guard signedIn.actor.isAdministrator else { throw Failure.notFound }
    let now = call.now
    try await call.environment.database.write { writer in
      try ReminderEngine.trustClock(now, by: signedIn.account.id, in: writer)
    }
    call.environment.live.reminders.ring()
    return call.redirect(to: "/status?done=clock")
  }
}
