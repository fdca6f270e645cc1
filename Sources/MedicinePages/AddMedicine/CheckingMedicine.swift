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

/// The last step of a medicine: the preview, the warnings, and saving.
enum CheckingMedicine {
  /// The draft or the plan changed after the page was shown.
  private struct Outdated: Error {}
  /// The draft was saved or discarded a moment ago.
  private struct Gone: Error {}

  /// Shows the preview.
  @Sendable static func page(_ opened: OpenedDraft) async throws -> Response {
    if let step = unfinished(opened) { return step }
    do {
      let check = try await check(opened, FormBody(pairs: []))
      var page = try await CheckMedicinePage(opened: opened, check: check)
      page.identity = try await SendingPrescription.identity(opened)
      return page.response
    } catch PlanError.invalid {
      return missing(opened)
    }
  }

  /// Saves a new medicine only once, however often the button is pressed.
  @Sendable static func saveNew(_ form: PostedForm) async throws -> Response {
    let id = PlanID(try form.parameter("draft"))
    let account = form.signedIn.account.id
    let isDraft = try await form.call.environment.database.read { reader in
      try MedicineDrafts.draft(id, of: account, in: reader) != nil
    }
    if !isDraft, let plan = try await OpenedDraft.plan(id, form.call, form.signedIn) {
      return saved(plan.id, "added", form.call)
    }
    return try await OpenedDraft.open(form.call, form.signedIn, form: form.fields) { opened in
      try await save(opened, form.fields, .new)
    }
  }

  /// Saves a new or changed medicine; changes made in the meantime are shown first.
  static func save(
    _ opened: OpenedDraft, _ form: FormBody, _ opening: DraftOpening
  ) async throws -> Response {
    if let step = unfinished(opened) { return step }
    do {
      return try await save(opened, form)
    } catch is Outdated {
      return try await shown(again: opened, form, opening)
    } catch is Gone {
      // Another press of the button saved it, or another window discarded it.
      let id = opened.changed?.id ?? opened.draft.id
      guard let plan = try await OpenedDraft.plan(id, opened.call, opened.signedIn) else {
        throw Failure.notFound
      }
      return saved(plan.id, opened.isChange ? "saved" : "added", opened.call)
    } catch PlanError.records(.idTaken) {
      return saved(opened.draft.id, "added", opened.call)
    } catch PlanError.versionConflict {
      return try await shown(again: opened, form, opening)
    } catch PlanError.alreadyStopped {
      return opened.call.redirect(to: opened.site.start)
    } catch PlanError.invalid {
      return missing(opened)
    }
  }

  private static func save(_ opened: OpenedDraft, _ form: FormBody) async throws -> Response {
    guard form.text("version") == String(opened.draft.version),
      opened.changed.map({ form.text("plan-version") == String($0.version) }) ?? true
    else { throw Outdated() }
    let check = try await check(opened, form)
    guard check.questions == nil, check.interactions.isSeen(form) else {
      var page = try await CheckMedicinePage(opened: opened, check: check)
      page.isPosted = true
      page.answers = SafetyQuestionFields.carried(form)
      return page.response
    }
    let (stored, signedIn, known) = (opened.draft, opened.signedIn, check.interactions.known(form))
    let base = opened.call.environment.commandContext(for: signedIn, now: opened.call.now)
    let (draft, account, changed) = (check.draft, signedIn.account.id, opened.changed)
    let plan = try await opened.call.environment.database.write { writer -> PlanID in
      let current = try MedicineDrafts.draft(stored.id, of: account, in: writer)
      guard let current else { throw Gone() }
      guard current.version == stored.version else { throw Outdated() }
      let plan =
        if let changed {
          try PlanCommands.edit(
            changed.id, draft, ifVersion: changed.version, context: base, in: writer)
        } else {
          try PlanCommands.add(
            draft, patient: stored.patient, context: base.making(stored.id.text), in: writer)
        }
      for key in known {
        try InteractionNotes.say(key, patient: plan.patient, base, in: writer)
      }
      try MedicineDrafts.remove(stored.id, of: account, in: writer)
      return plan.id
    }
    return saved(plan, opened.isChange ? "saved" : "added", opened.call)
  }

  /// Shows the page with the current draft, after it or its plan was changed elsewhere.
  private static func shown(
    again opened: OpenedDraft, _ form: FormBody, _ opening: DraftOpening
  ) async throws -> Response {
    try await OpenedDraft.open(opening, opened.call, opened.signedIn, form: form) { newest in
      if let step = unfinished(newest) { return step }
      var page = try await CheckMedicinePage(
        opened: newest, check: try await check(newest, FormBody(pairs: [])))
      page.isOutdated = true
      return page.response
    }
  }

  /// The draft as a plan, with everything that must be read or answered before saving.
  struct Check: Sendable {
    let draft: PlanDraft
    /// The contraindications and questions that still need an answer; nil if there are none.
    let questions: SafetyQuestionFields?
    var interactions: InteractionStep
    let context: CommandContext
  }

  /// Checks the draft against the patient's other data.
  static func check(_ opened: OpenedDraft, _ form: FormBody) async throws -> Check {
    let (call, patient, changed) = (opened.call, opened.draft.patient, opened.changed?.id)
    let (draft, questions) = try await SafetyCheck.read(
      opened.reading.draft, form, call, patient: patient, plan: changed)
    if case .prescription(let access) = opened.site.kind {
      let findings = try await access.findings(
        draft, id: ProposalID(opened.draft.id.text), changing: nil, clock: opened.person.clock, call
      )
      return Check(
        draft: draft, questions: questions, interactions: findings, context: access.context(call))
    }
    let context = call.environment.commandContext(for: opened.signedIn, now: call.now)
    var step = try await InteractionStep.check(
      draft, plan: changed ?? opened.draft.id, stored: changed?.text, clock: opened.person.clock,
      checker: call.medicineChecker(
        patient: patient, actor: context.actor, zone: opened.person.clock.zone),
      now: call.now, in: call.environment.database)
    step.person = opened.site.token.personName
    return Check(draft: draft, questions: questions, interactions: step, context: context)
  }

  // MARK: Other pages

  /// Redirects to the first incomplete step; nil if the draft is complete.
  static func unfinished(_ opened: OpenedDraft) -> Response? {
    // A change without edits needs no check.
    if opened.isChange, opened.draft.version == 0 {
      return opened.call.redirect(to: opened.site.start)
    }
    guard let often = opened.fields.often else { return opened.redirect(to: .often) }
    if often.kind == nil, !opened.isChange {
      return opened.call.redirect(to: opened.site.details(of: opened.draft.id))
    }
    if opened.reading.issues.contains(where: { AddMedicineStep.which.fields.contains($0.field) }) {
      return opened.redirect(to: .which)
    }
    return SchedulingMedicine.errors(opened, often).isEmpty ? nil : missing(opened)
  }

  /// Redirects to the third step, which shows the missing fields.
  static func missing(_ opened: OpenedDraft) -> Response {
    opened.call.redirect(to: "\(opened.address(of: .times))?missing=yes")
  }

  private static func saved(_ plan: PlanID, _ done: String, _ call: Call) -> Response {
    call.redirect(to: "/medicines/\(plan)?done=\(done)")
  }
}
