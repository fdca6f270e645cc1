// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage
import TimeZones

/// What a person chose about their reminders, as the page shows it.
package struct LadderChoices: Sendable, Hashable {
  /// Somebody of the family, and how far telling them has been agreed.
  package struct Family: Sendable, Hashable {
    package let account: AccountID
    package let name: String
    /// Nil where nobody offered it yet.
    package var offeredBy: String?
    package var isAccepted = false
    /// Whether they are told of doses; who sees the heart rate alone is told of its questions only.
    package var hearsDoses = true
  }

  package var ladder = Ladder.standard
  /// Whether the ladder was written by the person.
  package var isOwn = false
  package var quiet: QuietHours?
  package var namesMedicine = false
  package var family: [Family] = []
  /// Guardians who are told only when nobody else answered.
  package var standby = LadderStandby.Choice()
  /// The channels on which the account that looks is not told.
  package var silenced: Set<ReminderChannel> = []

  package init() {}
}

/// What may be said about one medicine's reminders.
package struct PlanReminders: Sendable, Hashable {
  /// Rungs go on in quiet hours.
  package var isCritical = false
  /// Nothing rings for it.
  package var isSilent = false
  /// By how many minutes each dose is announced.
  package var lead: Int?

  package init() {}
}

extension LadderChoices {
  /// The ladder as it goes for a dose: without those whom no dose reaches.
  package var ofDoses: Ladder {
    ladder.without(family: Set(family.filter { !$0.hearsDoses }.map(\.account)))
  }
}

/// Changing ladders; the caller has decided that the account may act for the patient.
package enum LadderCommands {
  private static let resource = "ReminderSettings"

  /// What a patient chose, and what an account chose about the patient.
  package static func choices(
    of patient: PatientID, account: AccountID, accounts: AccountStore, zones: ZoneCatalog,
    at now: Timestamp, in reader: any SQLReader
  ) throws -> LadderChoices {
    var choices = LadderChoices()
    choices.isOwn = try LadderReading.rungs([.text(patient)], in: reader)[patient] != nil
    if let timing = try LadderReading.timings([patient], zones: zones, in: reader)[patient] {
      choices.ladder = timing.ladder
      choices.quiet = timing.quiet
    }
    choices.namesMedicine =
      try reader.first(
        "SELECT 1 FROM ladder_settings WHERE patient = $1 AND names_medicine = 1",
        [.text(patient)]) != nil
    let rows = try reader.query(
      "SELECT account, offered_by, accepted FROM ladder_agreements WHERE patient = $1",
      [.text(patient)])
    var offers: [AccountID: (by: String, isAccepted: Bool)] = [:]
    for row in rows { offers[try row.id(0)] = (try row.text(1), row[2] != .null) }
    choices.family = try accounts.grants(of: patient, at: now, in: reader)
      .filter { grant in
        grant.right.relationship == .family
          && !grant.right.categories.isDisjoint(with: [.adherence, .heartRate])
      }
      .map { grant in
        LadderChoices.Family(
          account: grant.account, name: grant.displayName, offeredBy: offers[grant.account]?.by,
          isAccepted: offers[grant.account]?.isAccepted ?? false,
          hearsDoses: grant.right.categories.contains(.adherence))
      }
    choices.standby = try LadderStandby.choice(
      of: patient, account: account, accounts: accounts, at: now, in: reader)
    choices.silenced = try silenced(patient, account: account, in: reader)
    return choices
  }

  static func silenced(_ patient: PatientID, account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> Set<ReminderChannel>
  {
    let row = try reader.first(
      "SELECT channels FROM silenced_channels WHERE patient = $1 AND account = $2",
      [.text(patient), .text(account)])
    let words = try row?.text(0).split(separator: " ") ?? []
    return Set(words.compactMap { ReminderChannel(rawValue: String($0)) })
  }

  /// Keeps a ladder; nil goes back to the standard one.
  package static func keep(
    _ ladder: Ladder?, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM ladder_rungs WHERE patient = $1", [.text(patient)])
    for (index, rung) in (ladder?.rungs ?? []).enumerated() {
      let recipient = rung.recipient.account?.text ?? ""
      try writer.execute(
        """
        INSERT INTO ladder_rungs (patient, rung, minutes, channel, recipient)
        VALUES ($1, $2, $3, $4, $5)
        """,
        [
          .text(patient), SQLValue(index), SQLValue(rung.minutes), .text(rung.channel.rawValue),
          .text(recipient),
        ])
    }
    audit(patient, account, now, in: writer)
  }

  /// Keeps the quiet hours, and whether notifications name medicines.
  package static func keep(
    quiet: QuietHours?, namesMedicine: Bool, of patient: PatientID, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO ladder_settings (patient, quiet_from, quiet_until, names_medicine)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (patient) DO UPDATE SET quiet_from = excluded.quiet_from,
        quiet_until = excluded.quiet_until, names_medicine = excluded.names_medicine
      """,
      [
        .text(patient), SQLValue(quiet?.from), SQLValue(quiet?.until), SQLValue(namesMedicine),
      ])
    try ReminderWake.ladder(of: patient, at: now, in: writer)
    audit(patient, account, now, in: writer)
  }

  /// Says on which channels an account is not told of a patient.
  package static func silence(
    _ channels: Set<ReminderChannel>, of patient: PatientID, account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let words = ReminderChannel.allCases.filter(channels.contains).map(\.rawValue)
    try writer.execute(
      """
      INSERT INTO silenced_channels (patient, account, channels) VALUES ($1, $2, $3)
      ON CONFLICT (patient, account) DO UPDATE SET channels = excluded.channels
      """, [.text(patient), .text(account), .text(words.joined(separator: " "))])
    audit(patient, account, now, in: writer)
  }

  /// Offers to somebody of the family that they are told when nobody answers.
  ///
  /// They are told once they agree. False where nothing of what was taken is shared with them.
  package static func offer(
    to family: AccountID, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard try isShared(family, of: patient, at: now, in: writer) else { return false }
    try writer.execute(
      """
      INSERT INTO ladder_agreements (patient, account, offered_by, offered)
      VALUES ($1, $2, $3, $4) ON CONFLICT (patient, account) DO NOTHING
      """, [.text(patient), .text(family), .text(account), SQLValue(now)])
    audit(patient, account, now, in: writer)
    return true
  }

  /// The patients of whom an account was offered to be told, with whether it agreed.
  package static func offers(
    to account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [(patient: PatientID, name: String, isAccepted: Bool)] {
    try reader.query(
      """
      SELECT f.patient, u.display_name, f.accepted FROM ladder_agreements f
      JOIN people u ON u.patient = f.patient
      JOIN grants g ON g.patient = f.patient AND g.account = f.account
      WHERE f.account = $1 AND g.relationship = 'family' AND g.starts <= $2
        AND (g.ends IS NULL OR g.ends > $2) ORDER BY f.offered, f.patient
      """, [.text(account), SQLValue(now)]
    ).map { row throws(StorageError) in
      (try row.id(0), try row.text(1), row[2] != .null)
    }
  }

  /// The one who is to be told agrees; false where it was not offered.
  package static func accept(
    _ patient: PatientID, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard try isShared(account, of: patient, at: now, in: writer) else { return false }
    let changed = try writer.execute(
      """
      UPDATE ladder_agreements SET accepted = $1
      WHERE patient = $2 AND account = $3 AND accepted IS NULL
      """, [SQLValue(now), .text(patient), .text(account)])
    if changed > 0 {
      try ReminderWake.ladder(of: patient, at: now, in: writer)
      audit(patient, account, now, in: writer)
    }
    return changed > 0
  }

  /// Ends it, from either side, at once: what waits to be sent is not sent.
  package static func withdraw(
    _ family: AccountID, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM ladder_agreements WHERE patient = $1 AND account = $2",
      [.text(patient), .text(family)])
    audit(patient, account, now, in: writer)
  }

  private static func isShared(
    _ account: AccountID, of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM grants WHERE patient = $1 AND account = $2 AND relationship = 'family'
        AND starts <= $3 AND (ends IS NULL OR ends > $3)
        AND (' ' || categories || ' ' LIKE '% adherence %'
          OR ' ' || categories || ' ' LIKE '% heart-rate %')
      """, [.text(patient), .text(account), SQLValue(now)]) != nil
  }

  // MARK: One medicine

  /// The plans of a patient for which nothing rings.
  package static func silentPlans(of patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Set<PlanID>
  {
    let rows = try reader.query(
      "SELECT plan FROM plan_reminders WHERE patient = $1 AND is_silent = 1", [.text(patient)])
    var found: Set<PlanID> = []
    for row in rows { found.insert(try row.id(0)) }
    return found
  }

  package static func reminders(of plan: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> PlanReminders
  {
    var choice = PlanReminders()
    let row = try reader.first(
      "SELECT is_critical, is_silent, lead FROM plan_reminders WHERE patient = $1 AND plan = $2",
      [.text(patient), .text(plan)])
    if let row {
      choice.isCritical = try row.bool(0)
      choice.isSilent = try row.bool(1)
      choice.lead = try row.optionalInteger(2).map { Int(clamping: $0) }
    }
    return choice
  }

  /// Keeps what was said about a medicine; what rings for it stops or begins at once.
  package static func keep(
    _ choice: PlanReminders, of plan: PlanID, patient: PatientID, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO plan_reminders (patient, plan, is_critical, is_silent, lead)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (patient, plan) DO UPDATE SET is_critical = excluded.is_critical,
        is_silent = excluded.is_silent, lead = excluded.lead
      """,
      [
        .text(patient), .text(plan), SQLValue(choice.isCritical), SQLValue(choice.isSilent),
        SQLValue(choice.lead),
      ])
    try ReminderWake.plan(plan, patient: patient, at: now, in: writer)
    try ReminderWake.held(of: patient, at: now, in: writer)
    // A medicine that cannot wait any more goes on in the quiet hours.
    try ReminderWake.ladder(of: patient, at: now, in: writer)
    audit(patient, account, now, in: writer)
  }

  private static func audit(
    _ patient: PatientID, _ account: AccountID, _ now: Timestamp, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: resource,
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }
}
