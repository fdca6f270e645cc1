// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import Outbound

/// The channels on which reminders leave the server, set up by the composition root.
package struct ReminderChannels: Sendable {
  /// Sends an encrypted message to a push service.
  package typealias SendPush =
    @Sendable (
      _ message: PushMessage, _ endpoint: String, _ keys: PushKeys, _ nowSeconds: Int64
    ) async -> PushOutcome
  /// Sends a message through the mail program.
  package typealias SendMail = @Sendable (MailMessage) async -> MailOutcome

  /// The function that sends push messages.
  package let sendPush: SendPush
  /// Sends a message to an ntfy server.
  package typealias SendNtfy =
    @Sendable (
      _ message: NtfyMessage, _ server: String, _ token: String, _ nowSeconds: Int64
    ) async -> ChannelOutcome

  /// Sends a message to a webhook or a gateway.
  package typealias Send =
    @Sendable (_ request: ChannelRequest, _ nowSeconds: Int64) async -> ChannelOutcome

  /// The servers that people choose themselves: which are allowed, and how messages reach them.
  package struct NamedServers: Sendable {
    /// The function that sends messages to ntfy servers.
    package let sendNtfy: SendNtfy
    /// The function that sends messages to webhooks.
    package let send: Send
    /// The rule for addresses that people may enter.
    package let policy: OutboundPolicy
    /// The ntfy server suggested by default.
    package let ntfyServer: String

    /// Creates the set of functions and rules for servers that people choose.
    package init(
      sendNtfy: @escaping SendNtfy, send: @escaping Send, policy: OutboundPolicy,
      ntfyServer: String
    ) {
      self.sendNtfy = sendNtfy
      self.send = send
      self.policy = policy
      self.ntfyServer = ntfyServer
    }
  }

  /// Text messages and phone calls, available if the operator set up a gateway.
  package struct Phones: Sendable {
    /// The gateway that the operator set up.
    package let gateway: PhoneGateway
    /// The function that sends requests to the gateway.
    package let send: Send

    /// Creates the phone channel of one gateway.
    package init(gateway: PhoneGateway, send: @escaping Send) {
      self.gateway = gateway
      self.send = send
    }
  }

  /// The chats of a bot, available if the operator set one up.
  package struct ChatService: Sendable {
    /// The bot that the operator set up.
    package let bot: ChatBot
    /// The function that sends requests to the bot's server.
    package let send: Send

    /// Creates the chats of one bot.
    package init(bot: ChatBot, send: @escaping Send) {
      self.bot = bot
      self.send = send
    }
  }

  /// The function that sends mail; nil if no mail program is configured.
  package let sendMail: SendMail?
  /// The sender address of mail; nil if none is configured.
  package let sender: MailAddress?
  /// The public key with which browsers subscribe to push messages.
  package let vapidPublicKey: String
  /// The rule for push services that may be contacted.
  package let policy: OutboundPolicy
  /// True if push services receive a contact address for problems.
  package let hasContact: Bool
  /// The servers that people choose themselves.
  package let named: NamedServers
  /// Text messages and phone calls; nil if there is no gateway.
  package let phones: Phones?
  /// The chats of a bot; nil if there is none.
  package let chats: ChatService?
  /// Tells an outside monitor that reminders are running, and returns true if it was told.
  package typealias TellAlive = @Sendable (_ nowSeconds: Int64) async -> Bool
  /// The function that tells the outside monitor; nil if there is none.
  package let tellAlive: TellAlive?

  /// Creates the channels from the functions that send on each of them.
  package init(
    sendPush: @escaping SendPush, sendMail: SendMail?, sender: MailAddress?,
    vapidPublicKey: String, policy: OutboundPolicy, hasContact: Bool,
    named: NamedServers, phones: Phones? = nil, chats: ChatService? = nil,
    tellAlive: TellAlive? = nil
  ) {
    self.sendPush = sendPush
    self.sendMail = sendMail
    self.sender = sender
    self.vapidPublicKey = vapidPublicKey
    self.policy = policy
    self.hasContact = hasContact
    self.named = named
    self.phones = phones
    self.chats = chats
    self.tellAlive = tellAlive
  }

  /// Channels that reach no one, on which every message can be retried later.
  static let none = ReminderChannels(
    sendPush: { _, _, _, _ in .retry(afterSeconds: nil, .stopped) },
    sendMail: nil, sender: nil, vapidPublicKey: "",
    policy: OutboundPolicy(allowed: [], operatorAllowed: []), hasContact: false,
    named: NamedServers(
      sendNtfy: { _, _, _, _ in .retry(afterSeconds: nil, .stopped) },
      send: { _, _ in .retry(afterSeconds: nil, .stopped) },
      policy: OutboundPolicy(allowed: [], operatorAllowed: []), ntfyServer: ""))

  /// True if the server can send mail.
  package var mailIsPossible: Bool { sendMail != nil && sender != nil }
  /// True if the server can send text messages and make calls.
  package var textsArePossible: Bool { phones != nil }

  /// Returns true if the server can send a message to a sign-in name.
  package func reaches(_ name: SignInName) -> Bool {
    name.isPhone ? textsArePossible : mailIsPossible
  }
}
