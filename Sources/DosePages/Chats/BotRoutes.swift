// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Logging
import Presentation
import Reminders
import Storage
import Web

/// Linking a chat with the bot, and the address to which the bot's server sends messages.
package enum BotRoutes {
  /// The routes of the bot; its server proves itself with a secret.
  package static let all: [Route] = [
    .page(.get, BotPage.path, BotPage.page).after(.recent),
    .accountForm(BotPage.path, BotPage.make).after(.recent, from: BotPage.path),
    .open(.post, Chats.path, as: .api, receive).servingPrograms(),
  ]

  private static func receive(_ call: Call) async throws -> Response {
    let type = call.request.headers[.contentType]?.lowercased() ?? ""
    guard type.hasPrefix("application/json") else {
      throw Failure(.unsupportedMediaType, code: "media-type", detail: "Send JSON.")
    }
    guard let chats = call.environment.channels.chats else { throw Failure.notFound }
    guard chats.bot.knows(secret(of: chats.bot.kind, call)) else {
      throw Failure(.forbidden, code: "forbidden", detail: "The secret is not the bot's.")
    }
    if let update = chats.bot.update(in: try await BodyReader.bytes(of: call)) {
      try await answer(update, chats, call)
    }
    // Whatever else it was, it need not be sent again.
    return TextResponse.make("{}", type: "application/json")
  }

  private static func secret(of kind: ChatBot.Kind, _ call: Call) -> String? {
    switch kind {
    case .telegram:
      HTTPField.Name("X-Telegram-Bot-Api-Secret-Token").flatMap { call.request.headers[$0] }
    case .signal: call.queryValue("secret")
    }
  }

  private static func answer(
    _ update: ChatUpdate, _ chats: ReminderChannels.ChatService, _ call: Call
  ) async throws {
    if update.press == nil, let code = code(in: update.text) {
      if let words = try await link(code, update, chats.bot, call) {
        await send(chats.bot.message(words, to: update.chat), chats, call)
      }
      return
    }
    let parts = update.text.split(separator: ":", maxSplits: 1).map(String.init)
    let isPress = update.press != nil
    guard !isPress || parts.count == 2 else { return }
    let handling = ReplyHandling(
      environment: call.environment, id: update.id, text: isPress ? parts[0] : update.text,
      way: .chat,
      sender: Chats.sender(
        update.chat, of: chats.bot.kind.host, cipher: call.environment.accounts.cipher),
      place: isPress
        ? nil : ReplyHandling.Place(service: chats.bot.kind.host, name: update.chat),
      delivery: isPress ? DeliveryID(parts[1]) : nil, now: call.now)
    let outcome = try await handling.heard()
    if let press = update.press {
      if let request = chats.bot.acknowledge(press.id) { await send(request, chats, call) }
      if let words = outcome.words,
        let request = chats.bot.edit(press.message, in: update.chat, to: words)
      {
        await send(request, chats, call)
      }
    }
  }

  private static func send(
    _ request: ChannelRequest, _ chats: ReminderChannels.ChatService, _ call: Call
  ) async {
    let outcome = await chats.send(request, call.now.milliseconds / 1000)
    if outcome != .accepted {
      call.environment.logger.warning("an answer to a chat could not be sent")
    }
  }

  // MARK: Linking

  /// Returns the code in a message: alone, or after `/start` as a link sends it.
  private static func code(in text: String) -> Secret? {
    let word = text.hasPrefix("/start ") ? String(text.dropFirst(7)) : text
    guard word.hasPrefix(Chats.codePrefix), word.utf8.count < 100 else { return nil }
    return Secret(text: word)
  }

  /// Links the chat and returns what to say; nothing to a chat that guesses too often.
  private static func link(
    _ code: Secret, _ update: ChatUpdate, _ bot: ChatBot, _ call: Call
  ) async throws -> String? {
    let environment = call.environment
    let service = bot.kind.host
    let context = environment.reminderContext(at: call.now)
    let key = environment.accounts.attemptKey("chat", service + update.chat)
    do {
      try await environment.codeThrottle.admit([.target(key)], at: call.now)
    } catch AccountError.tooManyAttempts(_) {
      return nil
    }
    let (linking, language) = try await environment.database.write {
      writer -> (Chats.Linking, Language) in
      let linking = try Chats.link(
        update.chat, of: service, by: code, context, in: writer)
      switch linking {
      case .linked(let account), .full(let account):
        let known = try environment.accounts.account(account, in: writer)
        return (linking, known?.language ?? .en)
      case .unknown: return (linking, Language.en)
      }
    }
    let localizer = Localizer.of(language)
    switch linking {
    case .linked:
      try await environment.codeThrottle.succeeded([.target(key)])
      return localizer.text("chats.linked")
    case .full:
      return localizer.text(
        "channels.ntfy.too-many", ["maximum": .number(ChannelAddresses.largestCount)])
    case .unknown: return localizer.text("chats.expired")
    }
  }
}
