// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Records
import Scheduling
import Storage
import Web

/// Adds and changes medicines with the form.
package enum MedicineEditing {
  /// The person whom the form is about.
  struct Person: Sendable {
    let patient: PatientID
    let clock: MedicineClock
    let rhythm: DailyRhythm
    let today: CivilDate
  }

  // MARK: Adding

  @Sendable static func newForm(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    _ = try call.authorize(.create, "MedicationRequest", of: call.patient(of: signedIn))
    let person = try await person(call, signedIn)
    return MedicineEditorPage(
      subject: .new(id: call.environment.newIdentifier()),
      input: MedicineInput(today: person.today),
      clock: person.clock, rhythm: person.rhythm
    ).response(call)
  }

  @Sendable static func add(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    _ = try form.authorize(.create, "MedicationRequest")
    let person = try await person(form.call, form.signedIn)
    let base = form.context
    let id = chosenID(form.fields) ?? base.newIdentifier()
    let account = form.signedIn.account.id
    let context = base.making(id)
    let page = MedicineEditorPage(
      subject: .new(id: id), input: MedicineInput(form: form.fields), clock: person.clock,
      rhythm: person.rhythm)
    do {
      return try await submit(form, page, person, context, done: "added") { draft, writer in
        // The form may come from the steps: their draft becomes this plan.
        try MedicineDrafts.remove(PlanID(id), of: account, in: writer)
        return try PlanCommands.add(draft, patient: patient, context: context, in: writer)
      }
    } catch PlanError.records(.idTaken) {
      // The same form was sent before, so the medicine already exists.
      return form.redirect(to: "/medicines/\(id)")
    }
  }

  /// Returns the id that the form was created with.
  private static func chosenID(_ form: FormBody) -> String? {
    form.text("plan").flatMap { FHIRIdentifierText.isValidResourceID($0) ? $0 : nil }
  }

  // MARK: Changing

  @Sendable static func editForm(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let plan = try await call.plan(of: signedIn, to: .update)
    guard plan.takesTimes else { return call.redirect(to: "/medicines/\(plan.id)") }
    let person = try await person(call, signedIn)
    let known = MedicineReading.draft(of: plan, clock: person.clock)
      .flatMap { MedicineInput($0, localizer: call.localizer) }
    let look = try await call.environment.database.read { reader in
      try AppearanceQueries.one(ofPlan: plan.id, patient: plan.patient, in: reader).look
    }
    var input =
      known
      ?? MedicineInput(
        entering: plan.request, today: person.today, localizer: call.localizer)
    // New times keep the travel policy of the old ones.
    if known == nil, plan.kind == .calendar { input.policy = plan.policy.rawValue }
    return MedicineEditorPage(
      subject: .existing(plan, version: plan.version), input: input, look: AppearanceInput(look),
      isEntering: known == nil, clock: person.clock, rhythm: person.rhythm
    ).response(call)
  }

  @Sendable static func edit(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    guard plan.takesTimes else { return form.redirect(to: "/medicines/\(plan.id)") }
    let person = try await person(form.call, form.signedIn)
    let version = form.text("version").flatMap { Int64($0) } ?? plan.version
    let context = form.context
    let known = MedicineReading.draft(of: plan, clock: person.clock)
      .flatMap { MedicineInput($0, localizer: form.localizer) }
    var page = MedicineEditorPage(
      subject: .existing(plan, version: version), input: MedicineInput(form: form.fields),
      isEntering: known == nil, clock: person.clock, rhythm: person.rhythm)
    do {
      return try await submit(form, page, person, context, done: "saved") { draft, writer in
        try PlanCommands.edit(plan.id, draft, ifVersion: version, context: context, in: writer)
      }
    } catch PlanError.versionConflict(let current) {
      // The input is kept; sending it again overwrites the other change.
      page = MedicineEditorPage(
        subject: .existing(plan, version: current), input: page.input, isEntering: known == nil,
        isOutdated: true, clock: person.clock, rhythm: person.rhythm)
      page.look = AppearanceInput(form: form.fields)
      return page.response(form.call)
    } catch PlanError.alreadyStopped {
      return form.redirect(to: "/medicines/\(plan.id)")
    }
  }

  // MARK: Both

  /// Shows the form again with more rows, mistakes or the preview, or saves it and opens the
  /// medicine's page.
  private static func submit(
    _ form: PostedForm, _ empty: MedicineEditorPage, _ person: Person, _ context: CommandContext,
    done: String, save: @escaping @Sendable (PlanDraft, any SQLWriter) throws -> Plan
  ) async throws -> Response {
    let call = form.call
    var page = empty
    let look = AppearanceInput(form: form.fields)
    page.look = look
    let preview = form.text("preview")
    if preview == LivePreviewAnswer.asked || preview == LivePreviewAnswer.checked {
      return try await live(form, page, person, context, save: save)
    }
    if let field = form.text("more") {
      page.expanded = field
      return page.response(call)
    }
    let reading = page.input.read(
      today: person.today, zone: person.clock.zone, rhythm: person.rhythm)
    guard reading.issues.isEmpty, look.issues.isEmpty else {
      page.issues = reading.issues
      return page.response(call)
    }
    let (draft, contraindications) = try await SafetyCheck.read(
      reading.draft, form.fields, call, patient: person.patient,
      plan: page.storedPlan.map(PlanID.init))
    page.contraindications = contraindications
    if contraindications != nil { return page.response(call) }
    page.answers = SafetyQuestionFields.carried(form.fields)
    var step = try await InteractionStep.check(
      draft, plan: page.plan, stored: page.storedPlan, clock: person.clock,
      checker: call.medicineChecker(
        patient: person.patient, actor: context.actor, zone: person.clock.zone),
      now: call.now, in: call.environment.database)
    step.person = call.formToken.personName
    let known = step.known(form.fields)
    do {
      if form.isChecked("preview") {
        page.interactions = step
        page.trial = try await MedicineTrial.run(
          for: person.patient, replacing: page.storedPlan.map(PlanID.init), clock: person.clock,
          context: context,
          calendarDays: draft.schedule.previewDays, in: call.environment.database
        ) { writer in try save(draft, writer) }
        return page.response(call)
      }
      guard step.isSeen(form.fields) else {
        page.interactions = step
        return page.response(call)
      }
      let plan = try await form.run { notes, writer in
        let plan = try save(draft, writer)
        // These need new identifiers; the context of an added medicine only supplies the medicine's
        // id.
        try look.keep(ofPlan: plan.id, patient: person.patient, notes, in: writer)
        for key in known {
          try InteractionNotes.say(key, patient: person.patient, notes, in: writer)
        }
        return plan
      }
      return form.redirect(to: "/medicines/\(plan.id)?done=\(done)")
    } catch PlanError.invalid(let issues) {
      page.issues = issues.map { .draft($0, page.input.schedule) }
      return page.response(call)
    }
  }

  /// Answers an unfinished form with the preview, or with the reason for a refusal.
  private static func live(
    _ form: PostedForm, _ page: MedicineEditorPage, _ person: Person, _ context: CommandContext,
    save: @escaping @Sendable (PlanDraft, any SQLWriter) throws -> Plan
  ) async throws -> Response {
    let call = form.call
    var input = page.input
    // A preview works without a name.
    if TypedText.trimmed(input.name).isEmpty { input.name = "–" }
    let reading = input.read(
      today: person.today, zone: person.clock.zone, rhythm: person.rhythm)
    guard reading.issues.isEmpty else { return LivePreviewAnswer.nothing }
    let (draft, contraindications) = try await SafetyCheck.read(
      reading.draft, form.fields, call, patient: person.patient,
      plan: page.storedPlan.map(PlanID.init))
    if let contraindications { return LivePreviewAnswer.refusal(contraindications) }
    if form.text("preview") == LivePreviewAnswer.checked { return LivePreviewAnswer.nothing }
    do {
      let trial = try await MedicineTrial.run(
        for: person.patient, replacing: page.storedPlan.map(PlanID.init), clock: person.clock,
        context: context,
        calendarDays: draft.schedule.previewDays, in: call.environment.database
      ) { writer in try save(draft, writer) }
      return LivePreviewAnswer(trial: trial, clock: person.clock).response
    } catch is PlanError {
      return LivePreviewAnswer.nothing
    }
  }

  /// Returns the person whose pages are shown, with the time zone and daily routine for reading
  /// forms.
  static func person(_ call: Call, _ signedIn: SignedIn) async throws -> Person {
    try await person(of: call.patient(of: signedIn), call)
  }

  /// Returns a person with the time zone and daily routine for reading forms; the caller has
  /// checked that access is allowed.
  static func person(of patient: PatientID, _ call: Call) async throws -> Person {
    let zones = call.environment.zones
    let (zone, rhythm) = try await call.environment.database.read { reader in
      (
        try PeopleQueries.zone(patient, zones: zones, in: reader),
        try PeopleQueries.rhythm(patient, in: reader)
      )
    }
    let clock = MedicineClock(zone: zone, localizer: call.localizer)
    return Person(
      patient: patient, clock: clock, rhythm: rhythm, today: clock.day(of: call.now))
  }
}

extension CommandContext {
  /// Returns the same context with the given identifier for the record that it creates.
  func making(_ id: String) -> CommandContext {
    CommandContext(
      actor: actor, byName: byName, now: now, newIdentifier: { id }, zones: zones,
      consequences: consequences, purpose: purpose)
  }
}
