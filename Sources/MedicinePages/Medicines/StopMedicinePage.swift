// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Plans
import Presentation
import Web

/// The page that asks why a medicine is stopped, and for confirmation.
struct StopMedicinePage: Sendable {
  /// The longest reason, in characters.
  static let longestReason = 500

  let plan: Plan
  /// The advice about stopping it.
  var advice: StopAdvice?
  var reason = ""
  var isRefused = false

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("medicines.stop-title", ["name": .text(plan.medicineName)])
    frame.place = .medicines
    frame.back = .init(plan.medicineName, address: "/medicines/\(plan.id)")
    frame.hasErrors = isRefused
    let error = isRefused ? localizer.text("plans.stop.reason-missing") : nil
    let errors = error.map { [FieldError(field: "reason", message: $0)] } ?? []
    let field = FormField(
      "reason", label: localizer.text("medicines.stop-reason"), kind: .lines(2), value: reason,
      hint: localizer.text("medicines.stop-reason-hint"), error: error,
      maximumLength: Self.longestReason, localizer: localizer)
    let confirm = Button(
      localizer.text("medicines.stop-confirm"), kind: .danger, icon: .stop,
      object: plan.medicineName, person: call.formToken.personName)
    let keep = LinkButton(
      localizer.text("medicines.stop-keep"), address: "/medicines/\(plan.id)")
    let form = Form(
      action: "/medicines/\(plan.id)/stop", token: call.formToken, fields: field.markup,
      buttons: "\(confirm)\(keep)")
    let warning = Notice(
      .warning, title: localizer.text("medicines.stop-warning"),
      "<p>\(localizer.text("medicines.stop-effect"))</p>")
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\(warning)\(advice)\(form)</div>
      """
    return call.page(frame, content, status: isRefused ? .unprocessableContent : .ok)
  }
}
