// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Localization
import People
import Plans
import Scheduling
import Storage
import TimeZones

extension ReminderEngine {
  /// The time for which a claim keeps others from sending the same delivery, in milliseconds.
  static let leaseMilliseconds: Int64 = 30_000

  /// Leases deliveries whose time has come, the longest waiting first; send them only after the commit.
  ///
  /// Deliveries whose doses were answered or cancelled meanwhile are ended instead, so fewer than are waiting
  /// may be returned. `channel` nil includes all channels.
  package static func claim(
    limit: Int, channel: ReminderChannel?, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) -> [ClaimedDelivery] {
    let now = context.now
    var waiting = try WaitingDelivery.load(
      limit: limit, channel: channel, now: now, in: writer)
    let pushed = Set(waiting.filter { $0.channel == .push }.map(\.recipient))
    if try PushSubscriptions.removeOfExpiredTokens(of: pushed, at: now, in: writer) > 0 {
      waiting = try WaitingDelivery.load(limit: limit, channel: channel, now: now, in: writer)
    }
    guard !waiting.isEmpty else { return [] }
    let doses = try RingingDoses.of(Array(Set(waiting.map(\.subject))), in: writer)
    let forReview = try context.sources.plansForReview(Set(waiting.map(\.patient)), writer)
    let quiet = try EscalationReading.quietHours(
      Set(waiting.filter(\.mayBeHeld).map(\.patient)).sorted(), zones: context.zones, in: writer)
    let asked = try asked(waiting, context, in: writer)
    var claimed: [ClaimedDelivery] = []
    var held: [Timestamp: [DeliveryID]] = [:]
    var ended: [DeliveryOutcome: [DeliveryID]] = [:]
    claimed.reserveCapacity(waiting.count)
    for delivery in waiting {
      let answer = asked[delivery.delivery]
      let verdict =
        answer?.verdict
        ?? delivery.verdict(
          doses[delivery.subject] ?? [], quiet: quiet[delivery.patient], now: now)
      switch verdict {
      case .hold(let until): held[until, default: []].append(delivery.delivery)
      case .end(let outcome): ended[outcome, default: []].append(delivery.delivery)
      case .send(let named):
        let ids = named.map(\.key.text).joined(separator: "\n")
        if ids != delivery.doses {
          try DeliveryStore.name(
            ids, due: named.first?.due ?? delivery.due, in: delivery.delivery,
            patient: delivery.patient, at: now, in: writer)
        }
        let plans = forReview[delivery.patient] ?? []
        var claim = try delivery.claimed(
          naming: named, needsReview: named.contains { plans.contains($0.key.plan) }, context,
          in: writer)
        claim.content.news = answer?.news
        claimed.append(claim)
      }
    }
    for (until, ids) in held {
      try DeliveryStore.hold(ids, until: until, at: now, in: writer)
    }
    for (outcome, ids) in ended {
      try DeliveryStore.end(ids, as: outcome, at: now, in: writer)
    }
    try DeliveryStore.lease(
      claimed.map(\.delivery), until: now.adding(milliseconds: leaseMilliseconds), in: writer)
    return claimed
  }

  /// Returns the decisions about deliveries that need more data than was read with them.
  private static func asked(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryID: AskedDelivery] {
    let byKind = Dictionary(grouping: waiting, by: \.kind)
    var asked: [DeliveryID: AskedDelivery] = [:]
    for kind in ReminderKind.allCases {
      guard let deliveries = byKind[kind] else { continue }
      asked.merge(try kind.handler.ask(deliveries, context, in: reader)) { first, _ in first }
    }
    return asked
  }
}

extension WaitingDelivery {
  fileprivate func claimed(
    naming doses: [RingingDose], needsReview: Bool, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws(StorageError) -> ClaimedDelivery {
    var push: PushAddress?
    var mail: String?
    var links = ReminderLinks()
    var settings: ChannelSettings?
    switch channel {
    case .push:
      if let endpointSealed, let keysSealed {
        push = try PushSecrets.open(
          subscription: address, endpoint: endpointSealed, keys: keysSealed,
          cipher: context.accounts.cipher)
      }
    case .mail:
      if let emailSealed {
        let email = try context.accounts.email(sealed: emailSealed, of: recipient)
        links = try self.links(doses, needsReview: needsReview, context, in: writer)
        links.silence = try Mailboxes.keepLink(
          of: recipient, email: email, cipher: context.accounts.cipher, in: writer)
        mail = email
      }
    case .ntfy, .webhook, .sms, .call:
      if let settingsSealed {
        let opened = try ChannelSettings.open(
          settingsSealed, of: address, cipher: context.accounts.cipher)
        settings = opened
        links = try self.links(doses, needsReview: needsReview, context, in: writer)
        if channel.isPhone || opened.isChat, !links.answers.isEmpty, !kind.isAlert {
          try Replies.offer(self, naming: doses, to: opened.replyName, context, in: writer)
        }
      }
    }
    let zone = patientZone.flatMap { try? context.zones.zone($0) } ?? .utc
    let language = accountLanguage ?? patientLanguage ?? .en
    return ClaimedDelivery(
      delivery: delivery, patient: patient, recipient: recipient, channel: channel,
      attempt: attempt + 1, attemptsSoFar: attempt, subject: subject, kind: kind,
      generation: generation, step: step, ready: nextTry,
      expires: kind.handler.expires(self, naming: doses), push: push,
      mailAddress: mail, form: form, settings: settings,
      content: ReminderContent(
        delivery: delivery, patient: patient, subject: subject, kind: kind,
        language: language, zone: zone,
        due: doses.first?.due ?? due,
        doses: doses.map { ReminderContent.NamedDose(key: $0.key, due: $0.due) },
        label: kind.handler.isLabelled(self) || isFamily
          ? patientLabel.text(of: patientName, .of(language)) : nil,
        needsReview: needsReview, links: links, isForFamily: isFamily,
        medicines: try medicines(doses, language, in: writer),
        alert: kind.handler.alert(of: self, at: context.now),
        now: context.now))
  }

  /// Returns the medicines as text, if the person allows them in notifications.
  private func medicines(
    _ doses: [RingingDose], _ language: Language, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    guard namesMedicine, !isFamily else { return [] }
    return try kind.handler.medicines(self, naming: doses, language, in: reader)
  }

  /// Returns the links that answer; none for doses that must be reviewed first.
  private func links(
    _ doses: [RingingDose], needsReview: Bool, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) -> ReminderLinks {
    var links = ReminderLinks()
    let handler = kind.handler
    if handler.provesAddress, channel.isPhone {
      links.code = ChannelAddresses.code(delivery, cipher: context.accounts.cipher)
    } else if handler.provesAddress {
      links.proof = ChannelAddresses.proof(delivery, cipher: context.accounts.cipher)
    }
    guard !needsReview, !isFamily,
      let offer = handler.offer(self, naming: doses, at: context.now)
    else { return links }
    links.answers = try ActionLinks.keep(
      delivery, patient: patient, recipient: recipient, offer, cipher: context.accounts.cipher,
      in: writer)
    return links
  }
}
