// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import Dosing
import HeartRateMonitoring
import Hummingbird
import Identifiers
import Observations
import People
import Plans
import Prescriptions
import Presentation
import Reminders
import Scheduling
import Storage
import Web

/// The pages of a person's medicines.
package enum MedicineRoutes {
  /// The list, the page of a medicine, and the forms that change, stop, pause and resume it or set its reminders.
  package static let all: [Route] = [
    .page(.get, "/medicines", list),
    .medicinePage("/medicines/:plan", show),
    .medicinePage("/medicines/:plan/edit", MedicineEditing.editForm),
    .form("/medicines/:plan/edit", MedicineEditing.edit),
    .medicinePage("/medicines/:plan/stop", stopForm),
    .form("/medicines/:plan/stop", stop),
    .medicinePage("/medicines/:plan/reminders", PlanRemindersPage.form),
    .form("/medicines/:plan/reminders", PlanRemindersPage.submit),
    .medicinePage("/medicines/:plan/pause", MedicinePausing.form),
    .form("/medicines/:plan/pause", MedicinePausing.pause),
    .form("/medicines/:plan/resume", MedicinePausing.resume),
    .form("/medicines/:plan/today", PassedDosesPart.plan),
  ]

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.search, "MedicationRequest", of: patient)
    let environment = call.environment
    let localizer = call.localizer
    let (list, clock) = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      return (
        try MedicineReading.list(
          patient: patient, now: call.now, zones: environment.zones, in: reader),
        MedicineClock(zone: zone, localizer: localizer)
      )
    }
    try await environment.audit(authorization, count: list.count, at: call.now)
    return MedicineListPage(list: list, clock: clock).response(call)
  }

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
    // The page also shows intakes.
    _ = try call.authorize(.read, "Dose", of: patient)
    let id = try call.parameter("plan")
    let environment = call.environment
    let localizer = call.localizer
    let chart = ChartRequest(call)
    let until = call.queryValue("until").flatMap { CivilDate(text: $0) }
    let skipped = HistoryPlace.skipped(call.queryValue("skip"))
    // Another sharing category than the medicine, so both must be shared.
    let seesHeart = (try? call.authorize(.read, VitalCommands.resource, of: patient)) != nil
    let stocks = StockReading(call: call, signedIn: signedIn)
    let (
      record, clock, heart, prescribed, mayResume, interactions, stock, passed, findings,
      confirmations, followUps
    ) =
      try await environment.database.read { reader in
        guard let plan = try PlanQueries.plan(PlanID(id), patient: patient, in: reader) else {
          throw Failure.notFound
        }
        let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
        let clock = MedicineClock(zone: zone, localizer: localizer)
        let needed = plan.unplanned == .asNeeded ? [FollowUpMedicine(plan)] : []
        let followUps = try FollowUpQueries.facts(
          of: needed, patient: patient, now: call.now, zone: zone, in: reader
        ).first
        return (
          try MedicineReading.record(
            plan, clock: clock, chart: chart, until: until, skipped: skipped, now: call.now,
            zones: environment.zones, in: reader), clock,
          seesHeart && BetaBlocker.isNamed(in: plan.medicineName)
            ? try HeartChart.values(of: patient, until: clock.day(of: call.now), in: reader) : [],
          try PrescriptionQueries.prescriber(
            of: plan, accounts: environment.accounts, at: call.now, in: reader),
          try PlanCommands.mayResume(plan, at: call.now, in: reader),
          try InteractionPart.read(
            plan, DoseFormatter(localizer: localizer, zone: zone, now: call.now), call, signedIn,
            in: reader),
          try stocks.one(ofPlan: PlanID(id), patient: patient, in: reader),
          try PassedDoses.today(
            of: patient, plan: PlanID(id), now: call.now, zones: environment.zones, in: reader),
          try AmountFinding.unconfirmed(
            plan.request, subjects: [id], patient: patient, in: reader),
          try PlanQuestion.confirmations(
            of: plan, zone: zone, rhythm: try PeopleQueries.rhythm(patient, in: reader),
            today: clock.day(of: call.now), in: reader), followUps
        )
      }
    try await environment.audit(authorization, count: 1, at: call.now)
    let isAdded = call.queryValue("done") == "added"
    let offersReminders =
      isAdded ? try await lacksConfirmedDevice(call, signedIn) : false
    return MedicinePage(
      record: record, clock: clock,
      words: DoseFormatter(localizer: localizer, zone: clock.zone, now: call.now), chart: chart,
      reader: signedIn.account.displayName, done: call.queryValue("done"), heart: heart,
      mayResume: mayResume, prescribed: prescribed, interactions: interactions,
      stock: stock, passed: passed, findings: findings, offersReminders: offersReminders,
      confirmations: confirmations, followUps: followUps
    ).response(call)
  }

  /// Returns true if no device or other channel of the account was ever confirmed by a test.
  private static func lacksConfirmedDevice(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> Bool {
    let (account, now) = (signedIn.account.id, call.now)
    return try await call.environment.database.read { reader in
      let devices = try PushSubscriptions.list(account, now: now, in: reader)
      guard !devices.contains(where: { $0.confirmed != nil && !$0.isBroken }) else { return false }
      return try !ChannelAddresses.list(account, in: reader).contains { $0.confirmed != nil }
    }
  }

  // MARK: Stopping

  private static func stopForm(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let plan = try await call.plan(of: signedIn, to: .update)
    guard plan.unplanned?.standsOnToday ?? true else {
      return call.redirect(to: "/medicines/\(plan.id)")
    }
    let advice = try await stopAdvice(plan, call, signedIn)
    return StopMedicinePage(plan: plan, advice: advice).response(call)
  }

  /// Reads the advice about stopping or pausing a medicine; nil if it has ended.
  static func stopAdvice(
    _ plan: Plan, _ call: Call, _ signedIn: SignedIn
  ) async throws -> StopAdvice? {
    let environment = call.environment
    let localizer = call.localizer
    let interactions = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(plan.patient, zones: environment.zones, in: reader)
      return try InteractionPart.read(
        plan, DoseFormatter(localizer: localizer, zone: zone, now: call.now), call, signedIn,
        in: reader)
    }
    return interactions.map { StopAdvice(said: $0.said, plan: plan.id) }
  }

  private static func stop(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    let reason = form.raw("reason") ?? ""
    return try await form.save(thenOpen: "/medicines/\(plan.id)?done=stopped") { context, writer in
      _ = try PlanCommands.stop(plan.id, reason: reason, context: context, in: writer)
    } refused: { (error: PlanError) in
      switch error {
      case .reasonMissing:
        StopMedicinePage(plan: plan, reason: reason, isRefused: true).response(form.call)
      case .alreadyStopped: form.redirect(to: "/medicines/\(plan.id)")
      default: throw error
      }
    }
  }
}
