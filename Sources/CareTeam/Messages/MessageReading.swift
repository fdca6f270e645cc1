// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HeartRate
import Identifiers
import People
import Plans
import Scheduling
import Storage
import Supply
import TimeZones

/// Reads the recipients of messages about a person, and the data that the rules need.
enum MessageReading {
  /// Returns the selected recipients in their order, with what is currently shared with them.
  static func recipients(
    of patient: PatientID, accounts: AccountStore, zones: ZoneCatalog, at now: Timestamp,
    in reader: any SQLReader
  ) throws -> [MessageRecipient] {
    let rows = try reader.query(recipientsStatement, [.text(patient)])
    guard !rows.isEmpty else { return [] }
    let rights = try rights(to: patient, accounts: accounts, at: now, in: reader)
    let rules = try rules(of: patient, in: reader)
    var found: [MessageRecipient] = []
    for row in rows {
      let row = row.read(MessageRecipientRow.self)
      let account: AccountID = try row.id(.account)
      var recipient = MessageRecipient(
        account: account, name: try row.text(.displayName), right: rights[account]?.right,
        isAgreed: row[.agreed] != .null, place: Int(clamping: try row.integer(.place)),
        most: Int(clamping: try row.integer(.most)), rules: rules[account] ?? [])
      recipient.says = try row.bool(.says)
      recipient.mayNudge = try row.bool(.mayNudge)
      recipient.zone = try row.optionalText(.zone).flatMap { try? zones.zone($0) } ?? .utc
      recipient.digestMinute =
        try row.optionalInteger(.digestMinute).map { Int(clamping: $0) }
        ?? MessagePreferences.standardDigest
      recipient.mutedUntil = try row.optionalTimestamp(.mutedUntil)
      found.append(recipient)
    }
    return found
  }

  private static let recipientsStatement = SQLStatement(
    """
    SELECT \(MessageRecipientRow.columns) FROM message_recipients m
    JOIN accounts a ON a.account = m.account
    LEFT JOIN people u ON u.patient = a.patient
    LEFT JOIN message_preferences p ON p.account = m.account
    WHERE m.patient = $1 ORDER BY m.place, m.account
    """)

  /// Returns the rights of others to a person's data, by account, with their names: relatives, guardians and
  /// practitioners.
  static func rights(
    to patient: PatientID, accounts: AccountStore, at now: Timestamp, in reader: any SQLReader
  ) throws -> [AccountID: (right: PatientRight, name: String)] {
    var found: [AccountID: (right: PatientRight, name: String)] = [:]
    var own: Set<AccountID> = []
    for grant in try accounts.grants(of: patient, at: now, in: reader) {
      switch grant.right.relationship {
      case .self_: own.insert(grant.account)
      case .emergency: break
      case .guardian, .family, .practitioner:
        let before = found[grant.account]?.right
        found[grant.account] = (
          before.map { $0.joined(with: grant.right) } ?? grant.right, grant.displayName
        )
      }
    }
    for account in own { found[account] = nil }
    return found
  }

  private static func rules(of patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [AccountID: [MessageRule]]
  {
    var found: [AccountID: [MessageRule]] = [:]
    for row in try reader.query(rulesStatement, [.text(patient)]) {
      let row = row.read(MessageRuleRow.self)
      guard let topic = MessageTopic(rawValue: try row.text(.topic)), topic != .more,
        let way = MessageWay(rawValue: try row.text(.way))
      else { continue }
      found[try row.id(.account), default: []].append(
        MessageRule(
          topic, way, number: Int(clamping: try row.integer(.number)),
          days: Int(clamping: try row.integer(.days)),
          minute: Int(clamping: try row.integer(.minute)), since: try row.timestamp(.since)))
    }
    return found
  }

  private static let rulesStatement = SQLStatement(
    """
    SELECT \(MessageRuleRow.columns) FROM message_rules
    WHERE patient = $1 ORDER BY account, topic
    """)

  /// Returns the data about a person, as far back as the rules need.
  static func facts(
    of patient: PatientID, for rules: [MessageRule], zones: ZoneCatalog, at now: Timestamp,
    in reader: any SQLReader
  ) throws -> MessageFacts {
    let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
    var facts = MessageFacts(now: now, zone: zone)
    let days = rules.filter { $0.topic == .missedOften }.map(\.days).max() ?? 0
    if rules.contains(where: { $0.topic.needs.contains(.adherence) }) {
      facts.doses = try doses(of: patient, days: Int64(days + 4), now, in: reader)
    }
    if rules.contains(where: { $0.topic.needs.contains(.heartRate) }) {
      facts.questions = try WarningStore.all(
        patient, from: zone.date(at: Instant(now)).adding(days: -60), limit: 60, in: reader
      ).filter { $0.kind == .heart }.map {
        MessageQuestion(
          id: $0.id.text, asked: $0.created, answer: $0.answer, answered: $0.answered,
          by: $0.answeredBy)
      }
    }
    if rules.contains(where: { $0.topic.needs.contains(.stock) }) {
      facts.stocks = try StockMarks.all(of: patient, in: reader)
    }
    return facts
  }

  private static func doses(
    of patient: PatientID, days: Int64, _ now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [MessageDose] {
    var found: [MessageDose] = []
    for row in try reader.query(
      dosesStatement,
      [
        .text(patient), SQLValue(now.adding(milliseconds: -days * 86_400_000)),
        SQLValue(now.adding(milliseconds: 36 * 3_600_000)),
      ])
    {
      let row = row.read(MessageDoseRow.self)
      let key = DoseKey(
        patient: patient, plan: try row.id(.plan), era: try row.integer(.era),
        occurrence: try row.text(.occurrence))
      found.append(
        MessageDose(
          id: key.text, plan: key.plan, due: try row.timestamp(.due),
          onTimeUntil: try row.timestamp(.onTimeUntil), lateUntil: try row.timestamp(.lateUntil),
          state: try row.named(.state), recorded: try row.optionalTimestamp(.recorded),
          reason: try row.optionalText(.reason), by: try row.optionalText(.byName)))
    }
    return found
  }

  private static let dosesStatement = SQLStatement(
    """
    SELECT \(MessageDoseRow.columns)
    FROM doses d LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
    WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3
    """)
}
