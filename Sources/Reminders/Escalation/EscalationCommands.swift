// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage
import TimeZones

/// The choices of a person about reminders, as the page shows them.
package struct EscalationChoices: Sendable, Hashable {
  /// A family member, and the state of the agreement that they receive reminders.
  package struct Family: Sendable, Hashable {
    /// The family member's account.
    package let account: AccountID
    /// The family member's display name.
    package let name: String
    /// The account that made the offer, by its identifier; nil if there is none yet.
    package var offeredBy: String?
    /// True if the family member agreed.
    package var isAccepted = false
    /// True if they are informed about doses; a family member who only sees the heart rate is
    /// informed about its questions only.
    package var hearsDoses = true
  }

  /// The escalation policy in force, with the steps for family and guardians.
  package var escalation = EscalationPolicy.standard
  /// True if the person set up an escalation policy of their own.
  package var isOwn = false
  /// The quiet hours; nil for none.
  package var quiet: QuietHours?
  /// True if notifications name medicines and amounts.
  package var namesMedicine = false
  /// The family members with whom doses or heart rate are shared.
  package var family: [Family] = []
  /// The guardians who are informed only if no one else answers.
  package var standby = EscalationStandby.Choice()
  /// The channels on which the account that reads the page receives no reminders.
  package var silenced: Set<ReminderChannel> = []

  /// Creates the standard choices.
  package init() {}
}

/// The choices for the reminders of one medicine.
package struct PlanReminders: Sendable, Hashable {
  /// True if escalation continues in quiet hours.
  package var isCritical = false
  /// True if nothing rings for the medicine.
  package var isSilent = false
  /// The minutes before each dose at which an advance notice is sent; nil for none.
  package var lead: Int?

  /// Creates the standard choice: reminders that ring, wait for quiet hours, and have no advance
  /// notice.
  package init() {}
}

extension EscalationChoices {
  /// The escalation policy for doses: without family members who are not informed about doses.
  package var ofDoses: EscalationPolicy {
    escalation.without(family: Set(family.filter { !$0.hearsDoses }.map(\.account)))
  }
}

/// The commands on escalation; the caller has decided that the account may act for the patient.
package enum EscalationCommands {
  private static let resource = "ReminderSettings"

  /// Returns the choices of a patient, and those of an account about the patient.
  package static func choices(
    of patient: PatientID, account: AccountID, accounts: AccountStore, zones: ZoneCatalog,
    at now: Timestamp, in reader: any SQLReader
  ) throws -> EscalationChoices {
    var choices = EscalationChoices()
    choices.isOwn = try EscalationReading.steps([.text(patient)], in: reader)[patient] != nil
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

  /// Returns the steps that a person set up, in order; nil while the standard policy applies.
  ///
  /// A step for one account is given as that of a family member, also for a waiting guardian.
  package static func ownSteps(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [EscalationStep]? {
    try EscalationReading.steps([.text(patient)], in: reader)[patient]
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

  /// Saves an escalation policy; nil returns to the standard one.
  package static func keep(
    _ escalation: EscalationPolicy?, of patient: PatientID, by account: AccountID,
    at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.replace(stepsOf: patient, with: escalation?.steps ?? [], in: writer)
    audit(patient, account, now, in: writer)
  }

  /// Saves the quiet hours (nil for none) and the choice to name medicines in notifications.
  package static func keep(
    quiet: QuietHours?, namesMedicine: Bool, of patient: PatientID, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.set(quiet: quiet, namesMedicine: namesMedicine, of: patient, in: writer)
    try ReminderWake.escalation(of: patient, at: now, in: writer)
    audit(patient, account, now, in: writer)
  }

  /// Saves the channels on which an account receives no reminders about a patient.
  package static func silence(
    _ channels: Set<ReminderChannel>, of patient: PatientID, account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.silence(channels, of: patient, account: account, in: writer)
    audit(patient, account, now, in: writer)
  }

  /// Offers a family member to be informed if no one answers.
  ///
  /// They are informed once they agree. Returns false if neither adherence nor heart rate is shared
  /// with them.
  package static func offer(
    to family: AccountID, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard try isShared(family, of: patient, at: now, in: writer) else { return false }
    try EscalationStore.offer(to: family, of: patient, by: account, at: now, in: writer)
    audit(patient, account, now, in: writer)
    return true
  }

  /// Returns the patients about whom an account was offered to be informed, and its agreement.
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

  /// Records the agreement of a family member; returns false if it was not offered or nothing is
  /// shared.
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

  /// Ends the agreement at once, from either side: deliveries that wait are not sent.
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

  /// Returns the plans of a patient for which nothing rings.
  package static func silentPlans(of patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Set<PlanID>
  {
    let plans = try reader.query(
      "SELECT plan FROM plan_reminders WHERE patient = $1 AND is_silent = 1", [.text(patient)]
    ).values(as: PlanID.self)
    return Set(plans)
  }

  /// Returns the choices for the reminders of a medicine; the standard ones if none were made.
  package static func reminders(of plan: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> PlanReminders
  {
    let row = try reader.first(remindersStatement, [.text(patient), .text(plan)])?
      .decode(as: PlanRemindersRow.self)
    return row?.choice ?? PlanReminders()
  }

  private static let remindersStatement = SQLStatement(
    "SELECT \(PlanRemindersRow.columns) FROM plan_reminders WHERE patient = $1 AND plan = $2")

  /// Saves the choices for a medicine; its reminders stop or start at once.
  package static func keep(
    _ choice: PlanReminders, of plan: PlanID, patient: PatientID, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.set(
      PlanRemindersRow(choice, plan: plan, patient: patient), in: writer)
    try ReminderWake.plan(plan, patient: patient, at: now, in: writer)
    try ReminderWake.held(of: patient, at: now, in: writer)
    // Escalation of a medicine that can no longer wait continues in quiet hours.
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
