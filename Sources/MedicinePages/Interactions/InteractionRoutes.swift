// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Knowledge
import Localization
import People
import Plans
import Prescriptions
import Presentation
import SiteMap
import Storage
import Web

/// `/interactions`: the interactions of a person's medicines, the person's conditions, and limits of
/// ingredients.
package enum InteractionRoutes {
  static let conditionsPath = "/interactions/conditions"
  static let limitsPath = "/interactions/limits"
  static let conditionField = "condition"

  /// The page and its three forms: acknowledge a warning, state conditions, set a limit.
  package static let all: [Route] = [
    .page(.get, Address.interactions, page),
    .form(Address.knownInteractions, know),
    .form(conditionsPath, setConditions),
    .form(limitsPath, setLimit),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await show(call, signedIn)
  }

  static func show(
    _ call: Call, _ signedIn: SignedIn, mistake: InteractionPage.Mistake? = nil
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.search, "MedicationRequest", of: patient)
    let environment = call.environment
    let (now, list) = (call.now, environment.interactions.list)
    let localizer = call.localizer
    // Intakes are shown only to those who may see them.
    let seesTaken = (try? call.authorize(.read, "Dose", of: patient)) != nil
    let (checked, zone, limits, uses) = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      return (
        try InteractionReading.check(
          list, patient: patient, actor: signedIn.actor, now: now, zone: zone, in: reader),
        zone, try IngredientLimits.all(patient: patient, in: reader),
        seesTaken ? try IngredientLimits.use(patient: patient, now: now, in: reader) : []
      )
    }
    try await environment.audit(authorization, count: checked.medicines.count, at: now)
    let words = DoseFormatter(localizer: localizer, zone: zone, now: now)
    return InteractionPage(
      said: InteractionText(checked: checked, list: list, words: words), limits: limits,
      uses: uses, source: environment.interactions, mistake: mistake
    ).response(call)
  }

  /// Records "My doctor knows about this" for a current warning, or takes it back.
  private static func know(_ form: PostedForm) async throws -> Response {
    let (patient, actor) = (form.patient, form.signedIn.actor)
    _ = try form.authorize(.update, "MedicationRequest")
    let list = form.call.environment.interactions.list
    let key = form.raw("warning") ?? ""
    let isTakenBack = form.text("action") == "take-back"
    try await form.run { context, writer in
      if isTakenBack {
        return try InteractionNotes.takeBack(key, patient: patient, context, in: writer)
      }
      let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
      let checked = try InteractionReading.check(
        list, patient: patient, actor: actor, now: context.now, zone: zone, in: writer)
      guard checked.report.warnings.contains(where: { $0.key == key }) else {
        throw Failure.notFound
      }
      try InteractionNotes.say(key, patient: patient, context, in: writer)
    }
    return form.redirect(to: back(form.text("return")))
  }

  /// Returns the address to go back to; only a medicine's interactions or this page.
  private static func back(_ address: String?) -> String {
    guard let address,
      address.wholeMatch(of: /\/medicines\/[A-Za-z0-9.\-]{1,64}#interactions/) != nil
    else { return "\(Address.interactions)?done=saved" }
    return address
  }

  private static func setConditions(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    _ = try form.authorize(.update, "Condition")
    let known = Set(form.call.environment.interactions.list.conditions.map(\.id))
    let chosen = Set(form.fields.all(conditionField))
    try await form.run { context, writer in
      try StatedConditions.set(chosen, known: known, patient: patient, context, in: writer)
    }
    return form.redirect(to: "\(Address.interactions)?done=saved#conditions")
  }

  private static func setLimit(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    _ = try form.authorize(.update, "MedicationRequest")
    let typed = InteractionPage.TypedLimit(
      ingredient: form.text("ingredient") ?? "", value: form.raw("most") ?? "",
      unit: form.text("unit") ?? "mg", hours: form.raw("hours") ?? "")
    return try await form.save(thenOpen: "\(Address.interactions)?done=saved#limits") {
      context, writer in
      try IngredientLimits.set(
        typed.ingredient, value: typed.value, unit: typed.unit, hours: typed.hours,
        patient: patient, context, in: writer)
    } refused: { (error: IngredientLimitError) in
      try await show(
        form.call, form.signedIn, mistake: InteractionPage.Mistake(error: error, typed: typed))
    }
  }
}
