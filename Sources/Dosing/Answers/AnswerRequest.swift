// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

/// What a person says about one dose, from a page, the API, a push action or an import.
package struct AnswerRequest: Sendable, Hashable {
  package var action: AnswerAction
  /// A UUID that names this press for ever; the same event again changes nothing.
  package var event: String?
  /// When it was taken or decided, however long ago; now when nil.
  package var at: Timestamp?
  /// The person's own words.
  package var reason: String?
  /// How long to put the reminder off; for `later` alone.
  package var minutes: Int?
  /// What was taken when it differs from the plan.
  package var amount: Amount?
  /// The version of the dose whose answer this one replaces or takes back.
  package var corrects: Int64?
  /// True if the person has answered the ``IntakeQuestion``, or the intake has already happened.
  package var confirm: Bool

  package init(
    action: AnswerAction,
    event: String? = nil,
    at: Timestamp? = nil,
    reason: String? = nil,
    minutes: Int? = nil,
    amount: Amount? = nil,
    corrects: Int64? = nil,
    confirm: Bool = false
  ) {
    self.action = action
    self.event = event
    self.at = at
    self.reason = reason
    self.minutes = minutes
    self.amount = amount
    self.corrects = corrects
    self.confirm = confirm
  }
}

/// An intake, or a decision not to take, that names no dose.
package struct AdministrationRequest: Sendable, Hashable {
  package var patient: PatientID
  /// A plan's id, or the name of any medicine.
  package var medicine: String
  /// When it was taken; never in the future.
  package var at: Timestamp
  package var amount: Amount?
  package var taken: Bool
  package var reason: String?
  /// A UUID that names this entry for ever.
  package var event: String?
  package var confirm: Bool

  package init(
    patient: PatientID,
    medicine: String,
    at: Timestamp,
    amount: Amount? = nil,
    taken: Bool = true,
    reason: String? = nil,
    event: String? = nil,
    confirm: Bool = false
  ) {
    self.patient = patient
    self.medicine = medicine
    self.at = at
    self.amount = amount
    self.taken = taken
    self.reason = reason
    self.event = event
    self.confirm = confirm
  }
}

/// What became of an ``AdministrationRequest``.
package struct RecordedAdministration: Sendable, Hashable {
  /// The id of the MedicationAdministration.
  package let id: AdministrationID
  /// The dose that the intake answered; nil for an extra intake or a free entry.
  package let dose: Dose?
  /// The identifier of the patient's time zone.
  let zone: String

  /// Returns the time zone in which the patient's times are shown.
  package func zone(in zones: ZoneCatalog) throws(PlanError) -> Zone {
    try planning { try zones.zone(zone) }
  }
}
