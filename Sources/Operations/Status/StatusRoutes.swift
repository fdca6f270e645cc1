// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Knowledge
import People
import Presentation
import Reminders
import Web

/// The status page, which says whether reminders are delivered, for the person and for the
/// operator.
package enum StatusRoutes {
  /// The routes of the page and of its forms for administrators.
  package static let all: [Route] = [
    .page(.get, "/status", status),
    .accountForm("/status/clock", trustClock).after(.administration, from: "/status"),
    .accountForm("/status/country", chooseCountry).after(.administration, from: "/status"),
  ]

  private static func status(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let model = try await StatusModel.read(call, signedIn)
    let done = call.queryValue("done")
    return StatusPage(
      model: model, isClockTrusted: done == "clock", isCountrySaved: done == "country"
    ).response(call)
  }

  /// Saves the country of this server's people; only for administrators.
  private static func chooseCountry(_ form: PostedForm) async throws -> Response {
    guard form.signedIn.actor.isAdministrator else { throw Failure.notFound }
    let chosen = form.text(EmergencyRegionField.name).flatMap(EmergencyRegion.init(rawValue:))
    guard let chosen else { return form.redirect(to: "/status#country") }
    try await form.run { _, writer in try ServerRegion.choose(chosen, in: writer) }
    return form.redirect(to: "/status?done=country")
  }

  /// Records that the clock is right although it was ahead before; only for administrators.
  private static func trustClock(_ form: PostedForm) async throws -> Response {
    guard form.signedIn.actor.isAdministrator else { throw Failure.notFound }
    try await form.run { context, writer in
      try ReminderEngine.trustClock(context.now, by: context.actor.accountID, in: writer)
    }
    form.call.environment.live.reminders.ring()
    return form.redirect(to: "/status?done=clock")
  }
}
