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

/// Stopping or holding a patient's medicine, proposing that it goes on, and taking back what was sent.
package enum PlanEnding {
  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await page(call, signedIn).response(call, signedIn)
  }

  @Sendable static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await call.careForm()
    var page = try await page(call, signedIn)
    page.way = form.text("way") ?? ""
    page.reason = form.raw("reason") ?? ""
    page.identity = IdentityInput(form: form)
    guard page.way == "stop" || page.way == "hold" else {
      page.isWayMissing = true
      return page.response(call, signedIn)
    }
    let (door, plan, isHold) = (page.door, page.plan.id, page.way == "hold")
    let (reason, identity) = (page.reason, page.identity.identity)
    let commands = door.prescriptions(call)
    let reminders = call.environment.reminderContext(at: call.now)
    do {
      try await call.environment.database.write { writer in
        try commands.end(plan, isHold: isHold, reason: reason, identity: identity, in: writer)
        try ReminderCommands.notify(.prescription, patient: door.patient, reminders, in: writer)
      }
    } catch let error as CareTeamError where error == .reason || error == .wrongPatient {
      page.problem = error
      return page.response(call, signedIn)
    } catch let error as CareTeamError {
      throw error.failure
    }
    call.environment.live.reminders.ring()
    return call.redirect(to: "\(door.address)?done=\(isHold ? "held" : "stopped")#plan")
  }

  @Sendable static func resume(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    _ = try await call.careForm()
    let door = try await CareDoor.openToPrescribe(call, signedIn)
    let plan = try PlanID(call.parameter("plan"))
    let commands = door.prescriptions(call)
    let reminders = call.environment.reminderContext(at: call.now)
    do {
      try await call.environment.database.write { writer in
        try commands.resume(plan, in: writer)
        try ReminderCommands.notify(.prescription, patient: door.patient, reminders, in: writer)
      }
    } catch CareTeamError.alreadyEnded {
      return call.redirect(to: door.address)
    } catch let error as CareTeamError {
      throw error.failure
    }
    call.environment.live.reminders.ring()
    return call.redirect(to: "\(door.address)?done=resumed#waiting")
  }

  @Sendable static func withdraw(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    _ = try await call.careForm()
    let door = try await CareDoor.openToPrescribe(call, signedIn)
    let proposal = try ProposalID(call.parameter("proposal"))
    let commands = door.prescriptions(call)
    do {
      try await call.environment.database.write { try commands.withdraw(proposal, in: $0) }
    } catch let error as CareTeamError {
      throw error.failure
    }
    return call.redirect(to: "\(door.address)?done=withdrawn#plan")
  }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> PlanEndingPage {
    let door = try await CareDoor.openToPrescribe(call, signedIn)
    let id = try call.parameter("plan")
    let (plan, asks) = try await call.environment.database.read { reader in
      (
        try PlanQueries.plan(PlanID(id), patient: door.patient, in: reader),
        try PatientIdentity.hasBirthDate(door.patient, in: reader)
      )
    }
    guard let plan else { throw Failure.notFound }
    guard plan.unplanned?.standsOnToday ?? true else { throw CareTeamError.alreadyEnded.failure }
    try await call.environment.audit(
      door.authorize(.read, "MedicationRequest"), count: 1, at: call.now)
    return PlanEndingPage(door: door, plan: plan, asksBirthDate: asks)
  }
}

/// The page that asks what shall end, why, and for whom it is meant.
struct PlanEndingPage: Sendable {
  let door: CareDoor
  let plan: Plan
  let asksBirthDate: Bool
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
      ["medicine": .text(plan.medicineName), "name": .text(door.name)])
    frame.back = .init(door.name, address: door.address)
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
    let sentence = DosageWords(plan.request, language: localizer.language).sentence
    let ways = ["stop", "hold"].filter { $0 == "stop" || plan.status != "on-hold" }.map {
      FieldChoice($0, localizer.text("care-team.way", ["way": .text($0)]))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      <p>\(sentence)</p>\
      \(Notice(.warning, title: localizer.text("care-team.end-plan-effect")))\
      \(Form(
        action: "\(door.address)/plans/\(plan.id)/end", token: call.accountToken,
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
          \(LinkButton(localizer.text("medicines.stop-keep"), address: door.address))
          """))</div>
      """, status: errors.isEmpty ? .ok : .unprocessableContent)
  }
}
