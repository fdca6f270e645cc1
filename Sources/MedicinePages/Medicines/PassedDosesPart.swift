// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import HTML
import Hummingbird
import Localization
import Plans
import Presentation
import Web

/// Today's doses that were already past when their times were saved, with buttons to plan or log them.
package struct PassedDosesPart: PagePart {
  let passed: [PassedDoses.OfPlan]
  let words: DoseFormatter
  let token: FormToken

  private var localizer: Localizer { words.localizer }

  /// One notice for each medicine; empty if there are no such doses.
  package var markup: Markup { "\(each: passed, notice)" }

  private func notice(_ passed: PassedDoses.OfPlan) -> Markup {
    let title = localizer.text(
      "medicines.passed.title",
      ["name": .text(passed.medicineName), "times": .text(words.times(of: passed))])
    guard token.mayAct else { return Notice(.information, title: title).markup }
    let open = passed.open(at: words.now)
    let plan = open.map { dose in
      FormButton(
        localizer.text("medicines.passed.plan", ["time": .text(words.time(dose.due))]),
        action: "/medicines/\(dose.plan)/today", token: token, fields: [("dose", dose.id.text)],
        kind: .secondary, icon: .plus, object: passed.medicineName)
    }
    let log = LinkButton(
      localizer.text("today.log"), address: "/entry?medicine=\(passed.plan)", icon: .pencil,
      object: passed.medicineName)
    return Notice(
      .information, title: title,
      """
      <p>\(localizer.text(open == nil ? "medicines.passed.log-help" : "medicines.passed.help"))</p>\
      \(ButtonRow("\(plan)\(log)"))
      """
    ).markup
  }

  /// Plans the dose and redirects to its page, where it can be answered.
  @Sendable static func plan(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    guard let dose = form.text("dose").flatMap(DoseID.init(text:)), dose.plan == plan.id else {
      throw Failure.badRequest("value", "dose must name a dose of this medicine.")
    }
    let isPlanned = try await form.run { context, writer in
      try PlanCommands.planToday(dose, context: context, in: writer)
    }
    guard isPlanned else { return form.redirect(to: "/medicines/\(plan.id)") }
    form.call.environment.live.changed(plan.patient)
    return form.redirect(to: "/doses/\(dose.text)")
  }
}
