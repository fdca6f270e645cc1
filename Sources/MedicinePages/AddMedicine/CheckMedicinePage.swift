// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Plans
import Prescriptions
import Presentation
import Web

/// The last step: the dosage sentence, the next doses, any warnings, and Save or Send.
struct CheckMedicinePage: Sendable {
  /// The next doses that are listed; more would push Save off a phone's screen.
  private static let doses = 2

  let opened: OpenedDraft
  let check: CheckingMedicine.Check
  /// A preview of saving; nil while a question is open, since the doses depend on the answer, and
  /// nil if doses are not shared.
  let trial: MedicineTrial?
  /// The answers given so far.
  var answers = Markup()
  /// True if Save was pressed but something must still be answered or read.
  var isPosted = false
  /// True if the draft or the plan changed after the page was shown.
  var isOutdated = false
  /// The fields for the patient of a prescription, with what was typed; nil for one's own medicines.
  var identity: IdentityFields?

  private var localizer: Localizer { opened.localizer }
  private var clock: MedicineClock { opened.person.clock }

  /// Previews the plan, unless a question is open.
  init(opened: OpenedDraft, check: CheckingMedicine.Check) async throws {
    self.opened = opened
    self.check = check
    guard check.questions == nil else {
      trial = nil
      return
    }
    let (draft, patient, plan) = (check.draft, opened.draft.patient, opened.changed)
    let (context, database) = (check.context, opened.call.environment.database)
    switch opened.site.kind {
    case .new:
      let making = context.making(opened.draft.id.text)
      trial = try await MedicineTrial.run(
        for: patient, clock: opened.person.clock, context: making, in: database
      ) { writer in
        try PlanCommands.add(draft, patient: patient, context: making, in: writer)
      }
    case .change:
      guard let plan else {
        trial = nil
        return
      }
      trial = try await MedicineTrial.run(
        for: patient, replacing: plan.id, clock: opened.person.clock, context: context,
        in: database
      ) { writer in
        try PlanCommands.edit(
          plan.id, draft, ifVersion: plan.version, context: context, in: writer)
      }
    case .prescription(let access):
      // The doses also depend on intakes, which may not be shared.
      guard access.reading("Dose") != nil else {
        trial = nil
        return
      }
      let commands = access.prescriptions(opened.call)
      trial = try await MedicineTrial.run(
        for: patient, clock: opened.person.clock, context: context, in: database
      ) { writer in try commands.trial(draft, changing: nil, in: writer) }
    }
  }

  var response: Response {
    var frame = opened.frame(of: .check)
    let errors = self.errors
    frame.hasErrors = !errors.isEmpty
    return opened.call.page(
      frame,
      """
      <div class="narrow stack add-steps">\(ErrorSummary(errors, localizer: localizer))\(outdated)\
      \(ChangeNotice(opened: opened))\
      \(Form(
        action: opened.address(of: .check), token: opened.site.token,
        fields: """
          <input type="hidden" name="version" value="\(opened.draft.version)">\(planVersion)\
          \(before)\(summary)\(questions ?? answers)\
          \(unseen)\(if: mayBeSaved, check.interactions.markup)\(if: mayBeSaved, who)\
          \(if: mayBeSaved && !check.interactions.hasButton, SaveBar(save).markup)
          """,
        buttons: changes))</div>
      """, status: status)
  }

  private var errors: [FieldError] {
    guard isPosted, mayBeSaved else { return [] }
    var errors = (check.questions?.errors ?? []) + check.interactions.errors
    if let problem = identity?.problem {
      errors.append(FieldError(field: IdentityInput.nameField, message: problem))
    }
    return errors
  }

  private var status: HTTPResponse.Status {
    if isOutdated { return .conflict }
    return isPosted && (check.questions != nil || !errors.isEmpty) ? .unprocessableContent : .ok
  }

  private var outdated: Markup? {
    // If the plan was changed elsewhere, the change notice shows its current content.
    guard isOutdated, !opened.isBehind else { return nil }
    return Notice(.warning, title: localizer.text("add-medicine.outdated")).markup
  }

  private var planVersion: Markup? {
    opened.changed.map { plan in
      "<input type=\"hidden\" name=\"plan-version\" value=\"\(plan.version)\">"
    }
  }

  /// The note that allergies and conditions are not shared with the prescriber.
  private var unseen: Markup? {
    guard case .prescription = opened.site.kind else { return nil }
    return "<p class=\"muted\">\(localizer.text("interactions.unseen-body"))</p>"
  }

  /// The patient whom the prescription is for.
  private var who: Markup { identity.map { $0.markup } ?? Markup() }

  // MARK: Preview

  /// The prescription that saving would create.
  private var request: MedicationRequestView {
    MedicationRequestView(
      check.draft.medicationRequest(
        patient: opened.draft.patient, authoredOn: nil, zone: clock.zone, replacing: nil))
  }

  /// The medicine before the change.
  private var before: Markup? {
    opened.changed.map { plan in
      let words = DosageFormatter(plan.request, language: localizer.language)
      return """
        <p class="muted">\(localizer.text(
          "add-medicine.before", ["sentence": .text(words.sentence)]))</p>
        """
    }
  }

  private var summary: Markup {
    let request = request
    let words = DosageFormatter(request, language: localizer.language)
    let reason = trial?.plan.unplanned.map { reason -> Markup in
      "<p>\(localizer.text("medicines.no-reminders", ["reason": .text(reason.text(localizer))]))</p>"
    }
    // The line above the form has the name.
    return Card(
      "<p>\(words.sentence)</p>\(reason)\(trial.map { $0.passedText(clock) })\(trial.map(upcoming))"
    ).markup
  }

  private func upcoming(_ trial: MedicineTrial) -> Markup {
    if trial.plan.unplanned != nil { return Markup() }
    if trial.doses.isEmpty {
      guard let first = trial.firstDue else {
        return "<p>\(localizer.text("medicines.no-more-doses"))</p>"
      }
      return """
        <p class="number">\(localizer.text(
          "medicines.next-dose", ["when": .text(clock.text(first))]))</p>
        """
    }
    return """
      <p class="muted small">\(localizer.text("medicines.live.title"))</p>\
      \(DosesByDay(doses: Array(trial.doses.prefix(Self.doses)), clock: clock, areStored: false))
      """
  }

  // MARK: Questions and buttons

  private var questions: Markup? {
    guard var questions = check.questions else { return nil }
    questions.isFirstAsked = !isPosted
    return questions.markup
  }

  private var mayBeSaved: Bool { check.questions?.mayBeSetAside ?? true }

  private var save: Markup {
    if case .prescription(let access) = opened.site.kind {
      return Button(
        localizer.text("care-team.prescribe.send"), icon: .check, object: access.name
      ).markup
    }
    return Button(
      localizer.text("medicines.form.save"), icon: .check, person: opened.site.token.personName
    ).markup
  }

  private var changes: Markup {
    let steps: [AddMedicineStep] = [.which, .often, .times]
    return """
      <div class="step-changes">\(each: steps, { step in
        LinkButton(
          localizer.text("add-medicine.change", ["step": .text(step.rawValue)]),
          address: opened.address(of: step), kind: .quiet).markup
      })\(LinkButton(
        localizer.text("add-medicine.all-details"),
        address: opened.site.details(of: opened.draft.id), kind: .quiet))</div>
      """
  }
}
