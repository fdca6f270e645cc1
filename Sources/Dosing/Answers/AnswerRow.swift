// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage

/// A row of `answers`, written once and never changed.
struct AnswerRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, answer, plan, era, occurrence, event, action, at, recorded, account, byName
    case reason, amountValue, amountUnit, minutes, doseVersion, corrects, administration
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let place: AnswerPlace
  let fact: AnswerFact
  let recorded: Timestamp
  let account: AccountID
  let byName: String

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .answer: .text(fact.id)
    case .plan: SQLValue(place.plan)
    case .era: SQLValue(place.dose?.era)
    case .occurrence: SQLValue(place.dose?.occurrence.text)
    case .event: SQLValue(fact.event)
    case .action: .text(fact.action.rawValue)
    case .at: SQLValue(fact.at)
    case .recorded: SQLValue(recorded)
    case .account: .text(account)
    case .byName: .text(byName)
    case .reason: SQLValue(fact.reason)
    case .amountValue: SQLValue(fact.amount?.value)
    case .amountUnit: SQLValue(fact.amount?.unit)
    case .minutes: SQLValue(fact.minutes)
    case .doseVersion: SQLValue(fact.doseVersion)
    case .corrects: SQLValue(fact.corrects)
    case .administration: SQLValue(fact.administration)
    }
  }
}

/// A row of `intakes`: an intake as it counts for later questions, limits and supply.
package struct IntakeRow: SQLWritableRow {
  /// The columns of `intakes`, in the order in which they are written.
  package enum Column: Int, SQLColumn {
    case patient, administration, plan, era, occurrence, medicineName, ingredients, taken
    case recorded, byName, amountValue, amountUnit
  }

  /// The list of columns for the SQL text.
  package static let columns = SQLColumns<Column>()

  /// The patient who took the medicine.
  package let patient: PatientID
  /// The MedicationAdministration that records the intake; unique for the patient.
  package let administration: AdministrationID
  /// The plan that the intake counts for; nil for a free entry.
  package let plan: PlanID?
  /// The era of the answered dose; nil for an intake without a dose.
  package let era: Int64?
  /// The occurrence of the answered dose as text; nil for an intake without a dose.
  package let occurrence: String?
  /// The name shown to people.
  package let medicineName: String
  /// The ingredients and codes in the encoding of the `ingredients` column.
  package let ingredients: String
  /// The time at which it was taken.
  package let taken: Timestamp
  /// The time at which it was recorded or last changed.
  package let recorded: Timestamp
  /// The name of the person or system that recorded it, kept as it was then.
  package let byName: String
  /// The amount as decimal text; nil if it is not known.
  package let amountValue: String?
  /// The unit of the amount as written; nil if the amount is not known.
  package let amountUnit: String?

  /// Creates a row from its columns.
  package init(
    patient: PatientID, administration: AdministrationID, plan: PlanID?, era: Int64?,
    occurrence: String?, medicineName: String, ingredients: String, taken: Timestamp,
    recorded: Timestamp, byName: String, amountValue: String?, amountUnit: String?
  ) {
    self.patient = patient
    self.administration = administration
    self.plan = plan
    self.era = era
    self.occurrence = occurrence
    self.medicineName = medicineName
    self.ingredients = ingredients
    self.taken = taken
    self.recorded = recorded
    self.byName = byName
    self.amountValue = amountValue
    self.amountUnit = amountUnit
  }

  /// Returns the value to write into a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .administration: .text(administration)
    case .plan: SQLValue(plan)
    case .era: SQLValue(era)
    case .occurrence: SQLValue(occurrence)
    case .medicineName: .text(medicineName)
    case .ingredients: .text(ingredients)
    case .taken: SQLValue(taken)
    case .recorded: SQLValue(recorded)
    case .byName: .text(byName)
    case .amountValue: SQLValue(amountValue)
    case .amountUnit: SQLValue(amountUnit)
    }
  }
}

extension IntakeRow {
  init(
    _ intake: AnswerRecorded.CountedIntake, _ administration: AdministrationID,
    at place: AnswerPlace,
    patient: PatientID, context: CommandContext
  ) {
    self.init(
      patient: patient, administration: administration, plan: place.plan, era: place.dose?.era,
      occurrence: place.dose?.occurrence.text, medicineName: intake.medicine.shownName,
      ingredients: intake.medicine.ingredients, taken: intake.taken, recorded: context.now,
      byName: context.byName, amountValue: intake.amount?.value, amountUnit: intake.amount?.unit)
  }
}
