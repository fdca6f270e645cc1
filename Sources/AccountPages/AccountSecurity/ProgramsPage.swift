// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Localization
import People
import Presentation
import SiteMap
import Storage
import Web

/// The page of the programs that an account has authorized with a token.
enum ProgramsPage {
  /// The address after a token was revoked.
  static let ended = "\(Address.programs)?token=ended"

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let environment = call.environment
    let (accounts, account, now) = (environment.accounts, signedIn.account, call.now)
    let part = try await environment.database.read { reader in
      TokensPart(
        tokens: try accounts.tokens(of: account.id, at: now, in: reader),
        words: DoseFormatter(
          localizer: call.localizer,
          zone: try PeopleQueries.zone(account.patient, zones: environment.zones, in: reader),
          now: now),
        token: call.accountToken)
    }
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("tokens.title")
    frame.lead = localizer.text("tokens.about")
    frame.place = .me
    frame.back = SettingsPage.connections.back(localizer)
    if call.queryValue("token") == "ended" {
      frame.flash = FlashBar(localizer.text("tokens.ended"))
    }
    return call.page(frame, "<div class=\"narrow stack\">\(part)</div>")
  }
}
