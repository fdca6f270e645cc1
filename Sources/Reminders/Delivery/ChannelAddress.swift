// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Secrecy
import Storage

/// An address that a person set up in addition to push and mail, as its owner sees it.
package struct ChannelAddress: Sendable, Hashable {
  /// The identifier of the address.
  package let id: String
  /// The account that set it up.
  package let account: AccountID
  /// The channel on which its messages go.
  package let channel: ReminderChannel
  /// The form of its messages.
  package let form: ChannelForm
  /// The host or phone number, without the secret part of the address.
  package let host: String
  /// The time at which it was set up.
  package let created: Timestamp
  /// The time at which the person last confirmed a test; nil before the first time, and until then
  /// nothing is sent there.
  package let confirmed: Timestamp?

  /// The last messages to it, the newest first.
  package var log: [LoggedDelivery] = []

  static func masked(host: String, id: String) -> String {
    Chats.isService(host) ? "\(host.dropLast()) …\(id.suffix(4))" : "\(host)/…\(id.suffix(4))"
  }

  /// The address without its secret part.
  package var maskedAddress: String {
    channel.isPhone ? host : Self.masked(host: host, id: id)
  }
}

/// The form of the messages to an address.
package enum ChannelForm: String, Sendable, Hashable, CaseIterable {
  /// A topic of an ntfy server.
  case ntfy
  /// Signed JSON to an address.
  case webhook
  /// JSON to a webhook of Home Assistant.
  case homeAssistantWebhook = "home-assistant"
  /// A notify service of Home Assistant.
  case homeAssistantNotify = "home-assistant-notify"
  /// A text message to a phone number.
  case sms
  /// A call to a phone number.
  case call

  /// The channel on which its messages go.
  package var channel: ReminderChannel {
    switch self {
    case .ntfy: .ntfy
    case .webhook, .homeAssistantWebhook, .homeAssistantNotify: .webhook
    case .sms: .sms
    case .call: .call
    }
  }
}

/// The address and credentials of a channel, which are stored sealed.
package struct ChannelSettings: Sendable, Hashable, Unprintable {
  /// The base address of the server, a webhook's whole address; empty for a phone number.
  package var server: String
  /// The name on that server: a topic, the id of a webhook or a notify service; or the phone
  /// number.
  package var topic: String
  /// The access token or signing secret; empty for none.
  package var token: String

  /// Creates settings.
  package init(server: String, topic: String = "", token: String = "") {
    self.server = server
    self.topic = topic
    self.token = token
  }

  func sealed(_ address: String, cipher: FieldCipher) throws(StorageError) -> [UInt8] {
    let text: JSONValue = [
      "server": .string(server), "topic": .string(topic), "token": .string(token),
    ]
    return try cipher.seal(
      String(decoding: text.bytes, as: UTF8.self), context: Self.context(address))
  }

  static func open(_ sealed: [UInt8], of address: String, cipher: FieldCipher)
    throws(StorageError) -> ChannelSettings
  {
    let text = try cipher.open(sealed, context: context(address))
    guard let value = try? JSONValue(parsing: Array(text.utf8)),
      let server = value["server"]?.string
    else { throw .decryptionFailed }
    return ChannelSettings(
      server: server, topic: value["topic"]?.string ?? "", token: value["token"]?.string ?? "")
  }

  private static func context(_ address: String) -> String {
    "channel_addresses:\(address):settings"
  }
}
