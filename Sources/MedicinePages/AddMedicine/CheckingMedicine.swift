// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Records
import Storage
import Web

/// The last step of adding a medicine: what saving would give, what speaks against it, and saving.
enum CheckingMedicine {
  /// The draft was stored again after its page was shown.
  private struct Outdated: Error {}
  /// The draft was saved or discarded a moment ago.
  private struct Gone: Error {}

  /// Shows what saving would give.
  @Sendable static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await OpenedDraft.open(call, signedIn) { opened in
      if let step = unfinished(opened) { return step }
      do {
        let check = try await check(opened, FormBody(pairs: []))
        return try await CheckMedicinePage(opened: opened, check: check).response(opened.call)
      } catch PlanError.invalid {
        return missing(opened)
      }
    }
  }

  /// Saves the medicine once, however often the button is pressed.
  @Sendable static func save(_ form: PostedForm) async throws -> Response {
    let id = PlanID(try form.parameter("draft"))
    let account = form.signedIn.account.id
    let isDraft = try await form.call.environment.database.read { reader in
      try MedicineDrafts.draft(id, of: account, in: reader) != nil
    }
    if !isDraft, let plan = try await OpenedDraft.plan(id, form.call, form.signedIn) {
      return added(plan.id, form.call)
    }
    return try await OpenedDraft.open(form) { opened in
      if let step = unfinished(opened) { return step }
      do {
        return try await save(opened, form.fields)
      } catch is Outdated {
        return try await shown(again: opened, form)
      } catch is Gone {
        // Another press of the button saved it, or another window discarded it.
        guard let plan = try await OpenedDraft.plan(id, opened.call, opened.signedIn) else {
          throw Failure.notFound
        }
        return added(plan.id, opened.call)
      } catch PlanError.records(.idTaken) {
        return added(id, opened.call)
      } catch PlanError.invalid {
        return missing(opened)
      }
    }
  }

  private static func save(_ opened: OpenedDraft, _ form: FormBody) async throws -> Response {
    guard form.text("version") == String(opened.draft.version) else { throw Outdated() }
    let check = try await check(opened, form)
    guard check.questions == nil, check.interactions.isSeen(form) else {
      var page = try await CheckMedicinePage(opened: opened, check: check)
      page.isPosted = true
      page.answers = SafetyQuestionFields.carried(form)
      return page.response(opened.call)
    }
    let (stored, signedIn, known) = (opened.draft, opened.signedIn, check.interactions.known(form))
    let base = opened.call.environment.commandContext(for: signedIn, now: opened.call.now)
    let (draft, account) = (check.draft, signedIn.account.id)
    try await opened.call.environment.database.write { writer in
      let current = try MedicineDrafts.draft(stored.id, of: account, in: writer)
      guard let current else { throw Gone() }
      guard current.version == stored.version else { throw Outdated() }
      let plan = try PlanCommands.add(
        draft, patient: stored.patient, context: base.making(stored.id.text), in: writer)
      for key in known {
        try InteractionNotes.say(key, patient: plan.patient, base, in: writer)
      }
      try MedicineDrafts.remove(stored.id, of: account, in: writer)
    }
    return added(stored.id, opened.call)
  }

  /// Shows the page with what the draft holds now: it was changed in another window.
  private static func shown(
    again opened: OpenedDraft, _ form: PostedForm
  ) async throws -> Response {
    try await OpenedDraft.open(form) { newest in
      if let step = unfinished(newest) { return step }
      var page = try await CheckMedicinePage(
        opened: newest, check: try await check(newest, FormBody(pairs: [])))
      page.isOutdated = true
      return page.response(newest.call)
    }
  }

  /// The draft as a plan, with what must be known or answered before it is saved.
  struct Check: Sendable {
    let draft: PlanDraft
    /// The contraindications and questions that need an answer; nil if there are none left.
    let questions: SafetyQuestionFields?
    let interactions: InteractionStep
    let context: CommandContext
  }

  private static func check(_ opened: OpenedDraft, _ form: FormBody) async throws -> Check {
    let (call, patient) = (opened.call, opened.draft.patient)
    let (draft, questions) = try await SafetyCheck.read(
      opened.reading.draft, form, call, patient: patient, plan: nil)
    let context = call.environment.commandContext(for: opened.signedIn, now: call.now)
    var step = try await InteractionStep.check(
      draft, plan: opened.draft.id, stored: nil, clock: opened.person.clock,
      checker: call.medicineChecker(
        patient: patient, actor: context.actor, zone: opened.person.clock.zone),
      now: call.now, in: call.environment.database)
    step.person = call.formToken.personName
    return Check(draft: draft, questions: questions, interactions: step, context: context)
  }

  // MARK: Other pages

  /// Leads to the first step that still asks for something; nil if the draft is complete.
  private static func unfinished(_ opened: OpenedDraft) -> Response? {
    guard let often = opened.fields.often else { return opened.redirect(to: .often) }
    if often.kind == nil {
      return opened.call.redirect(to: AddMedicineAddress.details(of: opened.draft.id))
    }
    if opened.reading.issues.contains(where: { AddMedicineStep.which.fields.contains($0.field) }) {
      return opened.redirect(to: .which)
    }
    return SchedulingMedicine.errors(opened, often).isEmpty ? nil : missing(opened)
  }

  /// Leads to the third step, which says what is missing.
  private static func missing(_ opened: OpenedDraft) -> Response {
    opened.call.redirect(
      to: "\(AddMedicineAddress.step(.times, of: opened.draft.id))?missing=yes")
  }

  private static func added(_ plan: PlanID, _ call: Call) -> Response {
    call.redirect(to: "/medicines/\(plan)?done=added")
  }
}
