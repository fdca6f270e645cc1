// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Localization
import People
import Plans
import Presentation
import Reminders
import Storage
import Web

/// The form for one medicine's reminders: none, reminders during quiet hours, and advance notice of
/// the dose.
package struct PlanRemindersPage: Sendable {
  let plan: Plan
  let choice: PlanReminders

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let plan = try await call.plan(of: signedIn, to: .update)
    let choice = try await call.environment.database.read { reader in
      try EscalationCommands.reminders(of: plan.id, patient: plan.patient, in: reader)
    }
    return PlanRemindersPage(plan: plan, choice: choice).response(call)
  }

  @Sendable static func submit(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    var choice = PlanReminders()
    choice.isSilent = form.text("rings") == "no"
    choice.isCritical = form.isChecked("critical")
    if let typed = form.text("lead"), !typed.isEmpty {
      guard let lead = Int(typed), (1...LeadNotices.longest).contains(lead) else {
        throw Failure.badRequest("value", "lead must be a number of minutes.")
      }
      choice.lead = lead
    }
    let account = form.signedIn.account.id
    try await form.run { [choice] context, writer in
      try EscalationCommands.keep(
        choice, of: plan.id, patient: plan.patient, by: account, at: context.now, in: writer)
    }
    form.call.environment.live.reminders.ring()
    return form.redirect(to: "/medicines/\(plan.id)?done=saved")
  }

  private func leads(_ localizer: Localizer) -> [FieldChoice] {
    let known = Set(AlarmDraft.leads + [choice.lead].compactMap(\.self)).sorted()
    return [FieldChoice("", localizer.text("alarms.form.no-lead"))]
      + known.map { count in
        FieldChoice(
          String(count),
          localizer.text(
            "alarms.minutes", ["minutes": .number(count), "hours": .number(count / 60)]))
      }
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("escalation.plan-title", ["name": .text(plan.medicineName)])
    frame.place = .medicines
    frame.back = .init(plan.medicineName, address: "/medicines/\(plan.id)")
    let fields: Markup = """
      \(FormField(
        "rings", label: localizer.text("escalation.plan-rings"),
        kind: .radios([
          FieldChoice("yes", localizer.text("escalation.plan-on")),
          FieldChoice(
            "no", localizer.text("escalation.plan-off"), hint: localizer.text("escalation.plan-off-hint")),
        ]), value: choice.isSilent ? "no" : "yes", localizer: localizer))\
      \(FormField(
        "critical", label: localizer.text("escalation.plan-critical"),
        kind: .checkboxes([
          FieldChoice(
            "yes", localizer.text("escalation.plan-critical-choice"),
            hint: localizer.text("escalation.plan-critical-hint"))
        ]), values: choice.isCritical ? ["yes"] : [], isRequired: false, localizer: localizer))\
      \(FormField(
        "lead", label: localizer.text("alarms.form.lead"), kind: .select(leads(localizer)),
        value: choice.lead.map { String($0) } ?? "",
        hint: localizer.text("alarms.form.lead-hint"), isRequired: false, localizer: localizer))
      """
    return call.page(
      frame,
      """
      <div class="narrow stack">\(Form(
        action: "/medicines/\(plan.id)/reminders", token: call.formToken, fields: fields,
        buttons: Button(
          localizer.text("escalation.save"), object: plan.medicineName,
          person: call.formToken.personName).markup))</div>
      """)
  }
}
