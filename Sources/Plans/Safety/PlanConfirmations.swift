// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Scheduling
import Storage
import TimeZones

/// A person's confirmation of a warning about a plan.
package struct PlanConfirmation: Sendable, Hashable {
  /// The key of the question.
  package let question: String
  /// The confirmed value: the number of doses, or the amount.
  package let stated: String
  /// The text that the person typed, or the choice that was ticked.
  package let typed: String

  /// Creates a confirmation.
  package init(question: String, stated: String, typed: String) {
    self.question = question
    self.stated = stated
    self.typed = typed
  }
}

/// The rows of `plan_confirmations`: who confirmed a warning, and when.
package enum PlanConfirmations {
  /// A stored confirmation.
  package struct Kept: Sendable, Hashable {
    /// The confirmation as it was given.
    package let confirmation: PlanConfirmation
    /// The account that gave it.
    package let account: AccountID
    /// The name of the person at that time.
    package let byName: String
    /// The time at which it was given.
    package let made: Timestamp
  }

  /// Returns the confirmations of a plan or proposal, the newest first.
  package static func all(
    of subject: String, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Kept] {
    try all(of: [subject], patient: patient, in: reader)[subject] ?? []
  }

  /// Returns the confirmations of plans or proposals by subject, the newest first, in one
  /// statement.
  package static func all(
    of subjects: [String], patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [String: [Kept]] {
    let rows = try reader.query(
      """
      SELECT \(PlanConfirmationRow.columns) FROM plan_confirmations
      WHERE patient = $1 AND subject IN (
      """, [.text(patient)], in: subjects.map { .text($0) }, " ORDER BY made DESC, question")
    var found: [String: [Kept]] = [:]
    for row in rows {
      let row = row.read(PlanConfirmationRow.self)
      found[try row.text(.subject), default: []].append(
        Kept(
          confirmation: PlanConfirmation(
            question: try row.text(.question), stated: try row.text(.stated),
            typed: try row.text(.typed)),
          account: try row.id(.account), byName: try row.text(.byName),
          made: try row.timestamp(.made)))
    }
    return found
  }

  /// Stores new confirmations with the account that made them.
  package static func save(
    _ confirmations: [PlanConfirmation], of subject: String, _ right: Authorization,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws(StorageError) {
    for confirmation in confirmations {
      try insert(
        Kept(
          confirmation: confirmation, account: right.actor.accountID, byName: context.byName,
          made: context.now), of: subject, patient: right.patient, in: writer)
    }
    guard !confirmations.isEmpty else { return }
    writer.audit(.detectedIssue(.create, subject, right, at: context.now))
  }

  /// Copies the confirmations of a proposal to the plan made from it; they keep the prescriber's name.
  static func carry(
    from proposal: ProposalID, to plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    for kept in try all(of: proposal.text, patient: patient, in: writer) {
      try insert(kept, of: plan.text, patient: patient, in: writer)
    }
  }

  private static func insert(
    _ kept: Kept, of subject: String, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = NewPlanConfirmationRow(patient: patient, subject: subject, kept: kept)
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO plan_confirmations (\(NewPlanConfirmationRow.columns))
    VALUES (\(NewPlanConfirmationRow.placeholders))
    ON CONFLICT (patient, subject, question, made) DO NOTHING
    """)
}

/// The columns of a confirmation, with its subject.
enum PlanConfirmationRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case subject, question, stated, typed, account, byName, made
  }

  static let columns = SQLColumns<Column>()
}

/// A new row of `plan_confirmations`.
struct NewPlanConfirmationRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, subject, question, made, stated, typed, account, byName
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let subject: String
  let kept: PlanConfirmations.Kept

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .subject: .text(subject)
    case .question: .text(kept.confirmation.question)
    case .made: SQLValue(kept.made)
    case .stated: .text(kept.confirmation.stated)
    case .typed: .text(String(kept.confirmation.typed.prefix(100)))
    case .account: .text(kept.account)
    case .byName: .text(kept.byName)
    }
  }
}

extension FrequencyBreach {
  /// Returns the breach of a request unless it is confirmed for one of the subjects; nil if it can
  /// be planned.
  package static func unconfirmed(
    _ request: MedicationRequestView, subjects: [String?], confirmed: [PlanConfirmation] = [],
    patient: PatientID, zone: Zone, rhythm: DailyRhythm, today: CivilDate, in reader: any SQLReader
  ) throws(StorageError) -> FrequencyBreach? {
    guard let breach = of(request, zone: zone, rhythm: rhythm, today: today) else { return nil }
    var known = confirmed
    for case let subject? in subjects {
      known += try PlanConfirmations.all(of: subject, patient: patient, in: reader)
        .map(\.confirmation)
    }
    return known.contains { $0.question == breach.key && breach.isCovered(by: $0.stated) }
      ? nil : breach
  }
}

extension PlanCommands {
  /// Refuses a request that gives its medicine more often than its rule allows, unless that was confirmed.
  ///
  /// - Parameter subjects: the plan that the request changes, and the proposal that it comes from.
  package static func checkFrequency(
    _ request: JSONValue, subjects: [String?] = [], confirmed: [PlanConfirmation] = [],
    patient: PatientID, person: Person, _ context: CommandContext, in reader: any SQLReader
  ) throws {
    let zone = try context.zones.zone(person.zone)
    let breach = try FrequencyBreach.unconfirmed(
      MedicationRequestView(request), subjects: subjects, confirmed: confirmed,
      patient: patient, zone: zone, rhythm: person.rhythm,
      today: zone.date(at: Instant(context.now)), in: reader)
    if let breach { throw PlanError.tooOften(breach) }
  }
}
