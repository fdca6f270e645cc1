// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Storage

/// A delivery whose time to be sent has come, with all that deciding about it and writing it needs.
struct WaitingDelivery: Sendable {
  let delivery: DeliveryID
  let patient: PatientID
  let subject: String
  let generation: Int64
  let rung: Int
  let recipient: AccountID
  let channel: ReminderChannel
  let address: String
  let doses: String
  let attempt: Int64
  let due: Timestamp
  // The reminder as it stands.
  let kind: ReminderKind
  let currentGeneration: Int64
  let freshUntil: Timestamp
  let handedOver: Timestamp?
  let ends: Timestamp
  let isOver: Bool
  // The recipient and the address as they stand.
  let endpointSealed: [UInt8]?
  let keysSealed: [UInt8]?
  let emailSealed: [UInt8]?
  /// Whether the recipient turned the mailbox's reminders off.
  let isMailboxSilent: Bool
  let settingsSealed: [UInt8]?
  let form: ChannelForm?
  /// Whether the person tapped a test of the address.
  let isProven: Bool
  let accountLanguage: Language?
  let patientZone: String?
  let patientLanguage: Language?
  let patientName: String
  let patientLabel: PersonLabel
  /// For how many patients the recipient acts.
  let patientCount: Int64
  let isRecipient: Bool
  /// Whether the recipient acts for the patient.
  let isActing: Bool
  /// Whether the recipient is of the family, and is told that nobody answered.
  let isFamily: Bool
  /// Whether the recipient does not want to be told on this channel.
  let isSilenced: Bool
  /// Whether notifications may say what is to be taken.
  let namesMedicine: Bool
  /// What rings where that is no dose, as it stands.
  let occasion: WaitingOccasion?
  /// The name that the person gave to the alarm.
  let occasionName: String?
  let alarmKind: AlarmKind?
  /// Whether a later rung of the same generation goes to the same address.
  let isSuperseded: Bool

  static func load(
    limit: Int, channel: ReminderChannel?, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [WaitingDelivery] {
    let rows = try reader.query(
      """
      SELECT d.delivery, d.patient, d.subject, d.generation, d.rung, d.recipient, d.channel,
        d.address, d.doses, d.attempt, d.due, r.kind, r.generation, r.fresh_until, r.handed_over,
        r.ends, r.outcome, s.endpoint_sealed, s.keys_sealed, s.gone,
        CASE WHEN d.channel = 'mail' AND a.by_phone = 0 THEN a.email_sealed END, a.language,
        u.zone, u.language, u.display_name,
        (SELECT COUNT(DISTINCT g.patient) FROM grants g
          WHERE g.account = d.recipient AND g.relationship IN ('self', 'guardian')
            AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1)),
        (SELECT COUNT(*) FROM grants g
          WHERE g.patient = d.patient AND g.account = d.recipient
            AND g.relationship IN ('self', 'guardian')
            AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1)),
        (SELECT COUNT(*) FROM deliveries n
          WHERE n.patient = d.patient AND n.subject = d.subject AND n.generation = d.generation
            AND n.rung > d.rung AND n.recipient = d.recipient AND n.address = d.address),
        u.label, u.nickname, u.colour, m.silenced,
        c.settings_sealed, c.confirmed,
        (SELECT COUNT(*) FROM grants g JOIN ladder_agreements f
            ON f.patient = g.patient AND f.account = g.account AND f.accepted IS NOT NULL
          LEFT JOIN heart_watching h ON h.patient = g.patient
          WHERE g.patient = d.patient AND g.account = d.recipient AND g.relationship = 'family'
            AND ((r.kind IN ('doses', 'summary') AND ' ' || g.categories || ' ' LIKE '% adherence %')
              OR (r.kind = 'warning' AND ' ' || g.categories || ' ' LIKE '% heart-rate %'
                AND COALESCE(h.tells_family, 1) = 1))
            AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1)),
        x.channels, y.names_medicine, c.form, o.state, l.label, l.kind, o.occasion,
        o.is_critical, o.due, o.ends, l.snooze
      FROM deliveries d
      JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
      LEFT JOIN push_subscriptions s ON s.subscription = d.address AND s.account = d.recipient
      LEFT JOIN accounts a ON a.account = d.recipient
      LEFT JOIN people u ON u.patient = d.patient
      LEFT JOIN mailbox_choices m ON m.account = d.recipient
      LEFT JOIN channel_addresses c
        ON c.address = d.address AND c.account = d.recipient AND c.gone IS NULL
      LEFT JOIN silenced_channels x ON x.patient = d.patient AND x.account = d.recipient
      LEFT JOIN ladder_settings y ON y.patient = d.patient
      LEFT JOIN occasions o ON o.patient = d.patient AND o.subject = d.subject
      LEFT JOIN alarms l ON l.patient = o.patient AND l.alarm = o.source
      WHERE d.state = 'waiting' AND d.next_try <= $1 AND ($2 = '' OR d.channel = $2)
      ORDER BY d.next_try LIMIT $3
        /*postgresql FOR UPDATE OF d SKIP LOCKED */
      """,
      [
        SQLValue(now), .text(channel?.rawValue ?? ""), SQLValue(limit),
      ])
    var found: [WaitingDelivery] = []
    found.reserveCapacity(rows.count)
    for row in rows { found.append(try WaitingDelivery(row)) }
    return found
  }

  private init(_ row: SQLRow) throws(StorageError) {
    delivery = try row.id(0)
    patient = try row.id(1)
    subject = try row.text(2)
    generation = try row.integer(3)
    rung = Int(clamping: try row.integer(4))
    recipient = try row.id(5)
    channel = try row.named(6)
    let channelName = channel.rawValue
    address = try row.text(7)
    doses = try row.text(8)
    attempt = try row.integer(9)
    due = try row.timestamp(10)
    kind = try row.named(11)
    currentGeneration = try row.integer(12)
    freshUntil = try row.timestamp(13)
    handedOver = try row.optionalTimestamp(14)
    ends = try row.timestamp(15)
    isOver = row[16] != .null
    let isAlive = row[19] == .null
    endpointSealed = isAlive ? try row.optionalBlob(17) : nil
    keysSealed = isAlive ? try row.optionalBlob(18) : nil
    emailSealed = try row.optionalBlob(20)
    accountLanguage = try row.optionalText(21).flatMap { Language(tag: $0) }
    patientZone = try row.optionalText(22)
    patientLanguage = try row.optionalText(23).flatMap { Language(tag: $0) }
    patientName = try row.optionalText(24) ?? ""
    patientCount = try row.integer(25)
    isActing = try row.integer(26) > 0
    let isTold = try row.integer(34) > 0
    isFamily = !isActing && isTold
    isRecipient = isActing || isFamily
    let silenced = try row.optionalText(35) ?? ""
    isSilenced = silenced.split(separator: " ").contains { $0 == channelName }
    namesMedicine = try (row.optionalInteger(36) ?? 0) != 0
    form = try row.optionalText(37).flatMap(ChannelForm.init(rawValue:))
    isSuperseded = try row.integer(27) > 0
    occasion = try WaitingOccasion(row, from: (state: 38, rest: 41))
    occasionName = try row.optionalText(39)
    alarmKind = try row.optionalText(40).flatMap(AlarmKind.init(rawValue:))
    patientLabel =
      row[28] == .null ? PersonLabel() : try PeopleRows.label(row, from: 28)
    isMailboxSilent = row[31] != .null
    settingsSealed = try row.optionalBlob(32)
    isProven = row[33] != .null
  }

  /// What to do about a delivery: send it for some doses, keep it for later, or end it unsent.
  enum Verdict: Sendable, Hashable {
    case send([RingingDose])
    case hold(until: Timestamp)
    case end(DeliveryOutcome)
  }

  private var hasAddress: Bool {
    switch channel {
    case .push: endpointSealed != nil && keysSealed != nil
    case .mail: emailSealed != nil && !isMailboxSilent
    case .ntfy, .webhook, .sms, .call: settingsSealed != nil && (isProven || kind == .test)
    }
  }

  /// Whether a notice of a message may go out, for all that the address and the reminder say.
  func mayCarryMessages(at now: Timestamp) -> Bool {
    hasAddress && !isSilenced && now < ends && !isOver && generation == currentGeneration
  }

  /// Whether the quiet hours may hold it back.
  var mayBeHeld: Bool { kind.isCalm || (rung > 0 && (kind.climbs || kind == .warning)) }

  /// Decides, from the doses of its subject and the quiet hours as they stand in the same transaction.
  ///
  /// - Parameter quiet: nil where the person chose no quiet hours.
  func verdict(_ doses: [RingingDose], quiet: LadderTiming? = nil, now: Timestamp) -> Verdict {
    let verdict = standing(doses, now: now)
    guard case .send = verdict, mayBeHeld, var quiet else { return verdict }
    quiet.isCritical =
      kind == .doses
      ? doses.contains { $0.isCritical && $0.state == .open } : occasion?.isCritical ?? false
    return quiet.held(at: now).map { .hold(until: $0) } ?? verdict
  }

  private func standing(_ doses: [RingingDose], now: Timestamp) -> Verdict {
    let isTold = isRecipient && (!isSilenced || kind.isNotice)
    guard hasAddress, isTold || kind == .test else { return .end(.stale) }
    guard kind != .test, !kind.isNotice, !kind.isWatching, !kind.isCalm else {
      let isCurrent = generation == currentGeneration || !kind.isWatching
      return now < ends && !isOver && isCurrent ? .send([]) : .end(.stale)
    }
    if kind.isOccasion { return occasionVerdict(now) }
    let inGroup = doses.filter { $0.ringsAt == $0.ring && $0.state == .open && $0.isPlanActive }
    let named =
      kind == .summary
      ? (now < ends ? inGroup : []) : inGroup.filter { now < $0.lateUntil }
    guard !named.isEmpty else {
      let isAnswered = inGroup.isEmpty && doses.contains(where: \.isAnswered)
      return .end(isAnswered ? .answered : .stale)
    }
    let isTooLate = kind == .doses && handedOver == nil && now > freshUntil
    guard generation == currentGeneration, !isOver, !isSuperseded, !isTooLate else {
      return .end(.stale)
    }
    return .send(named.sorted(by: RingingDose.inOrder))
  }

  /// The same for what comes of somebody else.
  ///
  /// - Parameter isAllowed: whether both sides want it still, as was asked in the same transaction.
  func sentVerdict(isAllowed: Bool, now: Timestamp) -> Verdict {
    let isTold = kind == .news || isRecipient
    guard isAllowed, isTold, hasAddress, !isSilenced, now < ends, !isOver else {
      return .end(.stale)
    }
    return .send([])
  }

  private func occasionVerdict(_ now: Timestamp) -> Verdict {
    guard let occasion else { return .end(.stale) }
    guard !occasion.state.isAnswered else { return .end(.answered) }
    let isTooLate = handedOver == nil && now > freshUntil
    guard occasion.state == .open, now < ends, generation == currentGeneration, !isOver,
      !isSuperseded,
      !isTooLate
    else { return .end(.stale) }
    return .send([])
  }
}

/// An occasion as a delivery of its reminder needs it.
struct WaitingOccasion: Sendable, Hashable {
  let id: String
  let state: Occasion.State
  let isCritical: Bool
  let due: Timestamp
  let ends: Timestamp
  /// How long the alarm's own "later" puts off; nil for what is no alarm.
  let snooze: Int?

  /// Nil where the row has none.
  fileprivate init?(_ row: SQLRow, from columns: (state: Int, rest: Int)) throws(StorageError) {
    guard let state = try row.optionalText(columns.state).flatMap(Occasion.State.init(rawValue:))
    else { return nil }
    self.state = state
    id = try row.text(columns.rest)
    isCritical = try row.bool(columns.rest + 1)
    due = try row.timestamp(columns.rest + 2)
    ends = try row.timestamp(columns.rest + 3)
    snooze = try row.optionalInteger(columns.rest + 4).map { Int(clamping: $0) }
  }

  /// By how much a press on "later" puts off; nil where that fits no more.
  func later(at now: Timestamp) -> Int? {
    let minutes = snooze ?? AlarmDraft.standardSnooze
    return minutes <= OccasionRule.maximumMinutes(due: due, ends: ends, at: now) ? minutes : nil
  }
}
