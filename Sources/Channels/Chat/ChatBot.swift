// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Secrecy

/// A bot that sends reminders to chats and takes answers there, as configured by the operator.
package struct ChatBot: Sendable {
  /// The interface of the bot's server.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The Bot API of Telegram.
    case telegram
    /// The REST API of signal-cli, which has no buttons: answers are numbers and words.
    case signal

    /// The name of the service, the same in every language.
    package var name: String {
      switch self {
      case .telegram: "Telegram"
      case .signal: "Signal"
      }
    }

    /// The name under which chats are stored as hosts; no server can have it.
    package var host: String { "\(name):" }
  }

  /// A button of a message, with the data that a press sends back.
  package struct Button: Sendable, Hashable {
    let label: String
    let data: String

    /// Creates a button; the data has at most 64 bytes.
    package init(_ label: String, data: String) {
      self.label = label
      self.data = data
    }
  }

  /// The interface of the bot's server.
  package let kind: Kind
  private let address: String
  /// The bot's user name, or the number of the Signal account.
  package let name: String
  /// The token of a Telegram bot; empty for Signal.
  private let token: Concealed<String>
  /// The secret that the bot's server sends with every update.
  private let secret: Concealed<String>

  /// Creates a bot from the operator's settings.
  package init(
    kind: Kind, address: String, name: String, token: Concealed<String>, secret: Concealed<String>
  ) {
    self.kind = kind
    self.address = address
    self.name = name
    self.token = token
    self.secret = secret
  }

  /// Returns the address that opens the bot and sends a code to it; nil if the service has none.
  package func link(_ code: String) -> String? {
    kind == .telegram ? "https://t.me/\(name)?start=\(code)" : nil
  }

  // MARK: Sending

  /// Returns the request that sends a message to a chat.
  package func message(_ text: String, to chat: String, buttons: [Button] = []) -> ChannelRequest {
    switch kind {
    case .telegram:
      let keyboard = buttons.map { [TelegramButton(text: $0.label, data: $0.data)] }
      return telegram(
        "sendMessage",
        TelegramMessage(
          chat: chat, text: text,
          markup: buttons.isEmpty ? nil : TelegramKeyboard(rows: keyboard)))
    case .signal:
      return request(
        "\(address)/v2/send", SignalMessage(message: text, number: name, recipients: [chat]))
    }
  }

  /// Returns the request that replaces a message and its buttons; nil if the service can't.
  package func edit(_ message: Int64, in chat: String, to text: String) -> ChannelRequest? {
    guard kind == .telegram else { return nil }
    return telegram("editMessageText", TelegramEdit(chat: chat, message: message, text: text))
  }

  /// Returns the request that ends the waiting of a pressed button; nil if the service has none.
  package func acknowledge(_ press: String) -> ChannelRequest? {
    guard kind == .telegram else { return nil }
    return telegram("answerCallbackQuery", TelegramPress(press: press))
  }

  private func telegram(_ method: String, _ body: some Encodable) -> ChannelRequest {
    request("\(address)/bot\(token.revealed)/\(method)", body)
  }

  private func request(_ address: String, _ body: some Encodable) -> ChannelRequest {
    ChannelRequest(
      address: address, headers: [SortedJSON.contentType], body: SortedJSON.bytes(body))
  }

  // MARK: Receiving

  /// Returns true if an update carries the secret, compared in constant time.
  package func knows(_ given: String?) -> Bool {
    guard let given, given.utf8.count <= 256 else { return false }
    // Codes of equal length are compared, so that the time says nothing about the secret.
    let key = SymmetricKey(data: Array("regimen-chat".utf8))
    let code = Array(
      HMAC<SHA256>.authenticationCode(for: Array(secret.revealed.utf8), using: key))
    return HMAC<SHA256>.isValidAuthenticationCode(
      code, authenticating: Array(given.utf8), using: key)
  }

  /// Returns the message in an update; nil if it is something else, of a group, or malformed.
  package func update(in body: [UInt8]) -> ChatUpdate? {
    let decoder = JSONDecoder()
    switch kind {
    case .telegram:
      return (try? decoder.decode(TelegramUpdate.self, from: Data(body)))?.chatUpdate
    case .signal:
      return (try? decoder.decode(SignalUpdate.self, from: Data(body)))?.chatUpdate
    }
  }
}

/// A message that a person sent to the bot, or a button that they pressed.
package struct ChatUpdate: Sendable, Hashable {
  /// The service's identifier of the update, the same when it is sent again.
  package let id: String
  /// The chat that it came from.
  package let chat: String
  /// The text, or the data of the button.
  package let text: String
  /// The pressed button, with the message that it belongs to; nil for a text.
  package var press: Press?

  /// A pressed button.
  package struct Press: Sendable, Hashable {
    /// The identifier of the press.
    package let id: String
    /// The message with the button.
    package let message: Int64
  }
}
