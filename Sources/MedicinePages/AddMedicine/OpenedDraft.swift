// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// The draft that an address names, opened for the account that created it.
struct OpenedDraft: Sendable {
  /// The site whose pages show its steps.
  let site: StepSite
  let draft: MedicineDraft
  let person: MedicineEditing.Person
  var fields: AddedFields

  /// The request, on the pages of the draft's patient.
  var call: Call { site.call }
  var signedIn: SignedIn { site.signedIn }
  /// The texts in the language of the pages.
  var localizer: Localizer { call.localizer }

  /// The plan that it changes; nil for other drafts.
  var changed: Plan? {
    if case .change(let plan) = site.kind { plan } else { nil }
  }
  var isChange: Bool { changed != nil }

  /// True if someone changed the plan after this draft of a change was begun.
  var isBehind: Bool {
    changed.map { plan in draft.planVersion.map { $0 != plan.version } ?? false } ?? false
  }

  /// Returns the plan that the fields describe, with their mistakes.
  var reading: MedicineInput.Reading {
    fields.input.read(
      today: person.today, zone: person.clock.zone, rhythm: person.rhythm)
  }

  /// Opens the account's draft of a new medicine, or answers with its outcome.
  static func open(
    _ call: Call, _ signedIn: SignedIn, form: FormBody? = nil,
    _ answer: (OpenedDraft) async throws -> Response
  ) async throws -> Response {
    let id = PlanID(try call.parameter("draft"))
    let account = signedIn.account.id
    let found = try await call.environment.database.read { reader in
      try MedicineDrafts.draft(id, of: account, in: reader)
    }
    guard let found, found.purpose == .new else {
      return try await saved(id, call, signedIn, isPosted: form != nil)
    }
    let opened = call.visiting(found.patient)
    guard opened.patient(of: signedIn) == found.patient else { throw Failure.notFound }
    if let form { try PersonGuard.check(form, of: opened, about: found.patient) }
    _ = try opened.authorize(.create, "MedicationRequest", of: found.patient)
    let person = try await MedicineEditing.person(opened, signedIn)
    return try await answer(
      OpenedDraft(
        site: StepSite(opened, signedIn), draft: found, person: person,
        fields: AddedFields(encoded: found.fields)))
  }

  /// Stores the input, even if it has mistakes.
  func store() async throws {
    let (draft, account, now) = (draft, signedIn.account.id, call.now)
    let (name, encoded) = (fields.name, fields.encoded)
    try await call.environment.database.write { writer in
      if draft.version == 0 {
        try MedicineDrafts.start(
          change: draft, name: name, fields: encoded, of: account, at: now, in: writer)
      } else {
        try MedicineDrafts.update(
          draft, name: name, fields: encoded, of: account, at: now, in: writer)
      }
    }
  }

  /// Returns the address of a step.
  func address(of step: AddMedicineStep) -> String { site.step(step, of: draft.id) }

  /// Returns a redirect to a step.
  func redirect(to step: AddMedicineStep) -> Response {
    call.redirect(to: address(of: step))
  }

  /// Returns the plan that a draft became, if the account may see its person; else nil.
  static func plan(_ id: PlanID, _ call: Call, _ signedIn: SignedIn) async throws -> Plan? {
    let patients = [call.patient(of: signedIn)] + call.people.map(\.patient)
    let plan = try await call.environment.database.read { reader -> Plan? in
      for patient in patients {
        if let plan = try PlanQueries.plan(id, patient: patient, in: reader) { return plan }
      }
      return nil
    }
    guard let plan else { return nil }
    let authorization = try call.authorize(.read, "MedicationRequest", of: plan.patient)
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return plan
  }

  /// Answers that the medicine was already saved, or that the account has no such draft.
  private static func saved(
    _ id: PlanID, _ call: Call, _ signedIn: SignedIn, isPosted: Bool
  ) async throws -> Response {
    guard let plan = try await plan(id, call, signedIn) else {
      return NoDraftPage.response(StepSite(call, signedIn))
    }
    return SavedAlreadyPage(plan: plan).response(call.visiting(plan.patient), isPosted: isPosted)
  }
}
