// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A row of `escalation_steps`.
struct EscalationStepRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, step, minutes, channel, recipient
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let step: Int64
  let minutes: Int
  /// The channel, which this version may not know.
  let channel: String
  /// The recipient; empty for everyone who acts for the patient.
  let recipient: AccountID

  init(_ step: EscalationStep, number: Int, patient: PatientID) {
    self.patient = patient
    self.step = Int64(number)
    minutes = step.minutes
    channel = step.channel.rawValue
    recipient = step.recipient.account ?? AccountID("")
  }

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    step = try columns.integer(.step)
    minutes = Int(clamping: try columns.integer(.minutes))
    channel = try columns.text(.channel)
    recipient = try columns.id(.recipient)
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .step: .integer(step)
    case .minutes: SQLValue(minutes)
    case .channel: .text(channel)
    case .recipient: .text(recipient)
    }
  }
}

/// The quiet hours in `escalation_settings`, with their time zone.
struct QuietHoursRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, quietFrom, quietUntil, zone
  }

  static let columns = SQLColumns<Column>(of: "y", [.zone: "u.zone"])

  let patient: PatientID
  let quiet: QuietHours?
  let zone: String?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    let from = try columns.optionalInteger(.quietFrom)
    let until = try columns.optionalInteger(.quietUntil)
    if let from, let until {
      quiet = QuietHours(from: Int(clamping: from), until: Int(clamping: until))
    } else {
      quiet = nil
    }
    zone = try columns.optionalText(.zone)
  }
}

/// A row of `escalation_agreements` with the family member that it is about.
struct EscalationAgreementRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case account, offeredBy, accepted
  }

  static let columns = SQLColumns<Column>()

  let account: AccountID
  let offeredBy: String
  let accepted: Timestamp?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    account = try columns.id(.account)
    offeredBy = try columns.text(.offeredBy)
    accepted = try columns.optionalTimestamp(.accepted)
  }
}

/// A row of `escalation_agreements` with the patient that it is about.
struct EscalationOfferRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, displayName, accepted
  }

  static let columns = SQLColumns<Column>(of: "f", [.displayName: "u.display_name"])

  let patient: PatientID
  let displayName: String
  let accepted: Timestamp?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    displayName = try columns.text(.displayName)
    accepted = try columns.optionalTimestamp(.accepted)
  }
}

/// A patient with an account that takes part in the patient's escalation.
struct EscalationAccountRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, account
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let account: AccountID

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    account = try columns.id(.account)
  }
}

/// A row of `escalation_standby`.
struct EscalationStandbyRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, account, since
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let account: AccountID
  let since: Timestamp

  init(patient: PatientID, account: AccountID, since: Timestamp) {
    self.patient = patient
    self.account = account
    self.since = since
  }

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    account = try columns.id(.account)
    since = try columns.timestamp(.since)
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .account: .text(account)
    case .since: SQLValue(since)
    }
  }
}

/// A row of `plan_reminders`.
struct PlanRemindersRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, isCritical, isSilent, lead
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let choice: PlanReminders

  init(_ choice: PlanReminders, plan: PlanID, patient: PatientID) {
    self.patient = patient
    self.plan = plan
    self.choice = choice
  }

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    plan = try columns.id(.plan)
    var choice = PlanReminders()
    choice.isCritical = try columns.bool(.isCritical)
    choice.isSilent = try columns.bool(.isSilent)
    choice.lead = try columns.optionalInteger(.lead).map { Int(clamping: $0) }
    self.choice = choice
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .isCritical: SQLValue(choice.isCritical)
    case .isSilent: SQLValue(choice.isSilent)
    case .lead: SQLValue(choice.lead)
    }
  }
}
