// SPDX-License-Identifier: Apache-2.0

import Foundation

struct TelegramButton: Encodable {
  let text: String
  let data: String

  enum CodingKeys: String, CodingKey {
    case text
    case data = "callback_data"
  }
}

struct TelegramKeyboard: Encodable {
  let rows: [[TelegramButton]]

  enum CodingKeys: String, CodingKey {
    case rows = "inline_keyboard"
  }
}

struct TelegramMessage: Encodable {
  let chat: String
  let text: String
  let markup: TelegramKeyboard?

  enum CodingKeys: String, CodingKey {
    case chat = "chat_id"
    case text
    case markup = "reply_markup"
  }
}

struct TelegramEdit: Encodable {
  let chat: String
  let message: Int64
  let text: String

  enum CodingKeys: String, CodingKey {
    case chat = "chat_id"
    case message = "message_id"
    case text
  }
}

struct TelegramPress: Encodable {
  let press: String

  enum CodingKeys: String, CodingKey {
    case press = "callback_query_id"
  }
}

/// An `Update` of the Bot API, as far as it is used.
struct TelegramUpdate: Decodable {
  struct Chat: Decodable {
    let id: Int64
    let type: String
  }

  struct Message: Decodable {
    let id: Int64
    let chat: Chat
    let text: String?

    enum CodingKeys: String, CodingKey {
      case id = "message_id"
      case chat, text
    }
  }

  struct Press: Decodable {
    let id: String
    let message: Message?
    let data: String?
  }

  let id: Int64
  let message: Message?
  let press: Press?

  enum CodingKeys: String, CodingKey {
    case id = "update_id"
    case message
    case press = "callback_query"
  }

  /// The message of a person's own chat with the bot.
  var chatUpdate: ChatUpdate? {
    if let press, let shown = press.message, shown.chat.type == "private", let data = press.data {
      return ChatUpdate(
        id: "\(id)", chat: "\(shown.chat.id)", text: data,
        press: .init(id: press.id, message: shown.id))
    }
    guard let message, message.chat.type == "private", let text = message.text else { return nil }
    return ChatUpdate(id: "\(id)", chat: "\(message.chat.id)", text: text)
  }
}

struct SignalMessage: Encodable {
  let message: String
  let number: String
  let recipients: [String]
}

/// A received message of signal-cli, bare or as the notification of its JSON-RPC.
struct SignalUpdate: Decodable {
  struct Content: Decodable {
    struct Group: Decodable {}

    let timestamp: Int64
    let message: String?
    let groupInfo: Group?
  }

  struct Envelope: Decodable {
    let sourceUuid: String?
    let sourceNumber: String?
    let dataMessage: Content?
  }

  struct Parameters: Decodable {
    let envelope: Envelope
  }

  let envelope: Envelope?
  let params: Parameters?

  /// The message of a person's own chat with the account.
  var chatUpdate: ChatUpdate? {
    guard let envelope = envelope ?? params?.envelope, let content = envelope.dataMessage,
      content.groupInfo == nil, let text = content.message,
      let chat = envelope.sourceNumber ?? envelope.sourceUuid, !chat.isEmpty
    else { return nil }
    return ChatUpdate(id: "\(chat):\(content.timestamp)", chat: chat, text: text)
  }
}
