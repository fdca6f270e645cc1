// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// The chats that people linked with a bot, and the codes that link them.
///
/// A chat is stored as an address of a webhook: its server is the name of the service with a colon, such as
/// `Telegram:`, which no web address can be.
package enum Chats {
  /// The path to which a bot's server sends updates.
  package static let path = "/api/v1/chat/updates"
  /// The prefix of every code.
  package static let codePrefix = "rgx_"
  /// The time for which a code links a chat, in milliseconds.
  private static let codeMilliseconds: Int64 = 15 * 60_000

  /// Returns true if the server of an address is a chat service.
  package static func isService(_ server: String) -> Bool {
    server.hasSuffix(":") && !server.contains("/")
  }

  /// Returns the keyed digest by which a chat is known.
  package static func sender(_ chat: String, of service: String, cipher: FieldCipher) -> [UInt8] {
    Replies.sender(service + chat, cipher: cipher)
  }

  // MARK: Linking

  /// Stores a code, of which only the digest is kept; it replaces earlier ones of the account.
  package static func expect(
    _ code: Secret, for account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM chat_codes WHERE account = $1", [.text(account)])
    try writer.execute(
      "INSERT INTO chat_codes (digest, account, expires) VALUES ($1, $2, $3)",
      [
        .blob(code.digest), .text(account),
        SQLValue(now.adding(milliseconds: codeMilliseconds)),
      ])
  }

  /// The result of a code that came from a chat.
  package enum Linking: Sendable, Hashable {
    /// Reminders go to the chat from now on.
    case linked(AccountID)
    /// The code is unknown, was used, or has expired.
    case unknown
    /// The account has the maximum number of addresses.
    case full(AccountID)
  }

  /// Links a chat with the account of a code, which works once.
  package static func link(
    _ chat: String, of service: String, by code: Secret, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws(StorageError) -> Linking {
    guard code.text.hasPrefix(codePrefix), code.text.utf8.count < 100 else { return .unknown }
    let found = try writer.first(
      "SELECT account FROM chat_codes WHERE digest = $1 AND expires > $2",
      [.blob(code.digest), SQLValue(context.now)])?.value(as: AccountID.self)
    guard let account = found else { return .unknown }
    try writer.execute("DELETE FROM chat_codes WHERE digest = $1", [.blob(code.digest)])
    let sender = sender(chat, of: service, cipher: context.accounts.cipher)
    let known = try Replies.senders(sender, in: writer)
    if known.contains(where: { $0.account == account && !$0.isStopped }) {
      return .linked(account)
    }
    guard
      let address = try ChannelAddresses.add(
        ChannelSettings(server: service, topic: chat), form: .webhook, host: service,
        account: account, context, in: writer)
    else { return .full(account) }
    try ChannelAddresses.confirm(address, at: context.now, in: writer)
    try Replies.know(sender, at: address, of: account, in: writer)
    return .linked(account)
  }

  /// Deletes codes that have expired.
  static func forget(before instant: Timestamp, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM chat_codes WHERE expires < $1", [SQLValue(instant)])
  }
}

extension ChannelSettings {
  /// True if messages go to a chat of a bot.
  package var isChat: Bool { Chats.isService(server) }
  /// The text by which the number or the chat is known when it answers.
  var replyName: String { isChat ? server + topic : topic }
}

extension ChannelAddress {
  /// True if messages go to a chat of a bot.
  package var isChat: Bool { Chats.isService(host) }
}

extension ReminderContent {
  /// The answers that buttons of a message offer, with the number that each stands for.
  package var numberedAnswers: [(number: Int, words: String)] {
    links.answers.compactMap { choice in
      guard case .dose(let action) = choice.answer,
        let number = (1...3).first(where: { Reply.action($0) == action })
      else { return nil }
      return (number, words(for: choice.answer))
    }
  }
}
