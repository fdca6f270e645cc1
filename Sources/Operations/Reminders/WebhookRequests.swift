// SPDX-License-Identifier: Apache-2.0

import Channels
import Identifiers
import Localization
import Reminders

extension ClaimedDelivery {
  /// Returns the request to a webhook of any kind; nil if its settings cannot be used.
  func webhookRequest(baseURL: String, nowSeconds: Int64) -> ChannelRequest? {
    guard let settings, let form else { return nil }
    let words = content.words
    let message = WebhookMessage(
      id: delivery.text, kind: WebhookMessage.Kind(kind), title: words.title, body: words.body,
      address: baseURL + content.actionLinkPath, button: content.openWords, due: content.dueText,
      tag: content.tag, language: content.language.tag)
    switch form {
    case .webhook:
      return WebhookSecret(settings.token).map {
        message.request(to: settings.server, secret: $0, nowSeconds: nowSeconds)
      }
    case .homeAssistantWebhook:
      return message.homeAssistantWebhook(server: settings.server, id: settings.topic)
    case .homeAssistantNotify:
      return message.homeAssistantNotify(
        server: settings.server, service: settings.topic, token: settings.token)
    case .ntfy, .sms, .call: return nil
    }
  }
}

extension WebhookMessage.Kind {
  fileprivate init(_ kind: ReminderKind) {
    switch kind.announcement {
    case .reminder: self = .reminder
    case .summary: self = .summary
    case .test: self = .test
    case .notice: self = .notice
    }
  }
}
