// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Web

/// The last step: the sentence, the next doses, what speaks against the medicine, and Save.
struct CheckMedicinePage: Sendable {
  /// The next doses that are listed; more would push Save off a phone's screen.
  private static let doses = 3

  let opened: OpenedDraft
  let check: CheckingMedicine.Check
  /// A preview of saving; nil while a question is open, since the doses might not come.
  let trial: MedicineTrial?
  /// The answers that were given before.
  var answers = Markup()
  /// True if Save was pressed and something is still to be answered or seen.
  var isPosted = false
  /// True if the draft was changed in another window after the page was shown.
  var isOutdated = false

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
    let (draft, patient) = (check.draft, opened.draft.patient)
    let context = check.context.making(opened.draft.id.text)
    trial = try await MedicineTrial.run(
      for: patient, clock: opened.person.clock, context: context,
      in: opened.call.environment.database
    ) { writer in
      try PlanCommands.add(draft, patient: patient, context: context, in: writer)
    }
  }

  func response(_ call: Call) -> Response {
    var frame = opened.frame(of: .check)
    let errors = isPosted && mayBeSaved ? check.questions?.errors ?? [] : []
    frame.hasErrors = !errors.isEmpty
    return call.page(
      frame,
      """
      <div class="narrow stack add-steps">\(ErrorSummary(errors, localizer: localizer))\(outdated)\
      \(Form(
        action: AddMedicineAddress.step(.check, of: opened.draft.id), token: call.formToken,
        fields: """
          <input type="hidden" name="version" value="\(opened.draft.version)">\
          \(summary)\(questions ?? answers)\(if: mayBeSaved, check.interactions.markup)
          """,
        buttons: "\(if: mayBeSaved, save)\(changes)"))</div>
      """, status: status)
  }

  private var status: HTTPResponse.Status {
    if isOutdated { return .conflict }
    return isPosted && check.questions != nil ? .unprocessableContent : .ok
  }

  private var outdated: Markup? {
    guard isOutdated else { return nil }
    return Notice(.warning, title: localizer.text("add-medicine.outdated")).markup
  }

  // MARK: What it would be

  /// The prescription that saving would make.
  private var request: MedicationRequestView {
    MedicationRequestView(
      check.draft.medicationRequest(
        patient: opened.draft.patient, authoredOn: nil, zone: clock.zone, replacing: nil))
  }

  private var summary: Markup {
    let request = request
    let words = DosageFormatter(request, language: localizer.language)
    let reason = trial?.plan.unplanned.map { reason -> Markup in
      "<p>\(localizer.text("medicines.no-reminders", ["reason": .text(reason.text(localizer))]))</p>"
    }
    return Card(
      title: ShownName.of(request, in: localizer.language),
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
      <h3>\(localizer.text("medicines.live.title"))</h3>\
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
    Button(
      localizer.text("medicines.form.save"), icon: .check, person: opened.call.formToken.personName
    ).markup
  }

  private var changes: Markup {
    let steps: [AddMedicineStep] = [.which, .often, .times]
    return """
      \(each: steps, { step in
        LinkButton(
          localizer.text("add-medicine.change", ["step": .text(step.rawValue)]),
          address: AddMedicineAddress.step(step, of: opened.draft.id), kind: .quiet).markup
      })\(LinkButton(
        localizer.text("add-medicine.all-details"),
        address: AddMedicineAddress.details(of: opened.draft.id), kind: .quiet))
      """
  }
}
