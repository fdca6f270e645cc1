// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import Identifiers
import Logging
import Outbound
import Presentation
import Reminders
import Storage
import Web

/// Sends the texts that are said back to numbers and chats.
struct ReplyTextDispatch: Sendable {
  let environment: ServerEnvironment

  /// Returns the texts to send now; none while the database can't be written.
  func claim() async -> [ReplyText] {
    let now = environment.now()
    let cipher = environment.accounts.cipher
    do {
      let isWaiting = try await environment.database.read { reader in
        try ReplyTexts.isWaiting(at: now, in: reader)
      }
      guard isWaiting, !environment.disk.isShort else { return [] }
      return try await environment.database.write { writer in
        try ReplyTexts.claim(cipher: cipher, at: now, in: writer)
      }
    } catch {
      environment.logger.warning("texts that answer replies could not be read")
      return []
    }
  }

  /// Sends a text, which stays in the queue if it may work later.
  func send(_ text: ReplyText) async {
    let now = environment.now().milliseconds / 1000
    var outcome = ChannelOutcome.misconfigured(status: 0)
    if text.service.isEmpty {
      if let phones = environment.channels.phones, let number = PhoneNumber(text.to) {
        outcome = await phones.send(
          phones.gateway.text(text.words, to: number, id: text.id), now)
      }
    } else if let chats = environment.channels.chats, chats.bot.kind.host == text.service {
      outcome = await chats.send(chats.bot.message(text.words, to: text.to), now)
    }
    if case .retry = outcome { return }
    if outcome != .accepted {
      environment.logger.warning("a text that answers a reply could not be sent")
    }
    do {
      try await environment.database.write { try ReplyTexts.remove(text.id, in: $0) }
    } catch {
      environment.logger.warning("a text that answers a reply stays in the queue")
    }
  }
}
