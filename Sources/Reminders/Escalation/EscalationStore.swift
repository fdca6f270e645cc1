// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The tables `escalation_steps`, `escalation_settings`, `escalation_agreements`, `escalation_standby`,
/// `silenced_channels` and `plan_reminders`: what a patient and the people around them chose about
/// reminders.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
package enum EscalationStore {
  // MARK: Steps

  /// Replaces the steps of a patient; an empty list means the standard policy.
  static func replace(
    stepsOf patient: PatientID, with steps: [EscalationStep], in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM escalation_steps WHERE patient = $1", [.text(patient)])
    for (number, step) in steps.enumerated() {
      try writer.execute(
        insertStep, EscalationStepRow(step, number: number, patient: patient).values)
    }
  }

  private static let insertStep = SQLStatement(
    "INSERT INTO escalation_steps (\(EscalationStepRow.columns)) VALUES (\(EscalationStepRow.placeholders))"
  )

  // MARK: Settings

  /// Sets the quiet hours and the choice to name medicines in notifications.
  static func set(
    quiet: QuietHours?, namesMedicine: Bool, of patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO escalation_settings (patient, quiet_from, quiet_until, names_medicine)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (patient) DO UPDATE SET quiet_from = excluded.quiet_from,
        quiet_until = excluded.quiet_until, names_medicine = excluded.names_medicine
      """,
      [
        .text(patient), SQLValue(quiet?.from), SQLValue(quiet?.until), SQLValue(namesMedicine),
      ])
  }

  /// Saves the choice of a patient to be informed the evening before the clocks change.
  package static func set(
    tellsClock: Bool, of patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO escalation_settings (patient, names_medicine, tells_clock) VALUES ($1, 0, $2)
      ON CONFLICT (patient) DO UPDATE SET tells_clock = excluded.tells_clock
      """, [.text(patient), SQLValue(tellsClock)])
  }

  // MARK: Family and guardians

  /// Adds an offer to a family member; an existing one stays as it is.
  static func offer(
    to family: AccountID, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO escalation_agreements (patient, account, offered_by, offered)
      VALUES ($1, $2, $3, $4) ON CONFLICT (patient, account) DO NOTHING
      """, [.text(patient), .text(family), .text(account), SQLValue(now)])
  }

  /// Accepts an offer; returns false if none is pending.
  static func accept(
    _ patient: PatientID, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE escalation_agreements SET accepted = $1
      WHERE patient = $2 AND account = $3 AND accepted IS NULL
      """, [SQLValue(now), .text(patient), .text(account)]) > 0
  }

  static func withdraw(
    _ family: AccountID, of patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM escalation_agreements WHERE patient = $1 AND account = $2",
      [.text(patient), .text(family)])
  }

  /// Adds a waiting guardian; one who already waits keeps their place.
  static func wait(_ row: EscalationStandbyRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStandby, row.values)
  }

  private static let insertStandby = SQLStatement(
    """
    INSERT INTO escalation_standby (\(EscalationStandbyRow.columns))
    VALUES (\(EscalationStandbyRow.placeholders))
    ON CONFLICT (patient, account) DO NOTHING
    """)

  static func stopWaiting(
    _ account: AccountID, of patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM escalation_standby WHERE patient = $1 AND account = $2",
      [.text(patient), .text(account)])
  }

  /// Sets the channels on which an account receives no reminders about a patient.
  static func silence(
    _ channels: Set<ReminderChannel>, of patient: PatientID, account: AccountID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let words = ReminderChannel.allCases.filter(channels.contains).map(\.rawValue)
    try writer.execute(
      """
      INSERT INTO silenced_channels (patient, account, channels) VALUES ($1, $2, $3)
      ON CONFLICT (patient, account) DO UPDATE SET channels = excluded.channels
      """, [.text(patient), .text(account), .text(words.joined(separator: " "))])
  }

  // MARK: One medicine

  static func set(_ row: PlanRemindersRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertPlanReminders, row.values)
  }

  private static let insertPlanReminders = SQLStatement(
    """
    INSERT INTO plan_reminders (\(PlanRemindersRow.columns))
    VALUES (\(PlanRemindersRow.placeholders))
    ON CONFLICT (patient, plan) DO UPDATE SET is_critical = excluded.is_critical,
      is_silent = excluded.is_silent, lead = excluded.lead
    """)
}
