// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage
import TimeZones

/// What a person chose about their reminders, as the page shows it.
package struct EscalationChoices: Sendable, Hashable {
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

  package var escalation = EscalationPolicy.standard
  /// Whether the ladder was written by the person.
  package var isOwn = false
  package var quiet: QuietHours?
  package var namesMedicine = false
  package var family: [Family] = []
  /// Guardians who are told only when nobody else answered.
  package var standby = EscalationStandby.Choice()
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

extension EscalationChoices {
  /// The ladder as it goes for a dose: without those whom no dose reaches.
  package var ofDoses: EscalationPolicy {
    escalation.without(family: Set(family.filter { !$0.hearsDoses }.map(\.account)))
  }
}

/// Changing ladders; the caller has decided that the account may act for the patient.
package enum EscalationCommands {
  private static let resource = "ReminderSettings"

  /// What a patient chose, and what an account chose about the patient.
  package static func choices(
    of patient: PatientID, account: AccountID, accounts: AccountStore, zones: ZoneCatalog,
    at now: Timestamp, in reader: any SQLReader
  ) throws -> EscalationChoices {
    var choices = EscalationChoices()
    choices.isOwn = try EscalationReading.rungs([.text(patient)], in: reader)[patient] != nil
    if let timing = try EscalationReading.timings([patient], zones: zones, in: reader)[patient] {
      choices.escalation = timing.escalation
      choices.quiet = timing.quiet
    }
    choices.namesMedicine =
      try reader.first(
        "SELECT 1 FROM escalation_settings WHERE patient = $1 AND names_medicine = 1",
        [.text(patient)]) != nil
    var offers: [AccountID: EscalationAgreementRow] = [:]
    for offer in try reader.query(agreementsStatement, [.text(patient)])
      .decode(as: EscalationAgreementRow.self)
    {
      offers[offer.account] = offer
    }
    choices.family = try accounts.grants(of: patient, at: now, in: reader)
      .filter { grant in
        grant.right.relationship == .family
          && !grant.right.categories.isDisjoint(with: [.adherence, .heartRate])
      }
      .map { grant in
        EscalationChoices.Family(
          account: grant.account, name: grant.displayName,
          offeredBy: offers[grant.account]?.offeredBy,
          isAccepted: offers[grant.account]?.accepted != nil,
          hearsDoses: grant.right.categories.contains(.adherence))
      }
    choices.standby = try EscalationStandby.choice(
      of: patient, account: account, accounts: accounts, at: now, in: reader)
    choices.silenced = try silenced(patient, account: account, in: reader)
    return choices
  }

  private static let agreementsStatement = SQLStatement(
    "SELECT \(EscalationAgreementRow.columns) FROM escalation_agreements WHERE patient = $1")

  static func silenced(_ patient: PatientID, account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> Set<ReminderChannel>
  {
    let channels = try reader.first(
      "SELECT channels FROM silenced_channels WHERE patient = $1 AND account = $2",
      [.text(patient), .text(account)])?.value(as: String.self)
    let words = channels?.split(separator: " ") ?? []
    return Set(words.compactMap { ReminderChannel(rawValue: String($0)) })
  }

  /// Keeps a ladder; nil goes back to the standard one.
  package static func keep(
    _ escalation: EscalationPolicy?, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.replace(rungsOf: patient, with: escalation?.rungs ?? [], in: writer)
    audit(patient, account, now, in: writer)
  }

  /// Keeps the quiet hours, and whether notifications name medicines.
  package static func keep(
    quiet: QuietHours?, namesMedicine: Bool, of patient: PatientID, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.set(quiet: quiet, namesMedicine: namesMedicine, of: patient, in: writer)
    try ReminderWake.escalation(of: patient, at: now, in: writer)
    audit(patient, account, now, in: writer)
  }

  /// Says on which channels an account is not told of a patient.
  package static func silence(
    _ channels: Set<ReminderChannel>, of patient: PatientID, account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.silence(channels, of: patient, account: account, in: writer)
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
    try EscalationStore.offer(to: family, of: patient, by: account, at: now, in: writer)
    audit(patient, account, now, in: writer)
    return true
  }

  /// The patients of whom an account was offered to be told, with whether it agreed.
  package static func offers(
    to account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [(patient: PatientID, name: String, isAccepted: Bool)] {
    try reader.query(offersStatement, [.text(account), SQLValue(now)])
      .decode(as: EscalationOfferRow.self)
      .map { ($0.patient, $0.displayName, $0.accepted != nil) }
  }

  private static let offersStatement = SQLStatement(
    """
    SELECT \(EscalationOfferRow.columns) FROM escalation_agreements f
    JOIN people u ON u.patient = f.patient
    JOIN grants g ON g.patient = f.patient AND g.account = f.account
    WHERE f.account = $1 AND g.relationship = 'family' AND g.starts <= $2
      AND (g.ends IS NULL OR g.ends > $2) ORDER BY f.offered, f.patient
    """)

  /// The one who is to be told agrees; false where it was not offered.
  package static func accept(
    _ patient: PatientID, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard try isShared(account, of: patient, at: now, in: writer) else { return false }
    guard try EscalationStore.accept(patient, account: account, at: now, in: writer) else {
      return false
    }
    try ReminderWake.escalation(of: patient, at: now, in: writer)
    audit(patient, account, now, in: writer)
    return true
  }

  /// Ends it, from either side, at once: what waits to be sent is not sent.
  package static func withdraw(
    _ family: AccountID, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.withdraw(family, of: patient, in: writer)
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
    let plans = try reader.query(
      "SELECT plan FROM plan_reminders WHERE patient = $1 AND is_silent = 1", [.text(patient)]
    ).values(as: PlanID.self)
    return Set(plans)
  }

  package static func reminders(of plan: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> PlanReminders
  {
    let row = try reader.first(remindersStatement, [.text(patient), .text(plan)])?
      .decode(as: PlanRemindersRow.self)
    return row?.choice ?? PlanReminders()
  }

  private static let remindersStatement = SQLStatement(
    "SELECT \(PlanRemindersRow.columns) FROM plan_reminders WHERE patient = $1 AND plan = $2")

  /// Keeps what was said about a medicine; what rings for it stops or begins at once.
  package static func keep(
    _ choice: PlanReminders, of plan: PlanID, patient: PatientID, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.set(
      PlanRemindersRow(choice, plan: plan, patient: patient), in: writer)
    try ReminderWake.plan(plan, patient: patient, at: now, in: writer)
    try ReminderWake.held(of: patient, at: now, in: writer)
    // A medicine that cannot wait any more goes on in the quiet hours.
    try ReminderWake.escalation(of: patient, at: now, in: writer)
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
