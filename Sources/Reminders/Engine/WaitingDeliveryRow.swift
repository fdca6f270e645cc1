// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import People
import Storage

/// A delivery to send with its reminder, its recipient, its address and its patient: the row behind each
/// ``WaitingDelivery``.
enum WaitingDeliveryRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case delivery, patient, subject, generation, step, recipient, channel, address, doses
    case attempt, due, nextTry
    case kind, currentGeneration, freshUntil, handedOver, ends, outcome
    case endpointSealed, keysSealed, deviceGone, emailSealed, accountLanguage
    case zone, patientLanguage, displayName, patientCount, actingGrants, laterSteps
    case label, nickname, colour, mailSilenced, settingsSealed, confirmed, familyGrants
    case silencedChannels, namesMedicine, form
    case alertState, alarmLabel, alarmKind, alert, isCritical, alertDue, alertEnds
    case snooze
  }

  /// The first parameter of the statement is the time of the claim.
  static let columns = SQLColumns<Column>(
    of: "d",
    [
      .kind: "r.kind", .currentGeneration: "r.generation", .freshUntil: "r.fresh_until",
      .handedOver: "r.handed_over", .ends: "r.ends", .outcome: "r.outcome",
      .endpointSealed: "s.endpoint_sealed", .keysSealed: "s.keys_sealed", .deviceGone: "s.gone",
      .emailSealed: "CASE WHEN d.channel = 'mail' AND a.by_phone = 0 THEN a.email_sealed END",
      .accountLanguage: "a.language",
      .zone: "u.zone", .patientLanguage: "u.language", .displayName: "u.display_name",
      .patientCount: """
      (SELECT COUNT(DISTINCT g.patient) FROM grants g
        WHERE g.account = d.recipient AND g.relationship IN ('self', 'guardian')
          AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1))
      """,
      .actingGrants: """
      (SELECT COUNT(*) FROM grants g
        WHERE g.patient = d.patient AND g.account = d.recipient
          AND g.relationship IN ('self', 'guardian')
          AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1))
      """,
      .laterSteps: """
      (SELECT COUNT(*) FROM deliveries n
        WHERE n.patient = d.patient AND n.subject = d.subject AND n.generation = d.generation
          AND n.step > d.step AND n.recipient = d.recipient AND n.address = d.address)
      """,
      .label: "u.label", .nickname: "u.nickname", .colour: "u.colour", .mailSilenced: "m.silenced",
      .settingsSealed: "c.settings_sealed", .confirmed: "c.confirmed",
      .familyGrants: """
      (SELECT COUNT(*) FROM grants g JOIN escalation_agreements f
          ON f.patient = g.patient AND f.account = g.account AND f.accepted IS NOT NULL
        LEFT JOIN heart_rate_monitoring h ON h.patient = g.patient
        WHERE g.patient = d.patient AND g.account = d.recipient AND g.relationship = 'family'
          AND ((r.kind IN ('doses', 'summary') AND ' ' || g.categories || ' ' LIKE '% adherence %')
            OR (r.kind = 'warning' AND ' ' || g.categories || ' ' LIKE '% heart-rate %'
              AND COALESCE(h.tells_family, 1) = 1))
          AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1))
      """,
      .silencedChannels: "x.channels", .namesMedicine: "y.names_medicine", .form: "c.form",
      .alertState: "o.state", .alarmLabel: "l.label", .alarmKind: "l.kind",
      .alert: "o.alert", .isCritical: "o.is_critical", .alertDue: "o.due",
      .alertEnds: "o.ends", .snooze: "l.snooze",
    ])
}

extension WaitingDelivery {
  /// Returns the deliveries whose time has come, the longest waiting first.
  static func load(
    limit: Int, channel: ReminderChannel?, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [WaitingDelivery] {
    let rows = try reader.query(
      statement, [SQLValue(now), .text(channel?.rawValue ?? ""), SQLValue(limit)])
    var found: [WaitingDelivery] = []
    found.reserveCapacity(rows.count)
    for row in rows { found.append(try WaitingDelivery(row.read(WaitingDeliveryRow.self))) }
    return found
  }

  private static let statement = SQLStatement(
    """
    SELECT \(WaitingDeliveryRow.columns)
    FROM deliveries d
    JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
    LEFT JOIN push_subscriptions s ON s.subscription = d.address AND s.account = d.recipient
    LEFT JOIN accounts a ON a.account = d.recipient
    LEFT JOIN people u ON u.patient = d.patient
    LEFT JOIN mailbox_choices m ON m.account = d.recipient
    LEFT JOIN channel_addresses c
      ON c.address = d.address AND c.account = d.recipient AND c.gone IS NULL
    LEFT JOIN silenced_channels x ON x.patient = d.patient AND x.account = d.recipient
    LEFT JOIN escalation_settings y ON y.patient = d.patient
    LEFT JOIN alerts o ON o.patient = d.patient AND o.subject = d.subject
    LEFT JOIN alarms l ON l.patient = o.patient AND l.alarm = o.source
    WHERE d.state = 'waiting' AND d.next_try <= $1 AND ($2 = '' OR d.channel = $2)
    ORDER BY d.next_try LIMIT $3
      /*postgresql FOR UPDATE OF d SKIP LOCKED */
    """)

  private init(_ row: ColumnReader<WaitingDeliveryRow.Column>) throws(StorageError) {
    delivery = try row.id(.delivery)
    patient = try row.id(.patient)
    subject = try row.id(.subject)
    generation = try row.integer(.generation)
    step = Int(clamping: try row.integer(.step))
    recipient = try row.id(.recipient)
    channel = try row.named(.channel)
    let channelName = channel.rawValue
    address = try row.text(.address)
    doses = try row.text(.doses)
    attempt = try row.integer(.attempt)
    due = try row.timestamp(.due)
    nextTry = try row.timestamp(.nextTry)
    kind = try row.named(.kind)
    currentGeneration = try row.integer(.currentGeneration)
    freshUntil = try row.timestamp(.freshUntil)
    handedOver = try row.optionalTimestamp(.handedOver)
    ends = try row.timestamp(.ends)
    isOver = row[.outcome] != .null
    let isAlive = row[.deviceGone] == .null
    endpointSealed = isAlive ? try row.optionalBlob(.endpointSealed) : nil
    keysSealed = isAlive ? try row.optionalBlob(.keysSealed) : nil
    emailSealed = try row.optionalBlob(.emailSealed)
    accountLanguage = try row.optionalText(.accountLanguage).flatMap { Language(tag: $0) }
    patientZone = try row.optionalText(.zone)
    patientLanguage = try row.optionalText(.patientLanguage).flatMap { Language(tag: $0) }
    patientName = try row.optionalText(.displayName) ?? ""
    patientLabel = try Self.label(row)
    patientCount = try row.integer(.patientCount)
    isActing = try row.integer(.actingGrants) > 0
    let hasAgreed = try row.integer(.familyGrants) > 0
    isFamily = !isActing && hasAgreed
    isRecipient = isActing || isFamily
    let silenced = try row.optionalText(.silencedChannels) ?? ""
    isSilenced = silenced.split(separator: " ").contains { $0 == channelName }
    namesMedicine = try (row.optionalInteger(.namesMedicine) ?? 0) != 0
    form = try row.optionalText(.form).flatMap(ChannelForm.init(rawValue:))
    isSuperseded = try row.integer(.laterSteps) > 0
    alert = try WaitingAlert(row)
    alertName = try row.optionalText(.alarmLabel)
    alarmKind = try row.optionalText(.alarmKind).flatMap(AlarmKind.init(rawValue:))
    isMailboxSilent = row[.mailSilenced] != .null
    settingsSealed = try row.optionalBlob(.settingsSealed)
    isProven = row[.confirmed] != .null
  }

  /// Returns the label of the patient; the standard one if the row has no person.
  private static func label(
    _ row: ColumnReader<WaitingDeliveryRow.Column>
  ) throws(StorageError) -> PersonLabel {
    guard let kind = try row.optionalText(.label) else { return PersonLabel() }
    return PersonLabel(
      PersonLabel.Kind(rawValue: kind) ?? .initial,
      colour: PersonColour(rawValue: try row.text(.colour)), nickname: try row.text(.nickname))
  }
}

extension WaitingAlert {
  /// Creates the alert; nil if the row has none.
  fileprivate init?(_ row: ColumnReader<WaitingDeliveryRow.Column>) throws(StorageError) {
    let state = try row.optionalText(.alertState).flatMap(Alert.State.init(rawValue:))
    guard let state else { return nil }
    self.state = state
    id = try row.id(.alert)
    isCritical = try row.bool(.isCritical)
    due = try row.timestamp(.alertDue)
    ends = try row.timestamp(.alertEnds)
    snooze = try row.optionalInteger(.snooze).map { Int(clamping: $0) }
  }
}
