// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import Hummingbird
import Identifiers
import Knowledge
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Records
import Scheduling
import Storage
import Web

/// Adds and changes a child's medicine with the same commands as any other medicine.
package enum ChildPlanEditing {
  @Sendable static func newForm(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child) = try await Child.open(call, signedIn, to: .create)
    var page = ChildPlanPage(
      child: child, plan: here.environment.newID(), version: nil,
      input: ChildPlanInput(FormBody(pairs: here.queryFields), today: child.today))
    // There is no default number of times a day; the calculator's result is kept.
    if here.queryFields.isEmpty { page.input = ChildPlanInput(today: child.today) }
    if let source = here.queryValue("from") {
      (page.input, page.look) = try await copied(PlanID(source), for: child, here, signedIn)
      page.isCopy = true
    }
    return page.response(here)
  }

  /// Copies another child's medicine without its amount, which must be entered for this child.
  private static func copied(
    _ plan: PlanID, for child: Child, _ call: Call, _ signedIn: SignedIn
  ) async throws -> (ChildPlanInput, AppearanceInput) {
    guard let owner = call.queryValue("of").map(PatientID.init),
      call.people.contains(where: { $0.patient == owner })
    else { throw Failure.notFound }
    _ = try call.authorize(.read, "MedicationRequest", of: owner)
    let (found, look) = try await call.environment.database.read { reader in
      (
        try PlanQueries.plan(plan, patient: owner, in: reader),
        try AppearanceQueries.one(ofPlan: plan, patient: owner, in: reader).look
      )
    }
    guard let found else { throw Failure.notFound }
    var input = ChildPlanInput(today: child.today)
    input.name = found.medicineName
    if let known = draft(of: found, child).flatMap({
      ChildPlanInput($0, localizer: call.localizer)
    }) {
      input = known
      (input.whole, input.fraction) = ("", "0")
      (input.start, input.end) = (child.today.text, "")
      input.times = known.times.map { .init(slot: nil, text: $0.text) }
    }
    return (input, AppearanceInput(look))
  }

  @Sendable static func add(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child, form) = try await Child.posted(call, signedIn, to: .create)
    let id =
      form.text("plan").flatMap { FHIRIdentifierText.isValidResourceID($0) ? $0 : nil }
      ?? here.environment.newIdentifier()
    let base = here.environment.commandContext(for: signedIn, now: here.now)
    let context = CommandContext(
      actor: base.actor, byName: base.byName, now: base.now, newIdentifier: { id },
      zones: base.zones, consequences: base.consequences, purpose: base.purpose)
    let look = AppearanceInput(form: form)
    let page = ChildPlanPage(
      child: child, plan: PlanID(id), version: nil, input: ChildPlanInput(form, today: child.today),
      look: look)
    do {
      return try await submit(page, form, here, stored: nil, base) { draft, writer in
        let plan = try PlanCommands.add(
          draft, patient: child.patient, context: context, in: writer)
        try look.keep(ofPlan: plan.id, patient: child.patient, context, in: writer)
        return plan
      }
    } catch PlanError.records(.idTaken) {
      // The same form was sent before, so the medicine already exists.
      return here.redirect(to: ChildRoutes.address(child.patient))
    }
  }

  @Sendable static func editForm(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child) = try await Child.open(call, signedIn, to: .update)
    let plan = try await plan(here, child)
    guard let known = draft(of: plan, child),
      let input = ChildPlanInput(known, localizer: here.localizer)
    else { return here.redirect(to: "/medicines/\(plan.id)/edit") }
    let look = try await here.environment.database.read { reader in
      try AppearanceQueries.one(ofPlan: plan.id, patient: child.patient, in: reader).look
    }
    return ChildPlanPage(
      child: child, plan: plan.id, version: plan.version, input: input, look: AppearanceInput(look)
    ).response(here)
  }

  @Sendable static func edit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child, form) = try await Child.posted(call, signedIn, to: .update)
    let plan = try await plan(here, child)
    let version = form.text("version").flatMap { Int64($0) } ?? plan.version
    let context = here.environment.commandContext(for: signedIn, now: here.now)
    let look = AppearanceInput(form: form)
    var page = ChildPlanPage(
      child: child, plan: plan.id, version: version,
      input: ChildPlanInput(form, today: child.today), look: look)
    do {
      return try await submit(page, form, here, stored: plan, context) { draft, writer in
        let edited = try PlanCommands.edit(
          plan.id, draft, ifVersion: version, context: context, in: writer)
        try look.keep(ofPlan: plan.id, patient: child.patient, context, in: writer)
        return edited
      }
    } catch PlanError.versionConflict(let current) {
      page = ChildPlanPage(
        child: child, plan: plan.id, version: current, input: page.input, look: look,
        isOutdated: true)
      return page.response(here)
    } catch PlanError.alreadyStopped {
      return here.redirect(to: ChildRoutes.address(child.patient))
    }
  }

  /// Reads the form, checks for warnings, and saves, or shows the form again with the input.
  private static func submit(
    _ empty: ChildPlanPage, _ form: FormBody, _ call: Call, stored: Plan?,
    _ context: CommandContext,
    save: @escaping @Sendable (PlanDraft, any SQLWriter) throws -> Plan
  ) async throws -> Response {
    var page = empty
    let child = page.child
    let localizer = call.localizer
    let (read, issues) = page.input.read(today: child.today)
    guard let read, page.look.issues.isEmpty else {
      page.errors = issues.map { issue in
        FieldError(
          field: issue.field,
          message: localizer.text("children.form.problem", ["problem": .text(issue.rawValue)]))
      }
      return page.response(call)
    }
    let (draft, contraindications) = try await SafetyCheck.read(
      read, form, call, patient: child.patient, plan: stored?.id)
    page.contraindications = contraindications
    if contraindications != nil { return page.response(call) }
    page.answers = SafetyQuestionFields.carried(form)
    var step = try await InteractionStep.check(
      draft, plan: page.plan, stored: stored?.id.text,
      clock: MedicineClock(zone: child.zone, localizer: localizer),
      checker: call.medicineChecker(
        patient: child.patient, actor: context.actor, zone: child.zone),
      now: call.now, in: call.environment.database)
    step.person = call.formToken.personName
    // Products that share an ingredient were already asked about above, with a note.
    if !draft.contraindicationNotes.isEmpty { step.asked = [.duplicate] }
    guard step.isSeen(form) else {
      page.interactions = step
      return page.response(call)
    }
    let known = step.known(form)
    do {
      _ = try await call.environment.database.write { writer in
        let plan = try save(draft, writer)
        for key in known {
          try InteractionNotes.say(key, patient: child.patient, context, in: writer)
        }
        return plan
      }
      return call.redirect(to: "\(ChildRoutes.address(child.patient))?done=saved")
    } catch PlanError.invalid(let issues) {
      page.errors = issues.map {
        FieldError(field: field(of: $0.field), message: $0.text(localizer))
      }
      return page.response(call)
    }
  }

  /// Returns the form's field for a mistake in the draft.
  private static func field(of field: DraftField) -> String {
    switch field {
    case .name: "name"
    case .strength: "strength-mg"
    case .dose, .maximum: "whole"
    case .times, .hours, .days, .meals: "time"
    case .schedule, .weekdays, .missedDoseAdvice, .monthlyDays: "when"
    case .start: "start"
    case .end: "end"
    case .instruction: "note"
    case .need: "need"
    case .gap: "gap"
    case .count: "most"
    // The form of a child's medicine has none of these fields.
    case .mix, .cycle, .steps, .entries, .spread, .waking: "when"
    }
  }

  private static func draft(of plan: Plan, _ child: Child) -> PlanDraft? {
    let created = child.zone.date(at: Instant(milliseconds: plan.created.milliseconds))
    return PlanDraft(
      medicationRequest: plan.request.json, slots: plan.slots, zone: child.zone, start: created,
      policy: plan.policy)
  }

  /// Returns the plan in the address, if it belongs to this child.
  static func plan(_ call: Call, _ child: Child) async throws -> Plan {
    let id = try call.parameter("plan")
    let found = try await call.environment.database.read { reader in
      try PlanQueries.plan(PlanID(id), patient: child.patient, in: reader)
    }
    guard let found else { throw Failure.notFound }
    return found
  }
}
