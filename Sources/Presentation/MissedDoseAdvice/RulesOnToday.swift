// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Localization
import Plans

/// Shows each plan's own rule for late and missed doses in its rows on Today.
package struct RulesOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}
  /// Reads the rules and the advice for late and missed doses.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    let forgotten = today.model.forgotten
    let plans = Set((forgotten + today.model.due).map(\.plan))
    let rules = try MissedDoseAdviceQueries.rules(of: plans, of: today.patient)
    if rules.isEmpty { return .nothing }
    let list = today.environment.interactions.list
    var reschedulings: [DoseID: Rescheduling] = [:]
    for dose in forgotten where rules[dose.plan] != nil {
      reschedulings[dose.id] = try ReschedulingReading.rescheduling(
        of: dose, list: list, in: today.patient)
    }
    let known = reschedulings
    var addition = TodayAddition()
    addition.row = { dose, page -> TodayRowAddition? in
      guard let rule = rules[dose.plan] else { return nil }
      var row = TodayRowAddition()
      row.saysHowLate = true
      guard dose.isForgotten else { return row }
      let rescheduling = known[dose.id]
      row.advice = Self.advice(
        rescheduling?.advice ?? MissAdvice(rule, for: dose, now: page.words.now), rescheduling,
        dose,
        page)
      if let rescheduling {
        row.button = {
          TakeAndMove(dose: dose, rescheduling: rescheduling, words: page.words, token: page.token)
            .button(returnPath: "/", newIdentifier: page.newIdentifier)
        }
      }
      return row
    }
    return addition
  }

  private static func advice(
    _ advice: MissAdvice, _ rescheduling: Rescheduling?, _ dose: Dose, _ page: TodayRendering
  ) -> Markup {
    let localizer = page.words.localizer
    var said = [MissedDoseAdviceText(words: page.words).text(advice)]
    var why = Markup()
    if let rescheduling, rescheduling.rules.count > 1 {
      if rescheduling.clash != nil { said.append(localizer.text("rescheduling.clash")) }
      let address = "/doses/\(dose.id.text)?return=/#\(ReschedulingPart.anchor)"
      why = """
        <p><a href="\(address)">\(localizer.text("rescheduling.title"))</a></p>
        """
    }
    return "\(each: said, { "<p>\($0)</p>" })\(why)"
  }
}
