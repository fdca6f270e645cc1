// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Identifiers
import Localization
import Plans
import Prescriptions
import Presentation
import Storage
import Web

/// The first step of a prescription: choosing the medicine from the list or from the patient's own.
enum ChoosingPrescription {
  /// Shows the search, or the form for the medicine that was found.
  @Sendable static func search(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let access = try await PractitionerAccess.openToPrescribe(call, signedIn)
    let site = StepSite(call, signedIn, kind: .prescription(access))
    let plans = try await plans(access, call)
    if let id = call.queryValue("plan") {
      guard let plan = plans.first(where: { $0.id.text == id }) else { throw Failure.notFound }
      let person = try await MedicineEditing.person(of: access.patient, call)
      return WhichMedicinePage(site: site, fields: AddedFields(startingWith: plan, person)).response
    }
    if let fields = ChoosingMedicine.named(call) {
      return WhichMedicinePage(site: site, fields: fields).response
    }
    let (account, patient) = (signedIn.account.id, access.patient)
    let (unfinished, templates) = try await call.environment.database.read { reader in
      (
        try MedicineDrafts.latest(.prescription, of: account, for: patient, in: reader),
        try PrescriptionTemplates.all(of: account, in: reader)
      )
    }
    return MedicineSearchPage(
      site: site, query: call.queryValue("q") ?? "", plans: plans, unfinished: unfinished,
      more: TemplateChoices(
        templates: templates, form: site.form, localizer: call.localizer
      ).markup
    ).response
  }

  /// Starts a draft with the medicine.
  @Sendable static func start(_ form: PostedForm) async throws -> Response {
    let access = try await PractitionerAccess.openToPrescribe(form.call, form.signedIn)
    let person = try await MedicineEditing.person(of: access.patient, form.call)
    return try await ChoosingMedicine.start(
      StepSite(form.call, form.signedIn, kind: .prescription(access)), person, form.fields)
  }

  /// Answers the script that shows suggestions during typing.
  @Sendable static func suggestions(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let access = try await PractitionerAccess.openToPrescribe(call, signedIn)
    let site = StepSite(call, signedIn, kind: .prescription(access))
    return MedicineSuggester.answer(
      call, plans: try await plans(access, call), at: site.start)
  }

  /// Returns the medicines that the patient shares.
  private static func plans(_ access: PractitionerAccess, _ call: Call) async throws -> [Plan] {
    let authorization = try access.authorize(.search, "MedicationRequest")
    let patient = access.patient
    let plans = try await call.environment.database.read { reader in
      try PlanQueries.all(patient: patient, in: reader)
    }
    try await call.environment.audit(authorization, count: plans.count, at: call.now)
    return plans
  }
}

/// The practitioner's templates; they open in the long form, which supports all schedules.
struct TemplateChoices: PagePart {
  let templates: [PrescriptionTemplate]
  /// The address of the long form.
  let form: String
  let localizer: Localizer

  var markup: Markup {
    guard !templates.isEmpty else { return Markup() }
    return Disclosure(
      localizer.text("care-team.templates.use"),
      """
      <ul class="stack-small" role="list">\(each: templates, { template in
        "<li><a href=\"\(form)?template=\(template.id)\">\(template.name)</a></li>"
      })</ul>
      """
    ).markup
  }
}
