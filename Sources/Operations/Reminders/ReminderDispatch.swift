// SPDX-License-Identifier: Apache-2.0

import Channels
import Identifiers
import Outbound
import Presentation
import Reminders
import Storage
import Web

/// Sends one claimed delivery and reports its result.
struct ReminderDispatch: Sendable {
  let environment: ServerEnvironment
  let places: DeliveryPlaces
  let results: DeliveryResults

  init(environment: ServerEnvironment) {
    self.environment = environment
    places = DeliveryPlaces(wake: environment.live.reminders)
    results = DeliveryResults(environment: environment)
  }

  func deliver(_ claim: ClaimedDelivery) async {
    let metrics = environment.deliveryMetrics
    metrics.began(claim)
    let outcome: DeliveryResult.Outcome
    switch claim.channel {
    case .push: outcome = await push(claim)
    case .mail: outcome = await mail(claim)
    case .ntfy: outcome = await ntfy(claim)
    case .webhook: outcome = await webhook(claim)
    case .sms, .call: outcome = await phone(claim)
    }
    places.release(claim.channel)
    metrics.ended(claim, outcome, at: environment.now())
    await results.add(
      DeliveryResult(
        delivery: claim.delivery, patient: claim.patient, attempt: claim.attempt,
        outcome: outcome, jitter: jitter()))
  }

  private func push(_ claim: ClaimedDelivery) async -> DeliveryResult.Outcome {
    guard let address = claim.push,
      let keys = PushKeys(p256dh: address.p256dh, auth: address.auth)
    else { return .failed(trouble: DeliveryTrouble.address) }
    let now = environment.now()
    let payload = claim.content.payload(
      baseURL: environment.baseURL, account: claim.recipient)
    let message = PushMessage(
      payload: payload.full, smallPayload: payload.small,
      ttlSeconds: Self.ttlSeconds(until: claim.expires, now), urgency: .high,
      topic: claim.content.tag)
    let outcome = await environment.channels.sendPush(
      message, address.endpoint, keys, now.milliseconds / 1000)
    return DeliveryResult.Outcome(outcome)
  }

  /// The seconds for which the push service may keep a message for an unreachable device: the rest
  /// of the late window, at least a minute.
  static func ttlSeconds(until expires: Timestamp, _ now: Timestamp) -> Int {
    let rest =
      now.milliseconds < expires.milliseconds
      ? (expires.milliseconds - now.milliseconds) / 1000 : 0
    return Int(min(max(rest, 60), 2_419_200))
  }

  private func mail(_ claim: ClaimedDelivery) async -> DeliveryResult.Outcome {
    guard let send = environment.channels.sendMail, let sender = environment.channels.sender,
      let recipient = claim.mailAddress.flatMap(MailAddress.init)
    else { return .failed(trouble: DeliveryTrouble.address) }
    let words = claim.content.mail(baseURL: environment.baseURL)
    var message = MailMessage(
      from: sender, to: recipient, subject: words.subject, text: words.text, html: words.html,
      // Stays the same for every attempt, so that a mailbox can detect a duplicate.
      messageID: "\(claim.delivery)@regimen.invalid",
      dateSeconds: environment.now().milliseconds / 1000, headers: [])
    message.unsubscribe = words.unsubscribe
    return DeliveryResult.Outcome(await send(message))
  }

  private func ntfy(_ claim: ClaimedDelivery) async -> DeliveryResult.Outcome {
    guard let settings = claim.settings else { return .failed(trouble: DeliveryTrouble.address) }
    let content = claim.content
    let words = content.words
    let message = NtfyMessage(
      topic: settings.topic, title: words.title, body: words.body,
      address: environment.baseURL + content.actionLinkPath, button: content.openWords,
      sequence: content.tag, isUrgent: claim.kind.isUrgent)
    return DeliveryResult.Outcome(
      await environment.channels.named.sendNtfy(
        message, settings.server, settings.token, environment.now().milliseconds / 1000))
  }

  private func webhook(_ claim: ClaimedDelivery) async -> DeliveryResult.Outcome {
    if let settings = claim.settings, settings.isChat { return await chat(claim, settings) }
    let now = environment.now().milliseconds / 1000
    guard let request = claim.webhookRequest(baseURL: environment.baseURL, nowSeconds: now) else {
      return .failed(trouble: DeliveryTrouble.address)
    }
    return DeliveryResult.Outcome(await environment.channels.named.send(request, now))
  }

  private func chat(
    _ claim: ClaimedDelivery, _ settings: ChannelSettings
  ) async -> DeliveryResult.Outcome {
    guard let chats = environment.channels.chats, chats.bot.kind.host == settings.server else {
      return .failed(trouble: DeliveryTrouble.address)
    }
    let content = claim.content
    let text = content.phoneText(
      baseURL: environment.baseURL, takesReplies: chats.bot.kind == .signal)
    let buttons = content.numberedAnswers.map {
      ChatBot.Button($0.words, data: "\($0.number):\(claim.delivery)")
    }
    let request = chats.bot.message(text, to: settings.topic, buttons: buttons)
    return DeliveryResult.Outcome(
      await chats.send(request, environment.now().milliseconds / 1000))
  }

  private func phone(_ claim: ClaimedDelivery) async -> DeliveryResult.Outcome {
    guard let phones = environment.channels.phones,
      let number = claim.settings.flatMap({ PhoneNumber($0.topic) })
    else { return .failed(trouble: DeliveryTrouble.address) }
    let (content, gateway, base) = (claim.content, phones.gateway, environment.baseURL)
    let request =
      claim.channel == .call
      ? gateway.call(
        content.spoken(takesKeys: gateway.takesKeys), to: number, language: content.language,
        id: claim.delivery.text,
        keypad: content.keypadPath(takesKeys: gateway.takesKeys).map { base + $0 })
      : gateway.text(
        content.phoneText(baseURL: base, takesReplies: gateway.takesReplies), to: number,
        id: claim.delivery.text)
    guard let request else { return .failed(trouble: DeliveryTrouble.address) }
    return DeliveryResult.Outcome(
      await phones.send(request, environment.now().milliseconds / 1000))
  }

  /// A random factor between 0 and 1 that spreads retries.
  private func jitter() -> Double {
    Double(environment.random(1).first ?? 0) / 255
  }
}
