// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Plans
import Prescriptions
import Presentation
import Scheduling
import Storage
import Web

/// The form with which a practitioner prescribes for a patient: the same questions and the same
/// preview.
struct PrescribePage: Sendable {
  let access: PractitionerAccess
  /// The future id of the prescription: sending the form twice sends it once.
  var id: String
  /// The prescription being changed; nil for a new one.
  var changed: Plan?
  var input: MedicineInput
  var identity = IdentityInput()
  let asksBirthDate: Bool
  var templateName = ""
  var templates: [PrescriptionTemplate] = []
  var issues: [MedicineIssue] = []
  var problem: CareTeamError?
  var trial: MedicineTrial?
  /// The contraindications of the medicine for this patient.
  var contraindications: SafetyQuestionFields?
  /// The findings of the check, shown before sending.
  var interactions: InteractionStep?
  /// The answers to contraindications and questions.
  var answers = Markup()
  var expanded: String?
  /// The name of the template just saved.
  var saved: String?
  let clock: MedicineClock
  let rhythm: DailyRhythm
  /// The table of patients next to the page; nil on phones.
  var table: Markup?

  private var localizer: Localizer { clock.localizer }
  private var address: String { access.deskAddress("/prescribe/details") }

  func response(_ call: Call, _ signedIn: SignedIn) -> Response {
    var frame = call.careFrame(signedIn)
    frame.title = localizer.text(
      "care-team.prescribe.title",
      ["name": .text(access.name), "changes": .text(changed == nil ? "no" : "yes")])
    frame.lead = localizer.text("care-team.prescribe.lead")
    frame.back = .init(access.name, address: access.deskAddress())
    frame.hasErrors = isMistaken
    frame.scripts = [PageAssets.planning, PageAssets.desk]
    frame.flash = saved.map {
      FlashBar(localizer.text("care-team.templates.saved", ["name": .text($0)]))
    }
    return call.page(
      frame, DeskLayout(patient: content(call), table: table, localizer: localizer).markup,
      status: isMistaken ? .unprocessableContent : .ok)
  }

  private var isMistaken: Bool {
    !issues.isEmpty || problem != nil || contraindications != nil
      || !(interactions?.errors.isEmpty ?? true)
  }

  private var problemText: String? {
    problem?.message(localizer)
  }

  private func content(_ call: Call) -> Markup {
    var errors =
      issues.map { FieldError(field: $0.field, message: $0.message(localizer)) }
      + (contraindications?.errors ?? []) + (interactions?.errors ?? [])
    if let problemText {
      let isOfTemplate = problem == .templateName || problem == .tooManyTemplates
      errors.append(
        FieldError(
          field: isOfTemplate ? "template-name" : IdentityInput.nameField, message: problemText))
    }
    return """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\(choices)\
      <p class="muted">\(localizer.text("interactions.unseen-body"))</p>\
      \(Form(
        action: address, token: call.accountToken, fields: fields(call),
        buttons: """
          \(Button(localizer.text("care-team.prescribe.send"), icon: .check, object: access.name))\
          \(Button(
            localizer.text("medicines.form.preview"), kind: .secondary, icon: .calendar,
            name: "preview", value: "yes"))\
          \(LinkButton(
            localizer.text("medicines.form.cancel"), address: access.deskAddress(), kind: .quiet))
          """))</div>
      """
  }

  /// The templates to start from.
  private var choices: Markup {
    guard changed == nil else { return Markup() }
    return TemplateChoices(templates: templates, form: address, localizer: localizer).markup
  }

  private func fields(_ call: Call) -> Markup {
    let messages = Dictionary(
      issues.map { ($0.field, $0.message(localizer)) }, uniquingKeysWith: { first, _ in first })
    let isOfTemplate = problem == .templateName || problem == .tooManyTemplates
    // Enter presses the first button; without this one it would be "More times".
    return """
      <button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true"></button>\
      <input type="hidden" name="prescription" value="\(id)">\
      \(changed.map { "<input type=\"hidden\" name=\"plan\" value=\"\($0.id)\">" as Markup })\
      \(changed.map(before))\(contraindications.map { $0.markup } ?? answers)\(interactions)\
      \(trial.map { MedicineTrialCard(
        trial: $0, clock: clock, saves: localizer.text("care-team.prescribe.send")) })\
      \(MedicineFields(
        input: input, expanded: expanded, errors: messages, localizer: localizer))\
      \(LivePreview(clock: clock, rhythm: rhythm, now: call.now, isNew: false))\
      \(template(isOfTemplate ? problemText : nil))\
      \(IdentityFields(
        input: identity, asksBirthDate: asksBirthDate,
        problem: isOfTemplate ? nil : problemText, localizer: localizer))
      """
  }

  private func before(_ plan: Plan) -> Markup {
    let words = DosageFormatter(plan.request, language: localizer.language)
    return Notice(
      .information, title: localizer.text("care-team.prescribe.changes"),
      "<p>\(plan.medicineName): \(words.sentence)</p>"
    ).markup
  }

  private func template(_ error: String?) -> Markup {
    Disclosure(
      localizer.text("care-team.templates.keep"), isOpen: error != nil,
      """
      \(FormField(
        "template-name", label: localizer.text("care-team.templates.name"), value: templateName,
        hint: localizer.text("care-team.templates.hint"), error: error, isRequired: false,
        autocomplete: "off", maximumLength: PrescriptionTemplates.longestName,
        localizer: localizer))\
      \(ButtonRow(Button(
        localizer.text("care-team.templates.save"), kind: .secondary, name: "keep", value: "yes"
      ).markup))
      """
    ).markup
  }
}
