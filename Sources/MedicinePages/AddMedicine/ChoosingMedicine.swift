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

  /// Shows the search, or the form of the medicine that was found.
  @Sendable static func search(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, "MedicationRequest", of: patient)
    if let fields = try await chosen(call, signedIn) {
      return WhichMedicinePage(fields: fields).response(call)
    }
    let authorization = try call.authorize(.search, "MedicationRequest", of: patient)
    let account = signedIn.account.id
    let (plans, unfinished) = try await call.environment.database.read { reader in
      (
        try PlanQueries.all(patient: patient, in: reader),
        try MedicineDrafts.latest(of: account, for: patient, in: reader)
      )
    }
    try await call.environment.audit(authorization, count: plans.count, at: call.now)
    return MedicineSearchPage(
      query: call.queryValue("q") ?? "", plans: plans, unfinished: unfinished
    ).response(call)
  }

  /// Returns what the address says about the medicine; nil if it says nothing.
  private static func chosen(_ call: Call, _ signedIn: SignedIn) async throws -> AddedFields? {
    var fields = AddedFields()
    if let id = call.queryValue("plan") {
      let patient = call.patient(of: signedIn)
      let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
      let plan = try await call.environment.database.read { reader in
        try PlanQueries.plan(PlanID(id), patient: patient, in: reader)
      }
      guard let plan else { throw Failure.notFound }
      try await call.environment.audit(authorization, count: 1, at: call.now)
      let person = try await MedicineEditing.person(call, signedIn)
      fields.take(plan, clock: person.clock)
      return fields
    }
    guard let name = call.queryValue("name").map(TypedText.trimmed), !name.isEmpty else {
      return nil
    }
    fields.set("name", [String(name.prefix(200))])
    if let pick = call.queryValue("pick"), Handbook.shipped.medicine(pick) != nil {
      fields.set("pick", [pick])
    }
    return fields
  }

  /// Starts a draft with the medicine.
  @Sendable static func start(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    _ = try form.authorize(.create, "MedicationRequest")
    var fields = AddedFields()
    let person = try await MedicineEditing.person(form.call, form.signedIn)
    let errors = take(form.fields, into: &fields, person, form.localizer)
    guard errors.isEmpty else {
      return WhichMedicinePage(fields: fields, errors: errors).response(form.call)
    }
    let (account, now) = (form.signedIn.account.id, form.call.now)
    let id = PlanID(form.call.environment.newIdentifier())
    let (name, encoded) = (fields.name, fields.encoded)
    try await form.call.environment.database.write { writer in
      try MedicineDrafts.start(
        id, name: name, fields: encoded, of: account, for: patient, at: now, in: writer)
    }
    return form.redirect(to: AddMedicineAddress.step(.often, of: id))
  }

  // MARK: One that was begun

  /// Shows the medicine of a draft.
  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await OpenedDraft.open(call, signedIn) { opened in
      WhichMedicinePage(fields: opened.fields, draft: opened.draft.id).response(opened.call)
    }
  }

  /// Changes the medicine of a draft.
  @Sendable static func change(_ form: PostedForm) async throws -> Response {
    try await OpenedDraft.open(form) { opened in
      var opened = opened
      let errors = take(form.fields, into: &opened.fields, opened.person, opened.localizer)
      try await opened.store()
      guard errors.isEmpty else {
        return WhichMedicinePage(fields: opened.fields, draft: opened.draft.id, errors: errors)
          .response(opened.call)
      }
      return opened.redirect(to: .often)
    }
  }

  /// Discards a draft.
  @Sendable static func discard(_ form: PostedForm) async throws -> Response {
    try await OpenedDraft.open(form) { opened in
      let (id, account) = (opened.draft.id, opened.signedIn.account.id)
      try await opened.call.environment.database.write { writer in
        try MedicineDrafts.remove(id, of: account, in: writer)
      }
      return opened.call.redirect(to: AddMedicineAddress.start)
    }
  }

  /// Takes what was posted and returns what must be put right in this step.
  private static func take(
    _ form: FormBody, into fields: inout AddedFields, _ person: MedicineEditing.Person,
    _ localizer: Localizer
  ) -> StepErrors {
    let before = MedicineForm(rawValue: fields.input.form)
    fields.take(.which, from: form)
    let isClear = fields.takeProduct(localizer)
    // Five millilitres do not become five tablets.
    if let before, before.usualUnit != MedicineForm(rawValue: fields.input.form)?.usualUnit {
      fields.clear(["dose-value", "dose-unit"])
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
  /// Takes name, form and strength of a medicine that the person has or had.
  fileprivate mutating func take(_ plan: Plan, clock: MedicineClock) {
    let localizer = clock.localizer
    let input = MedicineReading.draft(of: plan, clock: clock)
      .flatMap { MedicineInput($0, localizer: localizer) }
    set("name", [input?.name ?? plan.medicineName])
    guard let input else { return }
    set("form", [input.form])
    set("strength-value", [input.strengthValue])
    set("strength-unit", [input.strengthUnit])
  }
}
