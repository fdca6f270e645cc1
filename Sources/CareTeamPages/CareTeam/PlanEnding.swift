// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Plans
import Prescriptions
import Presentation
import Reminders
import Storage
import Web

/// The forms with which a practitioner stops or pauses a patient's medicine, proposes to resume it,
/// and withdraws a proposal.
package enum PlanEnding {
  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await page(call, signedIn).response(call, signedIn)
  }

  static func submit(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    var page = try await page(call, signedIn)
    page.way = form.text("way") ?? ""
    page.reason = form.raw("reason") ?? ""
    page.identity = IdentityInput(form: form.fields)
    guard page.way == "stop" || page.way == "hold" else {
      page.isWayMissing = true
      return page.response(call, signedIn)
    }
    let (access, plan, isHold) = (page.access, page.plan.id, page.way == "hold")
    let (reason, identity) = (page.reason, page.identity.identity)
    let commands = access.prescriptions(call)
    let reminders = call.environment.reminderContext(at: call.now)
    do {
      try await call.environment.database.write { writer in
        try commands.end(plan, isHold: isHold, reason: reason, identity: identity, in: writer)
        try ReminderCommands.notify(.prescription, patient: access.patient, reminders, in: writer)
      }
    } catch let error as CareTeamError where error == .reason || error == .wrongPatient {
      page.problem = error
      return page.response(call, signedIn)
    } catch let error as CareTeamError {
      throw error.failure
    }
    call.environment.live.reminders.ring()
    return form.redirect(
      to: access.deskAddress("", [("done", isHold ? "held" : "stopped")]) + "#plan")
  }

  static func resume(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let access = try await PractitionerAccess.openToPrescribe(call, form.signedIn)
    let plan = try PlanID(form.parameter("plan"))
    let commands = access.prescriptions(call)
    let reminders = call.environment.reminderContext(at: call.now)
    do {
      try await call.environment.database.write { writer in
        try commands.resume(plan, in: writer)
        try ReminderCommands.notify(.prescription, patient: access.patient, reminders, in: writer)
      }
    } catch CareTeamError.alreadyEnded {
      return form.redirect(to: access.address)
    } catch let error as CareTeamError {
      throw error.failure
    }
    call.environment.live.reminders.ring()
    return form.redirect(to: access.deskAddress("", [("done", "resumed")]) + "#waiting")
  }

  static func withdraw(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let access = try await PractitionerAccess.openToPrescribe(call, form.signedIn)
    let proposal = try ProposalID(form.parameter("proposal"))
    let commands = access.prescriptions(call)
    do {
      try await call.environment.database.write { try commands.withdraw(proposal, in: $0) }
    } catch let error as CareTeamError {
      throw error.failure
    }
    return form.redirect(to: access.deskAddress("", [("done", "withdrawn")]) + "#plan")
  }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> PlanEndingPage {
    let access = try await PractitionerAccess.openToPrescribe(call, signedIn)
    let id = try call.parameter("plan")
    let (plan, asks) = try await call.environment.database.read { reader in
      (
        try PlanQueries.plan(PlanID(id), patient: access.patient, in: reader),
        try PatientIdentity.hasBirthDate(access.patient, in: reader)
      )
    }
    guard let plan else { throw Failure.notFound }
    guard plan.unplanned?.standsOnToday ?? true else { throw CareTeamError.alreadyEnded.failure }
    try await call.environment.audit(
      access.authorize(.read, "MedicationRequest"), count: 1, at: call.now)
    return PlanEndingPage(
      access: access, plan: plan, asksBirthDate: asks,
      table: try await call.environment.deskTable.read(beside: access.patient, call, signedIn))
  }
}

/// The page that asks what to end, why, and which patient is meant.
struct PlanEndingPage: Sendable {
  let access: PractitionerAccess
  let plan: Plan
  let asksBirthDate: Bool
  /// The table of patients next to the page; nil on phones.
  let table: Markup?
  var way = ""
  var reason = ""
  var identity = IdentityInput()
  var problem: CareTeamError?
  var isWayMissing = false

  func response(_ call: Call, _ signedIn: SignedIn) -> Response {
    let localizer = call.localizer
    var frame = call.careFrame(signedIn)
    frame.title = localizer.text(
      "care-team.end-plan-title",
      ["medicine": .text(plan.medicineName), "name": .text(access.name)])
    let back = access.deskAddress()
    frame.back = .init(access.name, address: back)
    frame.scripts = [PageAssets.desk]
    frame.hasErrors = problem != nil || isWayMissing
    var errors: [FieldError] = []
    if isWayMissing {
      errors.append(FieldError(field: "way", message: localizer.text("care-team.way-missing")))
    }
    if let problem {
      errors.append(
        FieldError(
          field: problem == .reason ? "reason" : IdentityInput.nameField,
          message: problem.message(localizer)))
    }
    func error(_ field: String) -> String? { errors.first { $0.field == field }?.message }
    let sentence = DosageFormatter(plan.request, language: localizer.language).sentence
    let ways = ["stop", "hold"].filter { $0 == "stop" || plan.status != "on-hold" }.map {
      FieldChoice($0, localizer.text("care-team.way", ["way": .text($0)]))
    }
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      <p>\(sentence)</p>\
      \(Notice(.warning, title: localizer.text("care-team.end-plan-effect")))\
      \(Form(
        action: access.deskAddress("/plans/\(plan.id)/end"), token: call.accountToken,
        fields: """
          \(FormField(
            "way", label: localizer.text("care-team.way-label"), kind: .radios(ways), value: way,
            error: error("way"), localizer: localizer))\
          \(FormField(
            "reason", label: localizer.text("medicines.stop-reason"), kind: .lines(2),
            value: reason, hint: localizer.text("care-team.reason-hint"), error: error("reason"),
            maximumLength: 500, localizer: localizer))\
          \(IdentityFields(
            input: identity, asksBirthDate: asksBirthDate,
            problem: error(IdentityInput.nameField), localizer: localizer))
          """,
        buttons: """
          \(Button(
            localizer.text("care-team.end-plan-confirm"), kind: .danger, icon: .stop,
            object: plan.medicineName))\
          \(LinkButton(localizer.text("medicines.stop-keep"), address: back))
          """))</div>
      """
    return call.page(
      frame, DeskLayout(patient: content, table: table, localizer: localizer).markup,
      status: errors.isEmpty ? .ok : .unprocessableContent)
  }
}
