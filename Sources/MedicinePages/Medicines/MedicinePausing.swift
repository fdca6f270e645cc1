// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Localization
import Plans
import Presentation
import Storage
import Web

/// Pauses and resumes a medicine.
package enum MedicinePausing {
  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let plan = try await call.plan(of: signedIn, to: .update)
    guard plan.unplanned == nil || plan.unplanned == .asNeeded else {
      return call.redirect(to: "/medicines/\(plan.id)")
    }
    let advice = try await MedicineRoutes.stopAdvice(plan, call, signedIn)
    return PauseMedicinePage(plan: plan, advice: advice).response(call)
  }

  @Sendable static func pause(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    let reason = form.raw("reason") ?? ""
    return try await form.save(thenOpen: "/medicines/\(plan.id)?done=paused") { context, writer in
      _ = try PlanCommands.pause(plan.id, reason: reason, context: context, in: writer)
    } refused: { (error: PlanError) in
      switch error {
      case .reasonMissing:
        PauseMedicinePage(plan: plan, reason: reason, isRefused: true).response(form.call)
      case .alreadyStopped: form.redirect(to: "/medicines/\(plan.id)")
      default: throw error
      }
    }
  }

  @Sendable static func resume(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let plan = try await call.plan(of: form.signedIn, to: .update)
    // Someone else paused it: the page says whom to ask.
    let mayResume = try await call.environment.database.read {
      try PlanCommands.mayResume(plan, at: call.now, in: $0)
    }
    guard plan.status != "on-hold" || mayResume else {
      return form.redirect(to: "/medicines/\(plan.id)")
    }
    return try await form.save(thenOpen: "/medicines/\(plan.id)?done=resumed") { context, writer in
      _ = try PlanCommands.resume(plan.id, context: context, in: writer)
    } refused: { (error: PlanError) in
      guard case .alreadyStopped = error else { throw error }
      return form.redirect(to: "/medicines/\(plan.id)")
    }
  }
}

/// The page that explains pausing and asks for confirmation.
struct PauseMedicinePage: Sendable {
  let plan: Plan
  var reason = ""
  var isRefused = false
  /// The advice about stopping it suddenly, which pausing does, too.
  var advice: StopAdvice?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("medicines.pause-title", ["name": .text(plan.medicineName)])
    frame.place = .medicines
    frame.back = .init(plan.medicineName, address: "/medicines/\(plan.id)")
    frame.hasErrors = isRefused
    let error = isRefused ? localizer.text("plans.stop.reason-missing") : nil
    let errors = error.map { [FieldError(field: "reason", message: $0)] } ?? []
    let field = FormField(
      "reason", label: localizer.text("medicines.pause-reason"), kind: .lines(2), value: reason,
      hint: localizer.text("medicines.pause-reason-hint"), error: error, isRequired: false,
      maximumLength: StopMedicinePage.longestReason, localizer: localizer)
    let confirm = Button(
      localizer.text("medicines.pause-confirm"), icon: .pause, object: plan.medicineName,
      person: call.formToken.personName)
    let keep = LinkButton(
      localizer.text("medicines.stop-keep"), address: "/medicines/\(plan.id)")
    let form = Form(
      action: "/medicines/\(plan.id)/pause", token: call.formToken, fields: field.markup,
      buttons: "\(confirm)\(keep)")
    let warning = Notice(
      .information, title: localizer.text("medicines.pause-effect"),
      "<p>\(localizer.text("medicines.stop-warning"))</p>")
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\(warning)\(advice)\(form)</div>
      """
    return call.page(frame, content, status: isRefused ? .unprocessableContent : .ok)
  }
}

/// The notice on the page of a paused medicine, with a button if the person may resume it.
struct PausedNotice: PagePart {
  let plan: Plan
  let clock: MedicineClock
  let token: FormToken
  /// True if the person may resume it.
  let mayResume: Bool

  private var localizer: Localizer { clock.localizer }

  var markup: Markup {
    let ending = MedicineEnding(plan)
    let date = ending.date.map { clock.text(clock.day(of: $0), .medium) } ?? "none"
    let title = localizer.text(
      "medicines.paused",
      ["date": .text(date), "reason": .text(ending.reason ?? "none")])
    let help = localizer.text(
      plan.isPausedHere
        ? "medicines.paused-help"
        : mayResume ? "care-team.held-ended-help" : "medicines.paused-by-prescriber")
    let resume =
      mayResume
      ? FormButton(
        localizer.text("medicines.resume"), action: "/medicines/\(plan.id)/resume", token: token,
        icon: .check, object: plan.medicineName) : nil
    return Notice(.information, title: title, "<p>\(help)</p>\(resume)").markup
  }
}
