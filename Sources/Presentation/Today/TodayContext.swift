// SPDX-License-Identifier: Apache-2.0

import Accounts
import Plans
import Scheduling
import Storage
import Web

/// The data that Today reads before it asks features; valid only within the snapshot.
package struct TodayContext {
  package let call: Call
  package let signedIn: SignedIn
  /// The patient, and what is read of them once for all features.
  package let patient: PatientSnapshot
  package let features: FeaturesInUse
  package let zone: Zone
  /// The doses that Today lists.
  package let model: TodayModel
  /// All doses that were read, with those that Today does not list.
  package let doses: [Dose]
  /// True if a person who chose the simple view sees all of Today.
  package let isSimple: Bool

  package init(
    call: Call, signedIn: SignedIn, patient: PatientSnapshot, features: FeaturesInUse, zone: Zone,
    model: TodayModel, doses: [Dose], isSimple: Bool
  ) {
    self.call = call
    self.signedIn = signedIn
    self.patient = patient
    self.features = features
    self.zone = zone
    self.model = model
    self.doses = doses
    self.isSimple = isSimple
  }

  package var reader: any SQLReader { patient.reader }
  package var environment: ServerEnvironment { call.environment }
  package var now: Timestamp { patient.now }
  /// True if whoever looks acts for the patient.
  package var mayAct: Bool { call.formToken.mayAct }
  /// The patient's day.
  package var date: CivilDate { zone.date(at: Instant(milliseconds: now.milliseconds)) }
}
