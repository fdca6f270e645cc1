// SPDX-License-Identifier: Apache-2.0

import Localization
import Storage

/// A delivery whose time to be sent has come, with all that deciding about it and writing it needs.
struct WaitingDelivery: Sendable {
  let delivery: String
  let patient: String
  let subject: String
  let generation: Int64
  let rung: Int
  let recipient: String
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
  let accountLanguage: Language?
  let patientZone: String?
  let patientLanguage: Language?
  let patientName: String
  let patientLabel: PersonLabel
  /// For how many patients the recipient acts.
  let patientCount: Int64
  let isRecipient: Bool
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
        CASE WHEN d.channel = 'mail' THEN a.email_sealed END, a.language,
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
        u.label, u.nickname, u.colour
      FROM deliveries d
      JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
      LEFT JOIN push_subscriptions s ON s.subscription = d.address AND s.account = d.recipient
      LEFT JOIN accounts a ON a.account = d.recipient
      LEFT JOIN people u ON u.patient = d.patient
      WHERE d.state = 'waiting' AND d.next_try <= $1 AND d.channel IN ($2, $3)
      ORDER BY d.next_try LIMIT $4
        /*postgresql FOR UPDATE OF d SKIP LOCKED */
      """,
      [
        SQLValue(now), .text((channel ?? .push).rawValue), .text((channel ?? .mail).rawValue),
        SQLValue(limit),
      ])
    var found: [WaitingDelivery] = []
    found.reserveCapacity(rows.count)
    for row in rows { found.append(try WaitingDelivery(row)) }
    return found
  }

  private init(_ row: SQLRow) throws(StorageError) {
    delivery = try row.text(0)
    patient = try row.text(1)
    subject = try row.text(2)
    generation = try row.integer(3)
    rung = Int(clamping: try row.integer(4))
    recipient = try row.text(5)
    channel = try row.named(6)
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
    isRecipient = try row.integer(26) > 0
    isSuperseded = try row.integer(27) > 0
    patientLabel =
      row[28] == .null ? PersonLabel() : try PeopleRows.label(row, from: 28)
  }

  /// What to do about a delivery: send it for some doses, or end it unsent.
  enum Verdict: Sendable, Hashable {
    case send([RingingDose])
    case end(DeliveryOutcome)
  }

  /// Decides, from the doses of its subject as they stand in the same transaction.
  func verdict(_ doses: [RingingDose], now: Timestamp) -> Verdict {
    let hasAddress =
      channel == .push ? endpointSealed != nil && keysSealed != nil : emailSealed != nil
    guard hasAddress, isRecipient || kind == .test else { return .end(.stale) }
    guard kind != .test else {
      return now < ends && !isOver ? .send([]) : .end(.stale)
    }
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
}
