// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Reminders
import Storage
import TimeZones

/// A recipient's choices for all messages, whichever patient they are about.
package struct MessagePreferences: Sendable, Hashable {
  /// The minute of the day at which a digest arrives unless another is chosen: 8:00.
  package static let standardDigest = 8 * 60

  /// The minute of the day at which the digest arrives, on the recipient's clock.
  package var digestMinute = standardDigest
  /// The time until which no message is sent to a device; nil for none.
  package var mutedUntil: Timestamp?
  /// The phone number that others may call, as typed; empty for none.
  package var phone = ""

  /// Creates the standard choices.
  package init() {}
}

/// A patient about whom an account receives messages, or was asked to.
package struct MessageOffer: Sendable, Hashable {
  /// The patient.
  package let patient: PatientID
  /// The patient's displayed name.
  package let name: String
  /// True if the account agreed.
  package let isAgreed: Bool
  /// True if the patient lets the account send nudges.
  package let mayNudge: Bool
  /// The data that the patient shares with the account.
  package let right: PatientRight
}

/// Commands that set who receives which messages about a patient.
///
/// The caller has decided that the account may act for the patient, or that it is about its own choices.
package enum MessageCommands {
  /// The resource that `Access` is asked about, and the name in the audit trail.
  package static let resource = "MessageRule"

  /// Returns all people who may receive messages about a patient, selected or not.
  ///
  /// The selected ones come first, by their position; the others follow by name.
  package static func recipients(
    of patient: PatientID, accounts: AccountStore, zones: ZoneCatalog, at now: Timestamp,
    in reader: any SQLReader
  ) throws -> [MessageRecipient] {
    let chosen = try MessageReading.recipients(
      of: patient, accounts: accounts, zones: zones, at: now, in: reader)
    let known = Set(chosen.map(\.account))
    let others = try MessageReading.rights(to: patient, accounts: accounts, at: now, in: reader)
      .filter { !known.contains($0.key) }
      .map { account, other in
        MessageRecipient(
          account: account, name: other.name, right: other.right, isAgreed: false)
      }
    return chosen.filter { $0.right != nil }
      + others.sorted { ($0.name, $0.account) < ($1.name, $1.account) }
  }

  /// Saves the messages that a person receives; returns false if nothing is shared with them.
  ///
  /// Without a rule and without nudges they are removed, and nothing that was planned for them is sent.
  package static func keep(
    _ choice: MessageRecipient, of patient: PatientID, by account: AccountID,
    accounts: AccountStore,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> Bool {
    let recipient = choice.account
    guard
      let right = try MessageReading.rights(
        to: patient, accounts: accounts, at: now, in: writer)[recipient]?.right
    else { return false }
    let rules = choice.rules.filter { $0.topic != .more && $0.topic.isOpen(to: right) }
    if rules.isEmpty, !choice.mayNudge {
      try withdraw(recipient, of: patient, by: account, at: now, in: writer)
      return true
    }
    let row = NewMessageRecipientRow(
      patient: patient, choice: choice, offeredBy: account, offered: now)
    try writer.execute(insertRecipient, row.values)
    let topics = Set(rules.map(\.topic))
    for topic in MessageTopic.rules where !topics.contains(topic) {
      try writer.execute(
        "DELETE FROM message_rules WHERE patient = $1 AND account = $2 AND topic = $3",
        [.text(patient), .text(recipient), .text(topic.rawValue)])
    }
    for rule in rules {
      let row = NewMessageRuleRow(patient: patient, account: recipient, rule: rule, since: now)
      try writer.execute(insertRule, row.values)
    }
    try MessageCheckStore.begin(patient, at: now, in: writer)
    audit(patient, recipient, by: account, now, in: writer)
    return true
  }

  private static let insertRecipient = SQLStatement(
    """
    INSERT INTO message_recipients (\(NewMessageRecipientRow.columns))
    VALUES (\(NewMessageRecipientRow.placeholders))
    ON CONFLICT (patient, account) DO UPDATE SET place = excluded.place, most = excluded.most,
      says = excluded.says, may_nudge = excluded.may_nudge
    """)

  private static let insertRule = SQLStatement(
    """
    INSERT INTO message_rules (\(NewMessageRuleRow.columns))
    VALUES (\(NewMessageRuleRow.placeholders))
    ON CONFLICT (patient, account, topic) DO UPDATE SET way = excluded.way,
      number = excluded.number, days = excluded.days, minute = excluded.minute
    """)

  /// Ends all messages to a recipient about a patient, at either side's request; nothing that waits
  /// is sent.
  package static func withdraw(
    _ recipient: AccountID, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let arguments = [SQLValue.text(patient), .text(recipient)]
    try writer.execute(
      "DELETE FROM message_rules WHERE patient = $1 AND account = $2", arguments)
    let ended = try writer.execute(
      "DELETE FROM message_recipients WHERE patient = $1 AND account = $2", arguments)
    guard ended > 0 else { return }
    try CaregiverMessageStore.withdraw(from: recipient, about: patient, at: now, in: writer)
    try MessageCheckStore.wake(patient, at: now, in: writer)
    audit(patient, recipient, by: account, now, in: writer)
  }

  // MARK: The recipient's side

  /// Returns the patients about whom an account was asked to receive messages, by name.
  package static func offers(
    to account: AccountID, rights: [PatientID: PatientRight], in reader: any SQLReader
  ) throws(StorageError) -> [MessageOffer] {
    var found: [MessageOffer] = []
    for row in try reader.query(offersStatement, [.text(account)]) {
      let row = row.read(MessageOfferRow.self)
      let patient: PatientID = try row.id(.patient)
      guard let right = rights[patient], right.relationship != .emergency else { continue }
      found.append(
        MessageOffer(
          patient: patient, name: try row.text(.displayName), isAgreed: row[.agreed] != .null,
          mayNudge: try row.bool(.mayNudge), right: right))
    }
    return found
  }

  private static let offersStatement = SQLStatement(
    """
    SELECT \(MessageOfferRow.columns) FROM message_recipients m
    JOIN people u ON u.patient = m.patient
    WHERE m.account = $1 ORDER BY u.display_name, m.patient
    """)

  /// Records that an account agrees to receive messages; returns false if no offer waits for an answer.
  ///
  /// Only events from now on are reported.
  package static func agree(
    to patient: PatientID, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let changed = try writer.execute(
      """
      UPDATE message_recipients SET agreed = $1
      WHERE patient = $2 AND account = $3 AND agreed IS NULL
      """, [SQLValue(now), .text(patient), .text(account)])
    guard changed > 0 else { return false }
    // Events before the agreement were not reported, and stay so.
    try writer.execute(
      "UPDATE message_rules SET since = $1 WHERE patient = $2 AND account = $3",
      [SQLValue(now), .text(patient), .text(account)])
    try MessageCheckStore.begin(patient, at: now, in: writer)
    audit(patient, account, by: account, now, in: writer)
    return true
  }

  /// Returns an account's choices, or the standard ones.
  package static func preferences(
    of account: AccountID, accounts: AccountStore, in reader: any SQLReader
  ) throws(StorageError) -> MessagePreferences {
    var found = MessagePreferences()
    let row: MessagePreferencesRow? = try reader.first(
      preferencesStatement, [.text(account)])?.decode()
    guard let row else { return found }
    found.digestMinute = row.digestMinute
    found.mutedUntil = row.mutedUntil
    if let sealed = row.phoneSealed {
      found.phone = try accounts.cipher.open(sealed, context: context(of: account))
    }
    return found
  }

  private static let preferencesStatement = SQLStatement(
    "SELECT \(MessagePreferencesRow.columns) FROM message_preferences WHERE account = $1")

  /// Saves an account's choices, with the phone number encrypted.
  package static func keep(
    _ preferences: MessagePreferences, of account: AccountID, accounts: AccountStore,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let phone = preferences.phone
    let sealed =
      phone.isEmpty ? nil : try accounts.cipher.seal(phone, context: context(of: account))
    let row = MessagePreferencesRow(
      account: account, digestMinute: preferences.digestMinute,
      mutedUntil: preferences.mutedUntil, phoneSealed: sealed)
    try writer.execute(keepPreferences, row.values)
    // Messages that wait for the old hour are checked again.
    try MessageCheckStore.wakeAll(of: account, at: now, in: writer)
  }

  private static let keepPreferences = SQLStatement(
    """
    INSERT INTO message_preferences (\(MessagePreferencesRow.columns))
    VALUES (\(MessagePreferencesRow.placeholders))
    ON CONFLICT (account) DO UPDATE SET digest_minute = excluded.digest_minute,
      muted_until = excluded.muted_until, phone_sealed = excluded.phone_sealed
    """)

  /// Returns the phone numbers that recipients can be called at, by account.
  package static func phones(
    of recipients: [AccountID], accounts: AccountStore, in reader: any SQLReader
  ) throws(StorageError) -> [AccountID: String] {
    guard !recipients.isEmpty else { return [:] }
    var found: [AccountID: String] = [:]
    let rows: [MessagePreferencesRow] = try reader.query(
      """
      SELECT \(MessagePreferencesRow.columns) FROM message_preferences
      WHERE phone_sealed IS NOT NULL AND account IN (
      """, [], in: recipients.map { .text($0) }
    ).decode()
    for row in rows {
      guard let sealed = row.phoneSealed else { continue }
      found[row.account] = try accounts.cipher.open(sealed, context: context(of: row.account))
    }
    return found
  }

  private static func context(of account: AccountID) -> String {
    "message_preferences:\(account):phone"
  }

  private static func audit(
    _ patient: PatientID, _ recipient: AccountID, by account: AccountID, _ now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: resource,
        resourceID: recipient.text, version: nil, purpose: Purpose.care.rawValue, outcome: .success)
    )
  }
}
