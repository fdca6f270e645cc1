// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import Outbound

/// The ways on which reminders leave the server; the composition root fills it.
package struct ReminderChannels: Sendable {
  /// Hands an encrypted message to a push service.
  package typealias SendPush =
    @Sendable (
      _ message: PushMessage, _ endpoint: String, _ keys: PushKeys, _ nowSeconds: Int64
    ) async -> PushOutcome
  /// Hands a message to the mail program.
  package typealias SendMail = @Sendable (MailMessage) async -> MailOutcome

  package let sendPush: SendPush
  /// Hands a message to an ntfy server.
  package typealias SendNtfy =
    @Sendable (
      _ message: NtfyMessage, _ server: String, _ token: String, _ nowSeconds: Int64
    ) async -> ChannelOutcome

  /// Posts a message to a webhook or a gateway.
  package typealias Send =
    @Sendable (_ request: ChannelRequest, _ nowSeconds: Int64) async -> ChannelOutcome

  /// The servers that people name: which of them may be used, and how messages get there.
  package struct NamedServers: Sendable {
    package let sendNtfy: SendNtfy
    /// To webhooks.
    package let send: Send
    /// Which addresses may be named.
    package let policy: OutboundPolicy
    /// The ntfy server that is proposed.
    package let ntfyServer: String

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

  /// Texts and calls, where the operator set up a gateway.
  package struct Phones: Sendable {
    package let gateway: PhoneGateway
    package let send: Send

    package init(gateway: PhoneGateway, send: @escaping Send) {
      self.gateway = gateway
      self.send = send
    }
  }

  /// Nil where no mail program is set.
  package let sendMail: SendMail?
  package let sender: MailAddress?
  /// What browsers subscribe with.
  package let vapidPublicKey: String
  /// Which push services may be addressed.
  package let policy: OutboundPolicy
  /// Whether push services are told whom to ask when something goes wrong.
  package let hasContact: Bool
  package let named: NamedServers
  package let phones: Phones?
  /// Tells whoever watches from outside that reminders go round; nil where nobody does.
  package typealias TellAlive = @Sendable (_ nowSeconds: Int64) async -> Bool
  package let tellAlive: TellAlive?

  package init(
    sendPush: @escaping SendPush, sendMail: SendMail?, sender: MailAddress?,
    vapidPublicKey: String, policy: OutboundPolicy, hasContact: Bool,
    named: NamedServers, phones: Phones? = nil, tellAlive: TellAlive? = nil
  ) {
    self.sendPush = sendPush
    self.sendMail = sendMail
    self.sender = sender
    self.vapidPublicKey = vapidPublicKey
    self.policy = policy
    self.hasContact = hasContact
    self.named = named
    self.phones = phones
    self.tellAlive = tellAlive
  }

  package var mailIsPossible: Bool { sendMail != nil && sender != nil }
  package var textsArePossible: Bool { phones != nil }

  /// Whether anything can be sent to what somebody signs in with.
  package func reaches(_ name: SignInName) -> Bool {
    name.isPhone ? textsArePossible : mailIsPossible
  }
}
