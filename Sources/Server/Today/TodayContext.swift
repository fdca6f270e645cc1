// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import Scheduling
import Storage

/// The data that Today reads before it asks features; valid only within the snapshot.
struct TodayContext {
  let call: Call
  let signedIn: SignedIn
  /// The patient, and what is read of them once for all features.
  let patient: PatientSnapshot
  let features: FeaturesInUse
  let zone: Zone
  /// The doses that Today lists.
  let model: TodayModel
  /// All doses that were read, with those that Today does not list.
  let doses: [Dose]
  /// True if a person who chose the simple view sees all of Today.
  let isSimple: Bool

  var reader: any SQLReader { patient.reader }
  var environment: ServerEnvironment { call.environment }
  var now: Timestamp { patient.now }
  /// True if whoever looks acts for the patient.
  var mayAct: Bool { call.formToken.mayAct }
  /// The patient's day.
  var date: CivilDate { zone.date(at: Instant(milliseconds: now.milliseconds)) }
}
