// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import Hummingbird
import Identifiers
import Observations
import People
import Plans
import Presentation
import SiteMap
import Statistics
import Storage
import Web

/// `/medicines/:plan/effect`: the doses of a medicine beside measured values, and each change before and after.
package enum EffectRoutes {
  /// The routes of the page and of the choice of measures.
  package static let all: [Route] = [
    .medicinePage("/medicines/:plan/effect", page),
    .form("/medicines/:plan/effect", choose),
  ]

  /// The address of the page of a medicine.
  package static func address(_ plan: PlanID) -> String { Address.effect(of: plan.text) }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let found = try await read(call, patient: patient, plan: PlanID(try call.parameter("plan")))
    return EffectPage(
      plan: found.plan, content: found.content, showsMeasures: found.showsMeasures,
      mayReport: (try? call.authorizeExport("Dose", of: patient)) != nil,
      keepsChoice: call.formToken.mayAct
        && (try? call.authorize(.update, "MedicationRequest", of: patient)) != nil
    ).response(call)
  }

  /// Keeps the chosen measures, with which the page and the visit report then open.
  private static func choose(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    guard
      let choice = EffectChoice(
        measure: form.text("measure") ?? "", second: form.text("second"))
    else {
      throw Failure.unprocessable("value", "measure must be the key of a measure.")
    }
    try await form.run { context, writer in
      try EffectChoices.keep(
        choice, ofPlan: plan.id, patient: plan.patient, context: context, in: writer)
    }
    let range = form.text("range").flatMap { EffectRange(rawValue: $0) } ?? .quarter
    return form.redirect(to: "\(address(plan.id))?range=\(range.rawValue)")
  }

  /// Reads the content for the query of a call, and audits each part of it.
  ///
  /// The medicine and its doses must be visible; measurements are left out if they are not. Without measures in the
  /// query, those that were chosen last are shown.
  package static func read(
    _ call: Call, patient: PatientID, plan id: PlanID
  ) async throws -> (plan: Plan, content: EffectContent, showsMeasures: Bool) {
    _ = try call.authorize(.read, "MedicationRequest", of: patient)
    let doses = try call.authorize(.read, "Dose", of: patient)
    let vitals = try? call.authorize(
      .read, VitalCommands.resource, of: patient, part: .either)
    let range = call.queryValue("range").flatMap { EffectRange(rawValue: $0) } ?? .quarter
    let keys = call.queryFields.filter { ["measure", "second"].contains($0.name) }.map(\.value)
    let (environment, now) = (call.environment, call.now)
    let part = vitals.flatMap { $0.actor.observations(of: patient) }
    let showsMeasures = part != nil
    let (plan, content) = try await environment.database.read { reader in
      guard let plan = try PlanQueries.plan(id, patient: patient, in: reader) else {
        throw Failure.notFound
      }
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let chosen = try EffectChoices.choice(ofPlan: id, patient: patient, in: reader)?.keys ?? []
      return (
        plan,
        try EffectContent.load(
          id, of: patient, range: range, keys: keys.isEmpty ? chosen : keys, part: part,
          zone: zone, now: now, in: reader)
      )
    }
    try await environment.audit(
      doses, count: max(1, content.doses.total.planned), at: now)
    if let vitals {
      let values = content.series.reduce(0) { $0 + $1.days.count }
      try await environment.audit(vitals, count: max(1, values), at: now)
    }
    return (plan, content, showsMeasures)
  }
}
