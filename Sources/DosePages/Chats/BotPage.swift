// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import Presentation
import Reminders
import SiteMap
import Storage
import Web

/// The page that links a chat with the bot: it shows a code to send there.
struct BotPage: Sendable {
  static let path = "/device/chat"

  let bot: ChatBot
  /// The new code, which is shown only this once.
  var code: Secret?

  static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard let chats = call.environment.channels.chats else { throw Failure.notFound }
    return BotPage(bot: chats.bot).response(call)
  }

  static func make(_ form: PostedForm) async throws -> Response {
    let (call, account) = (form.call, form.signedIn.account.id)
    guard let chats = call.environment.channels.chats else { throw Failure.notFound }
    let code = Secret(prefix: Chats.codePrefix, random: call.environment.random)
    try await form.run { context, writer in
      try Chats.expect(code, for: account, at: context.now, in: writer)
    }
    return BotPage(bot: chats.bot, code: code).response(call)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let service: MessageArguments = [
      "service": .text(bot.kind.name), "bot": .text(bot.name),
    ]
    var frame = call.frame()
    frame.title = localizer.text("chats.title", service)
    frame.lead = localizer.text("chats.lead", service)
    frame.place = .me
    frame.back = .init(localizer.text("device.title"), address: Address.devices)
    return call.page(
      frame,
      """
      <div class="narrow stack">\(code.map { shown($0, service, localizer) })\
      <p>\(localizer.text("chats.help", service))</p>\
      \(Form(
        action: Self.path, token: call.accountToken, fields: Markup(),
        buttons: Button(
          localizer.text("chats.make"), kind: code == nil ? .primary : .secondary, icon: .link
        ).markup))</div>
      """)
  }

  private func shown(
    _ code: Secret, _ service: MessageArguments, _ localizer: Localizer
  ) -> Markup {
    let link = bot.link(code.text).map { address -> Markup in
      "<p><a href=\"\(address)\">\(localizer.text("chats.open", service))</a></p>"
    }
    return Notice(
      .success, title: localizer.text("chats.once"),
      """
      \(link)<p>\(localizer.text("chats.send", service))</p>\
      <p class="break-anywhere"><code translate="no">\(code.text)</code></p>
      """
    ).markup
  }
}
