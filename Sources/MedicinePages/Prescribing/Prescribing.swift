// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
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

/// The single-page form in which practitioners prescribe a medicine or change their own
/// prescription; it has the fields of the form for one's own medicines.
package enum Prescribing {
  /// The form and its submission.
  package static let all: [Route] = [
    .page(.get, "/care/:patient/prescribe/details", form),
    .page(.post, "/care/:patient/prescribe/details", submit),
    .page(.get, "/care/:patient/prescribe/:draft/details", formOfDraft),
  ]

  /// Shows the form with everything entered in the steps; sending it sends the draft.
  @Sendable private static func formOfDraft(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    try await OpenedDraft.open(.prescription, call, signedIn) { opened in
      let access = try await PractitionerAccess.openToPrescribe(call, signedIn)
      var page = try await empty(access, call, signedIn, plan: nil)
      page.id = opened.draft.id.text
      page.input = SchedulingMedicine.completeInput(opened)
      return page.response(call, signedIn)
    }
  }

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let access = try await PractitionerAccess.openToPrescribe(call, signedIn)
    var page = try await empty(
      access, call, signedIn, plan: call.queryValue("plan").map(PlanID.init))
    if let changed = page.changed {
      page.input =
        MedicineReading.draft(of: changed, clock: page.clock)
        .flatMap { MedicineInput($0, localizer: call.localizer) }
        ?? MedicineInput(
          entering: changed.request, today: page.clock.day(of: call.now),
          localizer: call.localizer)
    } else if let template = call.queryValue("template") {
      guard let found = page.templates.first(where: { $0.id == template }) else {
        throw Failure.notFound
      }
      page.input = MedicineInput(
        form: FormBody(pairs: FormBody.pairs(of: found.fields)))
      // Older templates don't have "certain weekdays" as a separate choice.
      if page.input.schedule == .times, !page.input.weekdays.isEmpty {
        page.input.schedule = .weekdays
      }
      page.input.start = page.clock.day(of: call.now).text
    }
    return page.response(call, signedIn)
  }

  private static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await call.careForm()
    let access = try await PractitionerAccess.openToPrescribe(call, signedIn)
    var page = try await empty(access, call, signedIn, plan: form.text("plan").map(PlanID.init))
    // Findings are keyed by this id, so the returned form must be for the same prescription.
    page.id = chosenID(form) ?? page.id
    page.input = MedicineInput(form: form)
    page.identity = IdentityInput(form: form)
    page.templateName = form.text("template-name") ?? ""
    page.answers = SafetyQuestionFields.carried(form)
    if let field = form.text("more") {
      page.expanded = field
      return page.response(call, signedIn)
    }
    do {
      if form.isChecked("keep") { return try await keep(page, form, call, signedIn) }
      return try await send(page, form, call, signedIn)
    } catch PlanError.invalid(let issues) {
      page.issues = issues.map { .draft($0, page.input.schedule) }
    } catch let error as CareTeamError {
      switch error {
      case .wrongPatient, .templateName, .tooManyTemplates: page.problem = error
      // A medicine was added in the meantime, so the findings are shown again.
      case .unseenFindings: page.interactions = try await findings(page, form, call)
      default: throw error.failure
      }
    }
    return page.response(call, signedIn)
  }

  private static func send(
    _ empty: PrescribePage, _ form: FormBody, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    var page = empty
    let reading = page.input.read(
      today: page.clock.day(of: call.now), zone: page.clock.zone, rhythm: page.rhythm)
    guard reading.issues.isEmpty else {
      page.issues = reading.issues
      return page.response(call, signedIn)
    }
    let (access, plan) = (page.access, page.changed?.id)
    let (draft, contraindications) = try await SafetyCheck.read(
      reading.draft, form, call, patient: access.patient, plan: plan)
    page.contraindications = contraindications
    if contraindications != nil { return page.response(call, signedIn) }
    let (commands, database) = (access.prescriptions(call), call.environment.database)
    let id = ProposalID(page.id)
    var step = try await access.findings(draft, id: id, changing: plan, clock: page.clock, call)
    // The doses also depend on intakes, which may not be shared.
    if form.isChecked("preview") { page.interactions = step }
    if form.isChecked("preview"), access.reading("Dose") != nil {
      page.trial = try await MedicineTrial.run(
        for: access.patient, replacing: plan, clock: page.clock, context: access.context(call),
        in: database
      ) { writer in try commands.trial(draft, changing: plan, in: writer) }
      return page.response(call, signedIn)
    }
    guard !form.isChecked("preview") else { return page.response(call, signedIn) }
    guard step.isSeen(form) else {
      step.isUnconfirmed = step.isShown(form)
      page.interactions = step
      return page.response(call, signedIn)
    }
    let account = signedIn.account.id
    return try await access.send(
      draft, id: id, changing: plan, identity: page.identity.identity, form, call
    ) { writer in
      // The form may come from the steps: their draft was sent.
      try MedicineDrafts.remove(PlanID(id.text), of: account, in: writer)
    }
  }

  /// Returns the findings about the content of a form.
  private static func findings(
    _ page: PrescribePage, _ form: FormBody, _ call: Call
  ) async throws -> InteractionStep {
    let draft = page.input.read(
      today: page.clock.day(of: call.now), zone: page.clock.zone, rhythm: page.rhythm
    ).draft
    return try await page.access.findings(
      draft, id: ProposalID(page.id), changing: page.changed?.id, clock: page.clock, call)
  }

  /// Saves the form as a template, even if it could not be sent.
  private static func keep(
    _ empty: PrescribePage, _ form: FormBody, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    var page = empty
    let (account, now) = (signedIn.account.id, call.now)
    let template = PrescriptionTemplate(
      id: call.environment.newIdentifier(), name: page.templateName,
      fields: templateFields(of: form))
    page.templates = try await call.environment.database.write { writer in
      try PrescriptionTemplates.save(template, of: account, at: now, in: writer)
      return try PrescriptionTemplates.all(of: account, in: writer)
    }
    page.saved = page.templateName
    page.templateName = ""
    return page.response(call, signedIn)
  }

  /// Returns the fields that a template keeps: nothing that identifies the patient, the form or its
  /// dates.
  private static func templateFields(of form: FormBody) -> String {
    let others: Set<String> = [
      ForgeryGuard.field, PersonChoice.guardField, IdentityInput.nameField,
      IdentityInput.birthDateField, "prescription", "plan", "template-name", "keep", "preview",
      "more", "start", "end", InteractionStep.seenField, InteractionStep.confirmedField,
      SafetyQuestionFields.field,
    ]
    return form.pairs.filter { !others.contains($0.name) && !$0.name.hasSuffix("-slot") }
      .map { "\(QueryText.encode($0.name))=\(QueryText.encode($0.value))" }
      .joined(separator: "&")
  }

  /// Returns the id that the form was created with.
  private static func chosenID(_ form: FormBody) -> String? {
    form.text("prescription").flatMap { FHIRIdentifierText.isValidResourceID($0) ? $0 : nil }
  }

  private static func empty(
    _ access: PractitionerAccess, _ call: Call, _ signedIn: SignedIn, plan: PlanID?
  ) async throws -> PrescribePage {
    let (environment, account) = (call.environment, signedIn.account.id)
    let patient = access.patient
    let read = try await environment.database.read { reader in
      (
        zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
        rhythm: try PeopleQueries.rhythm(patient, in: reader),
        plan: try plan.flatMap { try PlanQueries.plan($0, patient: patient, in: reader) },
        asks: try PatientIdentity.hasBirthDate(patient, in: reader),
        templates: try PrescriptionTemplates.all(of: account, in: reader)
      )
    }
    if plan != nil {
      guard let found = read.plan else { throw Failure.notFound }
      guard Prescriber(found.request)?.account == account else {
        throw CareTeamError.notYours.failure
      }
      guard found.unplanned?.standsOnToday ?? true else { throw CareTeamError.alreadyEnded.failure }
      try await environment.audit(
        access.authorize(.read, "MedicationRequest"), count: 1, at: call.now)
    }
    let clock = MedicineClock(zone: read.zone, localizer: call.localizer)
    return PrescribePage(
      access: access, id: environment.newIdentifier(), changed: read.plan,
      input: MedicineInput(today: clock.day(of: call.now)), asksBirthDate: read.asks,
      templates: read.templates, clock: clock, rhythm: read.rhythm,
      table: try await environment.deskTable.read(beside: patient, call, signedIn))
  }
}
