// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Knowledge
import Localization
import Plans
import Presentation
import Storage
import Web

/// The first step of adding a medicine: which one it is.
enum ChoosingMedicine {
  // MARK: A new one

  /// Shows the search, or the form for the medicine that was found.
  @Sendable static func search(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, "MedicationRequest", of: patient)
    let site = StepSite(call, signedIn)
    if let fields = try await chosen(call, signedIn) {
      return WhichMedicinePage(site: site, fields: fields).response
    }
    let authorization = try call.authorize(.search, "MedicationRequest", of: patient)
    let account = signedIn.account.id
    let (plans, unfinished) = try await call.environment.database.read { reader in
      (
        try PlanQueries.all(patient: patient, in: reader),
        try MedicineDrafts.latest(.new, of: account, for: patient, in: reader)
      )
    }
    try await call.environment.audit(authorization, count: plans.count, at: call.now)
    return MedicineSearchPage(
      site: site, query: call.queryValue("q") ?? "", plans: plans, unfinished: unfinished
    ).response
  }

  /// Returns the medicine that the address describes; nil if there is none.
  private static func chosen(_ call: Call, _ signedIn: SignedIn) async throws -> AddedFields? {
    guard let id = call.queryValue("plan") else { return named(call) }
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
    let plan = try await call.environment.database.read { reader in
      try PlanQueries.plan(PlanID(id), patient: patient, in: reader)
    }
    guard let plan else { throw Failure.notFound }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return AddedFields(startingWith: plan, try await MedicineEditing.person(call, signedIn))
  }

  /// Returns the name in the address, with the list's entry if one was chosen; nil if there is no
  /// name.
  static func named(_ call: Call) -> AddedFields? {
    guard let name = call.queryValue("name").map(TypedText.trimmed), !name.isEmpty else {
      return nil
    }
    var fields = AddedFields()
    fields.set("name", [String(name.prefix(200))])
    if let pick = call.queryValue("pick"), Handbook.shipped.medicine(pick) != nil {
      fields.set("pick", [pick])
    }
    return fields
  }

  /// Starts a draft with the medicine.
  @Sendable static func start(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, "MedicationRequest")
    let person = try await MedicineEditing.person(form.call, form.signedIn)
    return try await start(StepSite(form.call, form.signedIn), person, form.fields)
  }

  /// Starts a draft with the posted medicine, or shows its mistakes.
  static func start(
    _ site: StepSite, _ person: MedicineEditing.Person, _ form: FormBody
  ) async throws -> Response {
    var fields = AddedFields()
    let errors = take(form, into: &fields, person, site.localizer)
    guard errors.isEmpty else {
      return WhichMedicinePage(site: site, fields: fields, errors: errors).response
    }
    let (account, now, patient) = (site.signedIn.account.id, site.call.now, site.patient)
    let id = PlanID(site.call.environment.newIdentifier())
    let (name, encoded, purpose) = (fields.name, fields.encoded, site.purpose)
    try await site.call.environment.database.write { writer in
      try MedicineDrafts.start(
        id, name: name, fields: encoded, of: account, for: patient, as: purpose, at: now,
        in: writer)
    }
    return site.call.redirect(to: site.step(.often, of: id))
  }

  // MARK: An existing draft

  /// Shows the medicine of a draft.
  @Sendable static func form(_ opened: OpenedDraft) async throws -> Response {
    WhichMedicinePage(opened: opened).response
  }

  /// Changes the medicine of a draft.
  @Sendable static func change(_ draft: OpenedDraft, _ form: FormBody) async throws -> Response {
    var opened = draft
    let errors = take(form, into: &opened.fields, opened.person, opened.localizer)
    try await opened.store()
    guard errors.isEmpty else { return WhichMedicinePage(opened: opened, errors: errors).response }
    return opened.redirect(to: opened.isChange ? .check : .often)
  }

  /// Discards a draft.
  @Sendable static func discard(_ opened: OpenedDraft, _ form: FormBody) async throws -> Response {
    let (id, account) = (opened.draft.id, opened.signedIn.account.id)
    try await opened.call.environment.database.write { writer in
      try MedicineDrafts.remove(id, of: account, in: writer)
    }
    return opened.call.redirect(to: opened.site.start)
  }

  /// Takes the posted fields and returns the mistakes of this step.
  private static func take(
    _ form: FormBody, into fields: inout AddedFields, _ person: MedicineEditing.Person,
    _ localizer: Localizer
  ) -> StepErrors {
    let before = MedicineForm(rawValue: fields.input.form)
    fields.take(.which, from: form)
    let isClear = fields.takeProduct(localizer)
    // An amount of 5 ml must not become 5 tablets.
    if let before, before.usualUnit != MedicineForm(rawValue: fields.input.form)?.usualUnit {
      fields.clearAmount()
    }
    let reading = fields.input.read(
      today: person.today, zone: person.clock.zone, rhythm: person.rhythm)
    var errors = StepErrors(
      reading.issues.filter { AddMedicineStep.which.fields.contains($0.field) }, localizer)
    if !isClear { errors.add("product", localizer.text("add-medicine.product-clash")) }
    return errors
  }
}

extension AddedFields {
  /// Creates the fields with name, form and strength of one of the person's current or earlier
  /// medicines.
  init(startingWith plan: Plan, _ person: MedicineEditing.Person) {
    self.init()
    let input = MedicineReading.draft(of: plan, clock: person.clock)
      .flatMap { MedicineInput($0, localizer: person.clock.localizer) }
    set("name", [input?.name ?? plan.medicineName])
    guard let input else { return }
    set("form", [input.form])
    set("strength-value", [input.strengthValue])
    set("strength-unit", [input.strengthUnit])
  }
}
