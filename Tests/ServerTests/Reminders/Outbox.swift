// SPDX-License-Identifier: Apache-2.0

import Channels
import FHIR
import Outbound
import Secrecy
import Synchronization
import Testing
import TestSupport

@testable import Presentation

/// The messages that left the server, and the answers they get.
final class Outbox: Sendable {
  struct Push: Sendable {
    let message: PushMessage
    let endpoint: String

    /// The payload as the device reads it after decryption.
    var payload: JSONValue { (try? JSONValue(parsing: message.payload)) ?? .null }
  }

  struct Ntfy: Sendable {
    let message: NtfyMessage
    let server: String
    let token: String
  }

  private struct State {
    var pushes: [Push] = []
    var mails: [MailMessage] = []
    var answers: [PushOutcome] = []
    var mailAnswers: [MailOutcome] = []
    var ntfy: [Ntfy] = []
    var ntfyAnswers: [ChannelOutcome] = []
    var webhooks: [ChannelRequest] = []
    var webhookAnswers: [ChannelOutcome] = []
    var phones: [ChannelRequest] = []
    var signsOfLife = 0
    var phoneAnswers: [ChannelOutcome] = []
    var chats: [ChannelRequest] = []
    var chatAnswers: [ChannelOutcome] = []
  }

  private let state = Mutex(State())

  /// Returns the endpoint of a device, at a known push service.
  static func endpoint(_ name: String) -> String { "https://fcm.googleapis.com/fcm/send/\(name)" }

  /// Keys of RFC 8291, appendix A.
  static let keys: JSONValue = [
    "p256dh":
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
  ]

  var pushes: [Push] { state.withLock { $0.pushes } }
  var mails: [MailMessage] { state.withLock { $0.mails } }

  var ntfy: [Ntfy] { state.withLock { $0.ntfy } }

  /// Requests to webhooks and to Home Assistant.
  var webhooks: [ChannelRequest] { state.withLock { $0.webhooks } }
  /// The number of heartbeats to the outside monitor.
  var signsOfLife: Int { state.withLock { $0.signsOfLife } }
  /// Requests to the phone gateway.
  var phones: [ChannelRequest] { state.withLock { $0.phones } }

  /// Requests to the server of the bot.
  var chats: [ChannelRequest] { state.withLock { $0.chats } }

  func answerChats(_ outcomes: ChannelOutcome...) {
    state.withLock { $0.chatAnswers = outcomes }
  }

  func answerWebhooks(_ outcomes: ChannelOutcome...) {
    state.withLock { $0.webhookAnswers = outcomes }
  }

  func answerPhones(_ outcomes: ChannelOutcome...) {
    state.withLock { $0.phoneAnswers = outcomes }
  }

  func answerNtfy(_ outcomes: ChannelOutcome...) {
    state.withLock { $0.ntfyAnswers = outcomes }
  }

  /// Sets the push service's next answers in order; then it accepts everything.
  func answer(_ outcomes: PushOutcome...) {
    state.withLock { $0.answers = outcomes }
  }

  func answerMail(_ outcomes: MailOutcome...) {
    state.withLock { $0.mailAnswers = outcomes }
  }

  func channels(
    hasGateway: Bool = true, signingKey: String? = nil, bot: ChatBot? = nil
  ) -> ReminderChannels {
    ReminderChannels(
      sendPush: { message, endpoint, _, _ in
        self.state.withLock { state in
          state.pushes.append(Push(message: message, endpoint: endpoint))
          return state.answers.isEmpty ? .accepted : state.answers.removeFirst()
        }
      },
      sendMail: { message in
        self.state.withLock { state in
          state.mails.append(message)
          return state.mailAnswers.isEmpty ? .accepted : state.mailAnswers.removeFirst()
        }
      },
      sender: MailAddress("regimen@example.org"), vapidPublicKey: "public-key",
      policy: OutboundPolicy(
        allowed: ["fcm.googleapis.com", "*.push.apple.com"].compactMap(HostRule.init),
        operatorAllowed: []),
      hasContact: true,
      named: .init(
        sendNtfy: { message, server, token, _ in
          self.state.withLock { state in
            state.ntfy.append(Ntfy(message: message, server: server, token: token))
            return state.ntfyAnswers.isEmpty ? .accepted : state.ntfyAnswers.removeFirst()
          }
        },
        send: { request, _ in
          self.state.withLock { state in
            state.webhooks.append(request)
            return state.webhookAnswers.isEmpty ? .accepted : state.webhookAnswers.removeFirst()
          }
        },
        policy: OutboundPolicy(allowed: [], operatorAllowed: [], allowsAnyPublicHost: true),
        ntfyServer: "https://ntfy.example"),
      phones: hasGateway ? phoneGateway(signingKey) : nil, chats: bot.map(chatService),
      tellAlive: { _ in
        self.state.withLock { state in
          state.signsOfLife += 1
          return true
        }
      })
  }

  private func chatService(_ bot: ChatBot) -> ReminderChannels.ChatService {
    .init(bot: bot) { request, _ in
      self.state.withLock { state in
        state.chats.append(request)
        return state.chatAnswers.isEmpty ? .accepted : state.chatAnswers.removeFirst()
      }
    }
  }

  private func phoneGateway(_ signingKey: String?) -> ReminderChannels.Phones {
    .init(
      gateway: PhoneGateway(
        kind: .twilio, address: "https://api.twilio.com", account: "AC0123",
        secret: Concealed("gateway-secret"), sender: "+15005550006",
        signingKey: signingKey.map { Concealed($0) })
    ) { request, _ in
      self.state.withLock { state in
        state.phones.append(request)
        return state.phoneAnswers.isEmpty ? .accepted : state.phoneAnswers.removeFirst()
      }
    }
  }
}
