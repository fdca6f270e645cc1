// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

/// An answer to one dose as requested from a page, the API, a push action or an import.
package struct AnswerRequest: Sendable, Hashable {
  /// The answer itself.
  package var action: AnswerAction
  /// A UUID that permanently identifies this button press; repeating the event changes nothing.
  package var event: String?
  /// The time at which it was taken or decided, however long ago; now if nil.
  package var at: Timestamp?
  /// The person's own words.
  package var reason: String?
  /// The minutes by which to postpone the reminder; required for `later`, ignored otherwise.
  package var minutes: Int?
  /// The amount taken if it differs from the plan; ignored unless the answer is `taken`.
  package var amount: Amount?
  /// The version of the dose whose answer this one replaces or takes back.
  package var corrects: Int64?
  /// True if the person has answered the ``IntakeQuestion``, or the intake has already happened.
  package var confirm: Bool

  /// Creates a request; it is checked only when the command runs.
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

/// An intake, or a decision not to take a medicine, that names no dose.
package struct AdministrationRequest: Sendable, Hashable {
  /// The patient who took the medicine, or decided not to.
  package var patient: PatientID
  /// The identifier of a plan, or the name of any medicine.
  package var medicine: String
  /// The time at which it was taken; at most a minute ahead of the server's clock.
  package var at: Timestamp
  /// The amount taken; nil to use the amount of the dose that it answers, if there is one.
  package var amount: Amount?
  /// True if it was taken; false if it was skipped on purpose.
  package var taken: Bool
  /// The person's own words, at most 500 characters; nil if none were given.
  package var reason: String?
  /// A UUID that permanently identifies this entry; repeating the event changes nothing.
  package var event: String?
  /// True if the person has answered the ``IntakeQuestion``.
  package var confirm: Bool

  /// Creates a request; it is checked only when the command runs.
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

/// The result of an ``AdministrationRequest``.
package struct RecordedAdministration: Sendable, Hashable {
  /// The identifier of the MedicationAdministration.
  package let id: AdministrationID
  /// The dose that the intake answered; nil for an extra intake or a free entry.
  package let dose: Dose?
  /// The identifier of the patient's time zone.
  let zone: String

  /// Returns the time zone in which the patient's times are shown.
  ///
  /// - Throws: ``PlanError`` if the zone cannot be loaded.
  package func zone(in zones: ZoneCatalog) throws(PlanError) -> Zone {
    try planning { try zones.zone(zone) }
  }
}
