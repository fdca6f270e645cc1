// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Localization
import Reminders
import Web

/// The state of reminders to the account's mailbox, with the button that turns them on or off.
package struct MailboxPart: PagePart {
  let email: String
  let isSilent: Bool
  /// True if this server can send mail.
  let mailIsPossible: Bool
  let localizer: Localizer
  let token: FormToken

  /// The section as HTML; without a button if the server cannot send mail.
  package var markup: Markup {
    Section(localizer.text("channels.mailbox.title"), id: "mail", content).markup
  }

  private var content: Markup {
    guard mailIsPossible else {
      return "<p>\(localizer.text("channels.mailbox.impossible"))</p>"
    }
    let state: MessageKey = isSilent ? "channels.mailbox.off" : "channels.mailbox.on"
    let change: MessageKey = isSilent ? "channels.mailbox.turn-on" : "channels.mailbox.turn-off"
    return """
      <p>\(localizer.text(state, ["email": .text(email)]))</p>\
      \(ButtonRow(FormButton(
        localizer.text(change), action: "/device/mail", token: token,
        fields: [("silent", isSilent ? "no" : "yes")], kind: .secondary).markup))
      """
  }

  /// The address that the button posts to.
  static func change(_ form: PostedForm) async throws -> Response {
    let isSilent = form.text("silent") == "yes"
    let (account, now) = (form.signedIn.account.id, form.call.now)
    try await form.run { _, writer in
      try Mailboxes.silence(isSilent, account, at: now, in: writer)
    }
    return form.redirect(
      to: (isSilent ? DeviceNote.mailOff : DeviceNote.mailOn).address + "#mail")
  }
}
