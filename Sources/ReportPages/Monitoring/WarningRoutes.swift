// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import HeartRate
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// Heart rate warnings: the log, and the question of each one.
package enum WarningRoutes {
  /// The routes of the log and the questions.
  package static let all: [Route] = [
    .page(.get, path, log),
    .page(.get, "\(path)/:warning", show),
    .accountForm("\(path)/:warning", answer),
  ]

  static let path = "/heart-rate/warnings"

  static func address(of warning: String) -> String { "\(path)/\(warning)" }

  private static func log(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient)
    let environment = call.environment
    let (zone, warnings) = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let today = zone.date(at: Instant(milliseconds: call.now.milliseconds))
      return (
        zone,
        try HeartRateQueries.warnings(of: patient, from: today.adding(days: -365), in: reader)
      )
    }
    try await environment.audit(authorization, count: warnings.count, at: call.now)
    return WarningLogPage(
      warnings: warnings, clock: MedicineClock(zone: zone, localizer: call.localizer),
      showsAnswers: HeartRateMonitoringRoutes.showsDoses(call, patient),
      showsProbability: HeartRateCommands.isProvider(
        patient, environment.commandContext(for: signedIn, now: call.now))
    ).response(call)
  }

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    if let seen = try await onlyLooking(call, signedIn) { return seen }
    let found = try await WarningSurroundings.read(call)
    let call = call.opening(found.warning.patient)
    return WarningPage(found).response(call)
  }

  /// Returns the page for a viewer with whom the heart rate is shared; nil for those who answer,
  /// and for those who may not know.
  private static func onlyLooking(_ call: Call, _ signedIn: SignedIn) async throws -> Response? {
    let id = try call.parameter("warning")
    guard
      let warning = try await call.environment.database.read({
        try HeartRateQueries.warning(WarningID(id), in: $0)
      })
    else { return nil }
    let patient = warning.patient
    guard (try? call.authorize(.update, VitalCommands.resource, of: patient)) == nil,
      let authorization = try? call.authorize(.read, VitalCommands.resource, of: patient)
    else { return nil }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return UnansweredPage(
      warning: warning,
      isProvider: HeartRateCommands.isProvider(
        patient, call.environment.commandContext(for: signedIn, now: call.now))
    ).response(call.opening(patient))
  }

  private static func answer(_ form: PostedForm) async throws -> Response {
    let warning = try await WarningSurroundings.read(form.call).warning
    let id = warning.id
    let call = form.call.opening(warning.patient)
    try ForgeryGuard.check(form.fields, of: call)
    let hours = form.text("hours")
    let answer = form.text("answer").flatMap(Warning.Answer.init(rawValue:))
    guard answer != nil || hours.map({ $0 == "none" || Int($0) != nil }) ?? false else {
      throw Failure.badRequest(
        "value", "answer must name an answer, or hours must be a whole number.")
    }
    do {
      try await form.run { context, writer in
        if let answer {
          _ = try WarningCommands.answer(answer, to: id, context, in: writer)
        } else {
          _ = try WarningCommands.remind(
            inHours: hours.flatMap { Int($0) }, of: id, context, in: writer)
        }
      }
    } catch let error as HeartRateError {
      throw error.failure
    }
    call.environment.live.reminders.ring()
    return call.redirect(to: address(of: id.text))
  }
}

/// A warning with the data for its page.
struct WarningSurroundings: Sendable {
  let warning: Warning
  let zone: Zone
  /// The open doses of the monitored plans.
  let doses: [Dose]
  /// The intakes of the same medicine within the gap before now, by plan.
  let withinGap: [PlanID: [Intake]]
  /// The next due times of the monitored plans.
  let next: [Dose]

  /// Reads the data for someone who acts for the person; for others who may not know, it does not
  /// exist.
  static func read(_ call: Call) async throws -> WarningSurroundings {
    let id = try call.parameter("warning")
    let environment = call.environment
    let now = call.now
    let (authorization, found) = try await environment.database.read { reader in
      guard let warning = try HeartRateQueries.warning(WarningID(id), in: reader) else {
        throw Failure.notFound
      }
      let patient = warning.patient
      let authorization = try call.authorize(.update, VitalCommands.resource, of: patient)
      let plans = try HeartRateFacts.monitoredPlans(of: warning, in: reader)
      let ahead = try DoseQueries.listing(
        patient: patient, from: now, until: now.adding(milliseconds: 48 * 3_600_000), now: now,
        zones: environment.zones, in: reader)
      var next: [Dose] = []
      for dose in ahead.doses
      where plans.contains(dose.plan) && dose.state == .scheduled
        && !next.contains(where: { $0.plan == dose.plan })
      { next.append(dose) }
      return (
        authorization,
        WarningSurroundings(
          warning: warning, zone: ahead.zone,
          doses: try HeartRateQueries.openDoses(of: patient, now: now, in: reader),
          withinGap: try IntakeQueries.latestWithinGap(before: now, patient: patient, in: reader),
          next: next)
      )
    }
    try await environment.audit(authorization, count: 1, at: now)
    return found
  }
}
