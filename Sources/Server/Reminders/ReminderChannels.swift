// SPDX-License-Identifier: Apache-2.0

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

  let sendPush: SendPush
  /// Nil where no mail program is set.
  let sendMail: SendMail?
  let sender: MailAddress?
  /// What browsers subscribe with.
  let vapidPublicKey: String
  /// Which push services may be addressed.
  let policy: OutboundPolicy
  /// Whether push services are told whom to ask when something goes wrong.
  let hasContact: Bool

  package init(
    sendPush: @escaping SendPush, sendMail: SendMail?, sender: MailAddress?,
    vapidPublicKey: String, policy: OutboundPolicy, hasContact: Bool
  ) {
    self.sendPush = sendPush
    self.sendMail = sendMail
    self.sender = sender
    self.vapidPublicKey = vapidPublicKey
    self.policy = policy
    self.hasContact = hasContact
  }

  var mailIsPossible: Bool { sendMail != nil && sender != nil }
}
