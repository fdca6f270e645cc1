// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import Dosing
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The sites of a medicine, and the site of one dose.
package enum SiteRoutes {
  /// The page of a medicine's sites, and the pages of one dose.
  package static let all: [Route] = [
    .medicinePage("/medicines/:plan/sites", list),
    .form("/medicines/:plan/sites", save),
    .page(.get, "/sites/:administration", showDose),
    .form("/sites/:administration", record),
    .form("/sites/:administration/removed", remove),
  ]

  static func address(of plan: PlanID) -> String { "/medicines/\(plan)/sites" }

  // MARK: The sites of a medicine

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let plan = try await call.plan(of: signedIn, to: .read)
    // The page also shows intakes.
    _ = try call.authorize(.read, "Dose", of: plan.patient)
    return try await showList(call, plan)
  }

  private static func showList(
    _ call: Call, _ plan: Plan, typed: SiteInput? = nil
  ) async throws -> Response {
    let zones = call.environment.zones
    let (choice, uses, zone) = try await call.environment.database.read { reader in
      (
        try SiteQueries.choice(ofPlan: plan.id, patient: plan.patient, in: reader),
        try SiteQueries.history(ofPlan: plan.id, patient: plan.patient, in: reader),
        try PeopleQueries.zone(plan.patient, zones: zones, in: reader)
      )
    }
    // Nothing is recorded before someone saves it; the prescription only fills in the form.
    let kind = SiteKind(plan.request)
    let proposed = SiteChoice(
      isOn: kind != nil, kind: kind ?? .injection, wearMinutes: WearTime.minutes(of: plan.request))
    return SitesPage(
      plan: plan, choice: choice ?? SiteChoice(isOn: false, kind: proposed.kind), uses: uses,
      input: typed ?? SiteInput(choice ?? proposed),
      words: DoseFormatter(localizer: call.localizer, zone: zone, now: call.now)
    ).response(call)
  }

  private static func save(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    _ = try form.call.authorize(.read, "Dose", of: plan.patient)
    let input = SiteInput(form.fields)
    guard let choice = input.choice else {
      return try await showList(form.call, plan, typed: input)
    }
    try await form.run { context, writer in
      try SiteCommands.choose(
        choice, ofPlan: plan.id, patient: plan.patient, context: context, in: writer)
    }
    return form.redirect(to: "\(address(of: plan.id))?done=saved")
  }

  // MARK: The site of a dose

  private static func showDose(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, AdministrationResource.type, of: patient)
    _ = try call.authorize(.update, AdministrationResource.type, of: patient)
    let administration = AdministrationID(try call.parameter("administration"))
    let page = try await read(call, administration, patient)
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return page.response(call)
  }

  private static func read(
    _ call: Call, _ administration: AdministrationID, _ patient: PatientID
  ) async throws -> SitePage {
    let (zones, localizer, now) = (call.environment.zones, call.localizer, call.now)
    return try await call.environment.database.read { reader in
      guard let use = try SiteQueries.use(administration, patient: patient, in: reader),
        let choice = try SiteQueries.choice(ofPlan: use.plan, patient: patient, in: reader),
        let plan = try PlanQueries.plan(use.plan, patient: patient, in: reader)
      else { throw Failure.notFound }
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      return SitePage(
        medicineName: plan.medicineName, use: use, choice: choice,
        history: try SiteQueries.history(ofPlan: use.plan, patient: patient, in: reader),
        words: DoseFormatter(localizer: localizer, zone: zone, now: now))
    }
  }

  private static func record(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, AdministrationResource.type)
    let patient = form.patient
    let administration = AdministrationID(try form.parameter("administration"))
    guard let site = form.text("site").flatMap(BodySite.init(rawValue:)) else {
      var page = try await read(form.call, administration, patient)
      page.isSiteMissing = true
      return page.response(form.call)
    }
    let reactions = form.fields.all("reactions").compactMap(SiteReaction.init(rawValue:))
    try await form.run { context, writer in
      try SiteCommands.record(
        site, reactions, of: administration, patient: patient, context: context, in: writer)
    }
    form.call.environment.live.changed(patient)
    return form.redirect(to: "\(Address.site(of: administration.text))?done=saved")
  }

  private static func remove(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, AdministrationResource.type)
    let patient = form.patient
    let administration = AdministrationID(try form.parameter("administration"))
    do {
      try await form.run { context, writer in
        try SiteCommands.remove(
          administration, patient: patient, context: context, in: writer)
      }
    } catch SiteError.notWorn {
      // The page was old: it is shown again with the removal.
    }
    form.call.environment.live.changed(patient)
    return form.redirect(to: "\(Address.site(of: administration.text))?done=removed")
  }
}

/// The form of a medicine's sites, as typed.
struct SiteInput: Sendable {
  let isOn: Bool
  let kind: SiteKind?
  let sites: [BodySite]
  let hours: String

  init(_ choice: SiteChoice) {
    isOn = choice.isOn
    kind = choice.kind
    sites = choice.sites
    hours = choice.wearMinutes.map { String($0 / 60) } ?? ""
  }

  init(_ fields: FormBody) {
    isOn = fields.all("on").contains("yes")
    kind = fields.text("kind").flatMap(SiteKind.init(rawValue:))
    sites = fields.all("sites").compactMap(BodySite.init(rawValue:))
    hours = fields.text("hours") ?? ""
  }

  /// True if the hours are no whole number in the allowed range.
  var isHoursWrong: Bool {
    guard !hours.isEmpty else { return false }
    guard let typed = Int(hours), typed >= 1 else { return true }
    return typed > SiteChoice.wear.upperBound / 60
  }

  /// The choice; nil if something is missing or wrong.
  var choice: SiteChoice? {
    guard let kind, !isHoursWrong else { return nil }
    return SiteChoice(
      isOn: isOn, kind: kind, sites: sites, wearMinutes: Int(hours).map { $0 * 60 })
  }
}
