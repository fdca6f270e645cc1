// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import TimeZones
import Web

/// The travel form: asks how each medicine adapts to another time zone, and previews the moved
/// doses.
package enum TravelRoutes {
  /// The form, its submission, and the button that dismisses the question on Today.
  package static let all: [Route] = [
    .page(.get, Address.travel, form), .form(Address.travel, submit),
    .form(TravelNotice.path, TravelNotice.later),
  ]

  /// The redirect to the list of medicines, which then shows the current time zone.
  private static let done = "/medicines?done=travel"

  /// The data for the page.
  struct Reading: Sendable {
    let details: PatientDetails
    let home: Zone
    /// Active plans, by name.
    let plans: [Plan]
    /// The place whose clock each plan follows, or followed before the journey.
    let places: [PlanID: String]
  }

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let reading = try await read(call, signedIn)
    return TravelPage(
      reading: reading, zones: call.environment.zones, now: call.now,
      zone: call.queryValue("zone") ?? ""
    ).response(call)
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let reading = try await read(call, signedIn)
    let patient = form.patient
    let zone = form.text("zone") ?? ""
    var policies: [PlanID: ZonePolicy] = [:]
    for plan in reading.plans {
      policies[plan.id] = form.text("policy-\(plan.id)").flatMap(ZonePolicy.init(rawValue:))
    }
    let zones = call.environment.zones
    var page = TravelPage(
      reading: reading, zones: zones, now: call.now, zone: zone, chosen: policies)
    // The choices can change even without a new zone, for example back to the local clock.
    let isStaying = zone == reading.home.identifier
    let isNew = reading.plans.contains { plan in
      plan.kind == .calendar && policies[plan.id].map { $0 != plan.policy } ?? false
    }
    guard page.isZoneKnown else {
      page.isUnknown = true
      return page.response(call)
    }
    let isPreview = form.isChecked("preview")
    // Choosing the current zone again changes nothing.
    if isStaying, !isNew, !isPreview { return call.redirect(to: done) }
    let context = form.context
    var details = reading.details
    details.zone = zone
    let change = { @Sendable [policies, details] (writer: any SQLWriter) throws -> Void in
      try PlanCommands.travel(
        policies, patient: patient, isStaying: isStaying, context: context, in: writer)
      guard !isStaying else { return }
      try PeopleCommands.change(details, patient: patient, context: context, in: writer)
    }
    if isPreview {
      page.trial = try await DetailsTrial.run(call, signedIn, change)
      return page.response(call)
    }
    if form.text(DetailsTrial.seenField) != zone,
      let asked = try await DetailsTrial.run(call, signedIn, change).asked
    {
      page.trial = asked
      return page.response(call)
    }
    try await form.run { _, writer in try change(writer) }
    return call.redirect(to: done)
  }

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> Reading {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.update, "Patient", of: patient)
    _ = try call.authorize(.update, "MedicationRequest", of: patient)
    let zones = call.environment.zones
    let reading = try await call.environment.database.read { reader in
      guard let details = try PeopleQueries.details(patient, in: reader)?.details else {
        throw Failure.notFound
      }
      let plans = try PlanQueries.all(patient: patient, in: reader)
        .filter { $0.unplanned == nil && $0.status == "active" }
        .sorted { ($0.medicineName, $0.id) < ($1.medicineName, $1.id) }
      return Reading(
        details: details, home: try PeopleQueries.zone(patient, zones: zones, in: reader),
        plans: plans, places: try PlanQueries.places(of: plans, in: reader))
    }
    try await call.environment.audit(authorization, count: reading.plans.count, at: call.now)
    return reading
  }
}
