// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Localization
import Scheduling
import Storage
import TimeZones

extension ReminderEngine {
  /// How long a claim holds before others may send the same delivery.
  static let leaseMilliseconds: Int64 = 30_000

  /// Leases deliveries whose time has come, those that wait longest first; send them only after the
  /// commit.
  ///
  /// Those whose doses were meanwhile answered or came to nothing are ended instead, so that fewer
  /// than are waiting may come back; `channel` nil takes all.
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
    let toLookAt = try ProposalQueries.plansToLookAt(
      patients: Set(waiting.map(\.patient)), in: writer)
    let quiet = try LadderReading.quietHours(
      Set(waiting.filter(\.mayBeHeld).map(\.patient)).sorted(), zones: context.zones, in: writer)
    let sent = try SentReminders.standing(waiting, context, in: writer)
    let messages = try ChatNotices.verdicts(waiting, context, in: writer)
    var claimed: [ClaimedDelivery] = []
    var held: [Timestamp: [DeliveryID]] = [:]
    var ended: [DeliveryOutcome: [DeliveryID]] = [:]
    claimed.reserveCapacity(waiting.count)
    for delivery in waiting {
      let verdict =
        delivery.kind.isSent
        ? delivery.sentVerdict(isAllowed: sent[delivery.delivery] != nil, now: now)
        : messages[delivery.delivery]
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
        let plans = toLookAt[delivery.patient] ?? []
        var claim = try delivery.claimed(
          naming: named, mustLook: named.contains { plans.contains($0.key.plan) }, context,
          in: writer)
        claim.content.news = sent[delivery.delivery]
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
}

extension WaitingDelivery {
  fileprivate func claimed(
    naming doses: [RingingDose], mustLook: Bool, _ context: ReminderContext,
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
        links = try self.links(doses, mustLook: mustLook, context, in: writer)
        links.silence = try Mailboxes.keepLink(
          of: recipient, email: email, cipher: context.accounts.cipher, in: writer)
        mail = email
      }
    case .ntfy, .webhook, .sms, .call:
      if let settingsSealed {
        settings = try ChannelSettings.open(
          settingsSealed, of: address, cipher: context.accounts.cipher)
        links = try self.links(doses, mustLook: mustLook, context, in: writer)
      }
    }
    let zone = patientZone.flatMap { try? context.zones.zone($0) } ?? .utc
    let language = accountLanguage ?? patientLanguage ?? .en
    return ClaimedDelivery(
      delivery: delivery, patient: patient, recipient: recipient, channel: channel,
      attempt: attempt + 1, attemptsSoFar: attempt, subject: subject, kind: kind,
      generation: generation, rung: rung,
      expires: kind == .doses ? doses.map(\.lateUntil).max() ?? ends : ends, push: push,
      mailAddress: mail, form: form, settings: settings,
      content: ReminderContent(
        delivery: delivery, patient: patient, subject: subject, kind: kind,
        language: language, zone: zone,
        due: doses.first?.due ?? due,
        doses: doses.map { ReminderContent.NamedDose(key: $0.key, due: $0.due) },
        label: (patientCount > 1 && (isActing || kind != .message)) || isFamily
          ? patientLabel.text(of: patientName, .of(language)) : nil,
        mustLook: mustLook, links: links, isForFamily: isFamily,
        medicines: try medicines(doses, language, in: writer), occasion: namedOccasion(context.now),
        now: context.now))
  }

  /// What is to be taken, in words, where the person wants notifications to say it.
  private func medicines(
    _ doses: [RingingDose], _ language: Language, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    guard namesMedicine, !isFamily else { return [] }
    if kind == .alarm {
      return alarmKind.map { [$0.name(occasionName ?? "", .of(language))] } ?? []
    }
    guard kind == .doses, let patient = doses.first?.key.patient else {
      return []
    }
    let rows = try reader.query(Self.medicinesStatement, [.text(patient), .text(subject)])
    var found: [String: String] = [:]
    for row in rows {
      let row = row.read(TakenMedicineRow.self)
      let key = DoseKey(
        patient: patient, plan: try row.id(.plan), era: try row.integer(.era),
        occurrence: try row.text(.occurrence))
      found[key.text] = MedicineWords.text(
        name: try row.text(.medicineName), value: try row.optionalText(.amountValue),
        unit: try row.optionalText(.amountUnit), code: try row.optionalText(.amountCode),
        .of(language))
    }
    return doses.compactMap { found[$0.key.text] }
  }

  private static let medicinesStatement = SQLStatement(
    """
    SELECT \(TakenMedicineRow.columns)
    FROM doses d JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
    WHERE d.patient = $1 AND d.reminder = $2
    """)

  /// Links that answer; none for what is to be looked at first.
  private func links(
    _ doses: [RingingDose], mustLook: Bool, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) -> ReminderLinks {
    var links = ReminderLinks()
    if kind == .test, channel.isPhone {
      links.code = ChannelAddresses.code(delivery, cipher: context.accounts.cipher)
    } else if kind == .test {
      links.proof = ChannelAddresses.proof(delivery, cipher: context.accounts.cipher)
    }
    guard !mustLook, !isFamily, let offer = offer(doses, context.now) else { return links }
    links.answers = try ActionLinks.keep(
      delivery, patient: patient, recipient: recipient, offer, cipher: context.accounts.cipher,
      in: writer)
    return links
  }

  /// What may be answered without a sign-in; nil where there is nothing.
  private func offer(_ doses: [RingingDose], _ now: Timestamp) -> ActionLinks.Offer? {
    switch kind {
    case .doses: .doses(doses, generation: generation)
    case .alarm: occasion.map { .occasion($0, at: now) }
    case .summary, .test, .emergency, .review, .prescription, .warning, .wear, .lead, .news, .nudge,
      .message, .stock, .clock:
      nil
    }
  }

  private func namedOccasion(_ now: Timestamp) -> ReminderContent.NamedOccasion? {
    guard kind == .alarm, let occasion else { return nil }
    return .init(id: occasion.id, later: occasion.later(at: now))
  }
}

/// A dose with its medicine and amount, as a notification may say it.
enum TakenMedicineRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence, medicineName, amountValue, amountUnit, amountCode
  }

  static let columns = SQLColumns<Column>(
    of: "d", [.medicineName: "COALESCE(p.shown_name, p.medicine_name)"])
}
