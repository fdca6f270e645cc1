// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Reminders
import Storage
import Web

/// The page behind a mail's link to stop reminders by mail.
///
/// Its one button sends the same request as the one-click unsubscribe of RFC 8058, which mail
/// programs send on their own.
package enum SilencePage {
  @Sendable static func page(_ call: Call) async throws -> Response {
    let secret = try ActionLinkRoutes.secret(call)
    let found = try await call.environment.database.read { reader in
      let account = try Mailboxes.account(of: secret, in: reader)
      return try account.map { ($0, try Mailboxes.silenced($0, in: reader) != nil) }
    }
    guard let (_, isSilent) = found else { return ActionLinkPage.dead(call) }
    return isSilent ? done(call) : question(secret, call)
  }

  /// Ignores the body, because mail programs send it in two formats.
  @Sendable static func silence(_ call: Call) async throws -> Response {
    let secret = try ActionLinkRoutes.secret(call)
    let now = call.now
    _ = try await BodyReader.bytes(of: call)
    let isKnown = try await call.environment.database.write { writer in
      guard let account = try Mailboxes.account(of: secret, in: writer) else { return false }
      if try Mailboxes.silenced(account, in: writer) == nil {
        try Mailboxes.silence(true, account, at: now, in: writer)
      }
      return true
    }
    return isKnown ? done(call) : ActionLinkPage.dead(call)
  }

  private static func question(_ secret: Secret, _ call: Call) -> Response {
    let localizer = call.localizer
    var frame = ActionLinkPage.frame(call, localizer)
    frame.title = localizer.text("channels.off.title")
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("channels.off.question"))</p>\
      <form class="form" method="post" action="\(ReminderContent.silencePath(secret))">\
      \(ButtonRow(Button(localizer.text("channels.off.button"), icon: .stop).markup))</form></div>
      """)
  }

  private static func done(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = ActionLinkPage.frame(call, localizer)
    frame.title = localizer.text("channels.off.done-title")
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("channels.off.done"))</p>\
      \(ButtonRow(LinkButton(
        localizer.text("channels.off.again"), address: "/device#mail", icon: .bell).markup))</div>
      """)
  }
}
