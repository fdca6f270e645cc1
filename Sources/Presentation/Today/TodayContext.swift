// SPDX-License-Identifier: Apache-2.0

import Accounts
import Plans
import Scheduling
import Storage
import Web

/// The data that Today reads before its features contribute; valid only within the snapshot.
package struct TodayContext {
  /// The request.
  package let call: Call
  /// The account that sees the page.
  package let signedIn: SignedIn
  /// The snapshot of the patient that all features share.
  package let patient: PatientSnapshot
  /// The features that the person uses.
  package let features: FeaturesInUse
  /// The patient's time zone.
  package let zone: Zone
  /// The doses listed on Today.
  package let model: TodayModel
  /// All doses that were read, including those that Today does not list.
  package let doses: [Dose]
  /// True if a person who prefers the simple view opened the full one.
  package let isSimple: Bool

  /// Creates the context of one request.
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

  /// The reader of the snapshot.
  package var reader: any SQLReader { patient.reader }
  /// The server's services and settings.
  package var environment: ServerEnvironment { call.environment }
  /// The time of the snapshot.
  package var now: Timestamp { patient.now }
  /// True if the signed-in person may act for the patient.
  package var mayAct: Bool { call.formToken.mayAct }
  /// The current local day of the patient.
  package var date: CivilDate { zone.date(at: Instant(milliseconds: now.milliseconds)) }
}
