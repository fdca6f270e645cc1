// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// The page with the form that adds or changes a medicine.
struct MedicineEditorPage: Sendable {
  /// The medicine that the form is about.
  enum Subject: Sendable {
    /// A new medicine with its future id: sending the form twice adds it once.
    case new(id: String)
    /// A stored medicine, with the version that the form shows.
    case existing(Plan, version: Int64)
  }

  let subject: Subject
  var input: MedicineInput
  var issues: [MedicineIssue] = []
  var trial: MedicineTrial?
  /// The interactions of the medicine, after the check.
  var interactions: InteractionStep?
  /// The contraindications of the medicine for this person.
  var contraindications: SafetyQuestionFields?
  /// The answers to contraindications and questions.
  var answers = Markup()
  /// The appearance as typed.
  var look = AppearanceInput()
  /// The field that shows all its rows.
  var expanded: String?
  /// True if the form can't represent the sender's schedule, so that times are entered anew.
  var isEntering = false
  /// True if someone changed the medicine after the form was opened.
  var isOutdated = false
  let clock: MedicineClock
  let rhythm: DailyRhythm

  private var localizer: Localizer { clock.localizer }

  /// The id of the medicine being changed; nil for a new one.
  var storedPlan: String? {
    if case .existing(let plan, _) = subject { plan.id.text } else { nil }
  }

  /// The id of the medicine, stored or future.
  var plan: PlanID {
    switch subject {
    case .new(let id): PlanID(id)
    case .existing(let plan, _): plan.id
    }
  }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = title
    frame.place = .medicines
    frame.back = back
    frame.hasErrors = !issues.isEmpty || !look.issues.isEmpty || contraindications != nil
    frame.scripts = [PageAssets.planning]
    return call.page(frame, content(call), status: status)
  }

  private var status: HTTPResponse.Status {
    if isOutdated { return .conflict }
    return issues.isEmpty && look.issues.isEmpty && contraindications == nil
      ? .ok : .unprocessableContent
  }

  private var title: String {
    switch subject {
    case .new: localizer.text("medicines.new-title")
    case .existing(let plan, _):
      localizer.text("medicines.edit-title", ["name": .text(plan.medicineName)])
    }
  }

  private var back: PageFrame.BackLink {
    switch subject {
    case .new: .init(localizer.text("medicines.new-title"), address: AddMedicineAddress.start)
    case .existing(let plan, _): .init(plan.medicineName, address: "/medicines/\(plan.id)")
    }
  }

  private var address: String {
    switch subject {
    case .new: AddMedicineAddress.details
    case .existing(let plan, _): "/medicines/\(plan.id)/edit"
    }
  }

  private func content(_ call: Call) -> Markup {
    let summary =
      issues.map { FieldError(field: $0.field, message: $0.message(localizer)) }
      + look.errors(localizer) + (contraindications?.errors ?? [])
    return """
      <div class="narrow stack">\(ErrorSummary(summary, localizer: localizer))\(notices)\
      \(Form(
        action: address, token: call.formToken, fields: fields(call),
        buttons: """
          \(Button(
            localizer.text("medicines.form.save"), icon: .check,
            person: call.formToken.personName))\
          \(Button(
            localizer.text("medicines.form.preview"), kind: .secondary, icon: .calendar,
            name: "preview", value: "yes", person: call.formToken.personName))\
          \(LinkButton(localizer.text("medicines.form.cancel"), address: back.address, kind: .quiet))
          """))</div>
      """
  }

  private var notices: Markup {
    """
    \(if: isOutdated, Notice(
      .warning, title: localizer.text("medicines.form.outdated"),
      "<p>\(localizer.text("medicines.form.outdated-help"))</p>").markup)\
    \(entering)
    """
  }

  /// The sender's own text, above the form that replaces its times.
  private var entering: Markup? {
    guard isEntering, case .existing(let plan, _) = subject else { return nil }
    let words = DosageFormatter(plan.request, language: localizer.language)
    return Notice(
      .information, title: localizer.text("medicines.form.entering"),
      """
      <p>\(localizer.text("medicines.form.entering-help"))</p><p>\(words.sentence)</p>\
      \(SenderText(words: words, localizer: localizer))\
      \(LinkButton(
        localizer.text("medicines.stop"), address: "/medicines/\(plan.id)/stop", icon: .stop,
        object: plan.medicineName))
      """
    ).markup
  }

  private func fields(_ call: Call) -> Markup {
    let person = call.formToken.personName
    // Enter presses the first button; without this one it would be "More times".
    return """
      <button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true"></button>\
      \(hidden)\(contraindications.map { $0.markup } ?? answers)\(interactions)\(trial.map { MedicineTrialCard(trial: $0, clock: clock, person: person) })\
      \(MedicineFields(
        input: input, expanded: expanded, errors: messages, localizer: localizer, asksFood: true))\
      \(AppearanceFields(input: look, localizer: localizer).folded)\
      \(LivePreview(
        clock: clock, rhythm: rhythm, now: call.now, isNew: storedPlan == nil, isChecked: true))
      """
  }

  private var hidden: Markup {
    switch subject {
    case .new(let id): "<input type=\"hidden\" name=\"plan\" value=\"\(id)\">"
    case .existing(_, let version):
      "<input type=\"hidden\" name=\"version\" value=\"\(version)\">"
    }
  }

  /// The first message of each field.
  private var messages: [String: String] {
    Dictionary(
      issues.map { ($0.field, $0.message(localizer)) }, uniquingKeysWith: { first, _ in first })
  }
}
