// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Localization
import Plans
import Prescriptions
import Presentation
import Storage
import Web

/// The way that the addresses of steps name their draft.
enum DraftOpening: Sendable {
  /// The draft's own identifier: a new medicine.
  case new
  /// The medicine's identifier: each account has at most one open change of it.
  case change
  /// The patient's and the draft's identifiers: a prescription.
  case prescription
}

extension OpenedDraft {
  /// Opens the draft in the address, or answers with its outcome.
  ///
  /// - Parameter form: The posted form; nil for a page.
  static func open(
    _ opening: DraftOpening, _ call: Call, _ signedIn: SignedIn, form: FormBody? = nil,
    _ answer: (OpenedDraft) async throws -> Response
  ) async throws -> Response {
    switch opening {
    case .new: try await open(call, signedIn, form: form, answer)
    case .change: try await openChange(call, signedIn, form: form, answer)
    case .prescription: try await openPrescription(call, signedIn, answer)
    }
  }

  /// Opens the account's change of the medicine in the address; if there is none, the medicine as
  /// it is.
  private static func openChange(
    _ call: Call, _ signedIn: SignedIn, form: FormBody?,
    _ answer: (OpenedDraft) async throws -> Response
  ) async throws -> Response {
    let call = try await call.visitingPlan(signedIn)
    let plan = try await call.plan(of: signedIn, to: .update)
    if let form { try PersonGuard.check(form, of: call, about: plan.patient) }
    let site = StepSite(call, signedIn, kind: .change(plan))
    guard plan.takesTimes else { return call.redirect(to: site.start) }
    let person = try await MedicineEditing.person(call, signedIn)
    guard let pairs = ChangedFields.pairs(of: plan, person) else {
      return call.redirect(to: site.form)
    }
    let account = signedIn.account.id
    let stored = try await call.environment.database.read { reader in
      try MedicineDrafts.change(of: plan.id, by: account, for: plan.patient, in: reader)
    }
    let draft =
      stored
      ?? MedicineDraft(
        id: PlanID(call.environment.newIdentifier()), patient: plan.patient, purpose: .change,
        plan: plan.id, planVersion: plan.version, name: plan.medicineName, fields: "")
    return try await answer(
      OpenedDraft(
        site: site, draft: draft, person: person,
        fields: AddedFields(encoded: draft.fields, over: pairs)))
  }

  /// Opens the practitioner's draft in the address for its patient.
  private static func openPrescription(
    _ call: Call, _ signedIn: SignedIn, _ answer: (OpenedDraft) async throws -> Response
  ) async throws -> Response {
    let access = try await PractitionerAccess.openToPrescribe(call, signedIn)
    let id = PlanID(try call.parameter("draft"))
    let (account, patient) = (signedIn.account.id, access.patient)
    let (found, isSent) = try await call.environment.database.read { reader in
      (
        try MedicineDrafts.draft(id, of: account, in: reader),
        try ProposalQueries.proposal(ProposalID(id.text), patient: patient, in: reader) != nil
      )
    }
    let site = StepSite(call, signedIn, kind: .prescription(access))
    guard let found, found.purpose == .prescription, found.patient == patient else {
      if isSent { return call.redirect(to: "\(access.address)#waiting") }
      return NoDraftPage.response(site)
    }
    let person = try await MedicineEditing.person(of: patient, call)
    return try await answer(
      OpenedDraft(
        site: site, draft: found, person: person, fields: AddedFields(encoded: found.fields)))
  }
}

/// The fields of a medicine that the steps can change.
enum ChangedFields {
  /// Returns the fields of a plan for the steps; nil if they can't represent all of it.
  static func pairs(of plan: Plan, _ person: MedicineEditing.Person) -> [FormPair]? {
    let localizer = person.clock.localizer
    guard let known = MedicineReading.draft(of: plan, clock: person.clock),
      let input = MedicineInput(known, localizer: localizer)
    else { return nil }
    var pairs = input.pairs
    if MedicineForm(rawValue: input.form)?.usualUnit?.rawValue == input.doseUnit {
      // The form's usual unit is the default.
      pairs.removeAll { $0.name == "dose-unit" }
    }
    pairs.append(FormPair(name: "often", value: HowOften(of: input).rawValue))
    func read(_ input: MedicineInput) -> PlanDraft {
      input.read(today: person.today, zone: person.clock.zone, rhythm: person.rhythm).draft
    }
    guard read(MedicineInput(form: FormBody(pairs: pairs))) == read(input) else { return nil }
    return pairs
  }
}

extension HowOften {
  /// Reads the answer from a schedule; patterns that the steps do not offer count as other.
  init(of input: MedicineInput) {
    guard input.pattern.mix.isEmpty else {
      self = .other
      return
    }
    switch input.schedule {
    case .times:
      self = [1: HowOften.once, 2: .twice, 3: .three][input.times.count] ?? .other
    case .weekdays: self = .weekdays
    case .everyHours: self = .hours
    case .everyDays: self = .days
    case .asNeeded: self = .needed
    case nil, .meals, .cycle, .steps, .varying, .spread, .afterIntake: self = .other
    }
  }
}
