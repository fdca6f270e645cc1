// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Reminders
import Scheduling
import Storage
import Web

/// The alarm pages: one that stays open for the next dose, one for the bedside, and one for each
/// reminder.
package enum RingRoutes {
  /// The routes of the alarm pages.
  package static let all: [Route] = [
    .page(.get, "/ring", armed),
    .page(.get, nightStand, night),
    .page(.get, "/ring/:subject", reminder),
    .page(.get, "/ring/:subject/state", state),
    .form("/ring/:subject/answer", RingAlertAnswer.submit),
  ]

  /// Shows a person's current and next alarms.
  private static func armed(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await waiting(call, signedIn, at: "/ring")
  }

  static let nightStand = "/nightstand"

  /// Shows the same for a device at the bedside: dark, with a clock, and insistent.
  private static func night(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await waiting(call, signedIn, at: nightStand)
  }

  private static func waiting(
    _ call: Call, _ signedIn: SignedIn, at address: String
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    // Viewers get no alarms.
    guard call.person?.mayAct ?? true else { return call.redirect(to: "/") }
    let authorization = try call.authorize(.read, "Dose", of: patient)
    let environment = call.environment
    let now = call.now
    let localizer = call.localizer
    let (listing, model, alerts, sound, looks) = try await environment.database.read { reader in
      let listing = try DoseQueries.listing(
        patient: patient, from: now.adding(milliseconds: -TodayModel.reach),
        until: now.adding(milliseconds: TodayModel.reach), now: now, zones: environment.zones,
        in: reader)
      var surroundings = try RingModel.Surroundings.read(
        listing.doses, patient: patient, now: now, in: reader)
      if let sleepIn = try SleepIn.of([patient], zones: environment.zones, in: reader)[patient] {
        for dose in listing.doses where dose.state == .due || dose.state == .scheduled {
          surroundings.held[dose.id] = sleepIn.rings(dose)
        }
      }
      let alerts = try RingAlerts.armed(
        patient: patient, now: now, localizer, in: reader)
      return (
        listing, RingModel(doses: listing.doses, surroundings, now: now), alerts,
        try ReminderChoices.of(patient, in: reader).sound,
        try MedicineAppearances(of: patient, in: reader)
      )
    }
    try await environment.audit(authorization, count: listing.doses.count, at: now)
    var page = RingPage(
      model: model, zone: listing.zone, address: address, isArmed: true, known: listing.doses)
    page.alerts = alerts
    page.sound = sound
    page.looks = looks
    page.isNight = address == nightStand
    return page.response(call)
  }

  /// Shows the page that a notification opens: the current state of what rang.
  private static func reminder(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let found = try await RingingReminder.read(call)
    let call = call.opening(found.reminder.patient)
    guard call.person?.mayAct ?? true else { return call.redirect(to: "/") }
    if let address = found.reminder.kind.page(of: found.reminder.subject) {
      return call.redirect(to: address)
    }
    var page = RingPage(
      model: found.model, zone: found.zone, address: "/ring/\(found.reminder.subject)",
      isArmed: false, known: found.reminder.doses,
      isSummary: found.reminder.kind == .summary)
    page.alerts = found.alerts
    page.sound = found.sound
    page.looks = found.looks
    return page.response(call)
  }

  /// Returns the same for the service worker: whether it still rings, and the outcome, without a
  /// medicine's name.
  private static func state(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let found = try await RingingReminder.read(call)
    let words = DoseFormatter(localizer: call.localizer, zone: found.zone, now: call.now)
    let outcomes =
      words.outcomes(found.reminder.doses)
      + found.alerts.settled.map { $0.outcome(call.localizer) }
    return JSONResponse.make([
      "ringing": .bool(!found.model.ringing.isEmpty || !found.alerts.ringing.isEmpty),
      "body": .string(outcomes.joined(separator: " · ")),
    ])
  }
}

/// A reminder with the data for its page, read in one snapshot.
struct RingingReminder: Sendable {
  let reminder: Reminder
  let model: RingModel
  let zone: Zone
  let alerts: RingAlerts
  let sound: String
  let looks: MedicineAppearances

  /// Reads it for a person who may see it; for anyone else it does not exist.
  static func read(_ call: Call) async throws -> RingingReminder {
    let subject = ReminderID(try call.parameter("subject"))
    let environment = call.environment
    let now = call.now
    let localizer = call.localizer
    let (authorization, found) = try await environment.database.read { reader in
      guard let reminder = try ReminderQueries.reminder(subject, now: now, in: reader) else {
        throw Failure.notFound
      }
      let patient = reminder.patient
      let authorization = try call.authorize(
        .read, reminder.kind.isAlert ? "Occasion" : "Dose", of: patient)
      let surroundings = try RingModel.Surroundings.read(
        reminder.doses, patient: patient, now: now, in: reader)
      return (
        authorization,
        RingingReminder(
          reminder: reminder, model: RingModel(group: reminder.doses, surroundings, now: now),
          zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
          alerts: try RingAlerts.of(reminder, now: now, localizer, in: reader),
          sound: try ReminderChoices.of(patient, in: reader).sound,
          // Alarms are also shown to those who may not see medicines.
          looks: reminder.kind.isAlert
            ? MedicineAppearances() : try MedicineAppearances(of: patient, in: reader))
      )
    }
    try await environment.audit(authorization, count: found.reminder.doses.count, at: now)
    return found
  }
}

extension RingModel.Surroundings {
  /// Reads the data that the answers to some doses depend on.
  static func read(
    _ doses: [Dose], patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws -> RingModel.Surroundings {
    let plans = Set(
      doses.filter { !$0.state.isAnswered && $0.state != .cancelled }.map(\.plan))
    guard !plans.isEmpty else { return RingModel.Surroundings() }
    var surroundings = RingModel.Surroundings()
    surroundings.withinGap = try IntakeQueries.latestWithinGap(
      before: now, patient: patient, in: reader)
    surroundings.plansForReview = try ProposalQueries.plansForReview(patient: patient, in: reader)
    for plan in plans {
      surroundings.gaps[plan] = try AnswerQueries.minimumGap(of: plan, patient: patient, in: reader)
    }
    for dose in doses where dose.state == .due {
      if try LaterChoices.asksWhy(dose.id, patient: patient, in: reader) {
        surroundings.askedWhy.insert(dose.id)
      }
    }
    for plan in Set(doses.filter { $0.state == .due }.map(\.plan)) {
      let known = try PlanQueries.plan(plan, patient: patient, in: reader)
      if known?.status != "active" { surroundings.silentPlans.insert(plan) }
    }
    return surroundings
  }
}
