// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Secrecy
import Storage

/// Something that a person set up besides push and mail, as its owner sees it.
package struct ChannelAddress: Sendable, Hashable {
  package let id: String
  package let account: AccountID
  package let channel: ReminderChannel
  package let form: ChannelForm
  /// Where messages go, without what makes the address secret.
  package let host: String
  package let created: Timestamp
  /// When the person last tapped a test; nothing rings there before the first time.
  package let confirmed: Timestamp?

  /// The last messages to it, the newest first.
  package var log: [LoggedDelivery] = []

  static func masked(host: String, id: String) -> String { "\(host)/…\(id.suffix(4))" }

  /// The address without what makes it secret.
  package var maskedAddress: String {
    channel.isPhone ? host : Self.masked(host: host, id: id)
  }
}

/// How a message is put for the one who takes it.
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

/// Where a channel's messages go and what signs in there: names and values that are kept sealed.
package struct ChannelSettings: Sendable, Hashable, Unprintable {
  /// The base address of the server, a webhook's whole address; empty for a phone number.
  package var server: String
  /// What it is called there: a topic, the id of a webhook, a notify service, a phone number.
  package var topic: String
  /// What signs in there, or signs the messages; empty for nothing.
  package var token: String

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
