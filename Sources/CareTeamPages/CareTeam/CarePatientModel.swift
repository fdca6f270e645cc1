// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HeartRate
import Identifiers
import Observations
import People
import Plans
import Prescriptions
import Presentation
import Scheduling
import Statistics
import Storage
import Web

/// The content of a patient's page for a practitioner; parts that are not shared are nil.
struct CarePatientModel: Sendable {
  /// The doses of the last 7 and 30 days, in total and by plan.
  struct Adherence: Sendable {
    let week: [PlanID: DoseCounts]
    let month: [PlanID: DoseCounts]

    func total(_ counts: [PlanID: DoseCounts]) -> DoseCounts {
      counts.values.reduce(DoseCounts(), +)
    }
  }

  let details: PatientDetails?
  let zone: Zone
  var plans: [Plan] = []
  var waiting: [Proposal] = []
  var declined: [Proposal] = []
  var adherence: Adherence?
  /// The last 30 days, one by one.
  var days: CareAdherence?
  /// The resting heart rates of the last four weeks.
  var heart: [VitalDayValue]?
  var messages: CareMessages?
  var deliveries: CareReport.DeliveryHealth?
  var silentSince: Timestamp?
  var warnings: [Warning]?
  var notes: [CareNote] = []
  /// True if apps can be opened for the patient.
  var hasApps = false

  private static let day: Int64 = 24 * 3_600_000

  static func load(
    _ access: PractitionerAccess, _ call: Call, _ signedIn: SignedIn, in reader: any SQLReader
  ) throws -> CarePatientModel {
    let (patient, now, environment) = (access.patient, call.now, call.environment)
    let account = signedIn.account.id
    let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
    var model = CarePatientModel(
      details: try PeopleQueries.details(patient, in: reader)?.details, zone: zone)
    let week = now.adding(milliseconds: -7 * day)
    if access.reading("MedicationRequest") != nil {
      model.plans = try PlanQueries.all(patient: patient, in: reader)
      model.waiting = try PrescriptionQueries.waiting(of: patient, by: account, in: reader)
      model.declined = try PrescriptionQueries.declined(
        of: patient, by: account, since: now.adding(milliseconds: -30 * day), in: reader)
    }
    if access.reading("DoseState") != nil {
      model.adherence = Adherence(
        week: try CareReport.counts(of: patient, from: week, until: now, in: reader),
        month: try CareReport.counts(
          of: patient, from: now.adding(milliseconds: -30 * day), until: now, in: reader))
      model.days = try CareDesk.adherence(of: [patient], at: now, in: reader)[patient]
    }
    if access.reading("Delivery") != nil {
      model.deliveries = try CareReport.deliveries(of: patient, since: week, in: reader)
      model.silentSince = try CareReport.silentSince(patient, at: now, in: reader)
    }
    if let vitals = access.reading(VitalCommands.resource) {
      let today = zone.date(at: Instant(milliseconds: now.milliseconds))
      model.warnings = try HeartRateQueries.warnings(
        of: patient, from: today.adding(days: -29), limit: 50, in: reader)
      model.heart = try HeartChart.values(
        of: patient, until: today,
        part: vitals.actor.observations(of: patient) ?? .measurements, in: reader)
    }
    model.messages = try CareMessages.load(access, call, signedIn, in: reader)
    model.notes = try CareNotes.all(
      of: patient, by: account, cipher: environment.accounts.cipher, in: reader)
    model.hasApps = try !environment.accounts.launchableApps(in: reader).isEmpty
    return model
  }
}
