// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Identifiers
import Knowledge
import Localization
import Plans
import Prescriptions
import Scheduling
import SiteMap
import Storage
import Web

/// The interactions of one medicine, on its own page.
package struct InteractionPart: PagePart {
  let plan: PlanID
  /// The checked medicines and the words for their warnings.
  package let said: InteractionText
  let token: FormToken

  private var localizer: Localizer { said.words.localizer }

  /// The section with its warnings, the limits of the list, and a link to all interactions.
  package var markup: Markup {
    let report = said.checked.report.about(plan.text)
    var gaps = report
    gaps.silentPairs = 0
    gaps.unlistedAllergies = []
    let none: Markup? =
      report.warnings.isEmpty && report.unlisted.isEmpty
      ? "<p>\(localizer.text("interactions.none"))</p>" : nil
    return Section(
      localizer.text("interactions.heading"), id: "interactions",
      """
      <div class="stack">\(none)\
      \(InteractionCards(
        report: report, said: said, token: token, back: "/medicines/\(plan)#interactions"))\
      \(InteractionGaps(report: gaps, said: said))\
      \(ButtonRow(LinkButton(
        localizer.text("interactions.link"), address: Address.interactions, icon: .interaction
      ).markup))</div>
      """
    ).markup
  }

  /// Reads the section for the page of a medicine; nil if the medicine is not among those checked.
  package static func read(
    _ plan: Plan, _ words: DoseFormatter, _ call: Call, _ signedIn: SignedIn,
    in reader: any SQLReader
  ) throws -> InteractionPart? {
    guard plan.unplanned?.standsOnToday ?? true else { return nil }
    let list = call.environment.interactions.list
    let checked = try InteractionReading.check(
      list, patient: plan.patient, actor: signedIn.actor, now: call.now, zone: words.zone,
      in: reader)
    guard checked.medicines.contains(where: { $0.id == plan.id.text }) else { return nil }
    return InteractionPart(
      plan: plan.id, said: InteractionText(checked: checked, list: list, words: words),
      token: call.formToken)
  }
}

/// The advice on stopping a medicine.
package struct StopAdvice: PagePart {
  /// The checked medicines and the words for their warnings.
  package let said: InteractionText
  /// The plan that is stopped.
  package let plan: PlanID

  /// Creates the advice for one plan.
  package init(said: InteractionText, plan: PlanID) {
    self.said = said
    self.plan = plan
  }

  /// The advice as cards; empty if there is none.
  package var markup: Markup {
    var report = said.checked.report.about(plan.text)
    report.warnings.removeAll { $0.kind != .advice }
    return InteractionCards(report: report, said: said).markup
  }
}
