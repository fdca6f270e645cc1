// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Localization
import Plans

/// Shows each plan's own rule for late and forgotten doses in its rows.
package struct RulesOnToday: TodayContribution {
  package init() {}
  package func read(_ today: TodayContext) throws -> TodayAddition {
    let forgotten = today.model.forgotten
    let plans = Set((forgotten + today.model.due).map(\.plan))
    let rules = try AfterMissQueries.rules(of: plans, of: today.patient)
    if rules.isEmpty { return .nothing }
    let list = today.environment.interactions.list
    var replannings: [DoseID: Replanning] = [:]
    for dose in forgotten where rules[dose.plan] != nil {
      replannings[dose.id] = try ReplanReading.replanning(of: dose, list: list, in: today.patient)
    }
    let known = replannings
    var addition = TodayAddition()
    addition.row = { dose, page -> TodayRowAddition? in
      guard let rule = rules[dose.plan] else { return nil }
      var row = TodayRowAddition()
      row.saysHowLate = true
      guard dose.isForgotten else { return row }
      let replanning = known[dose.id]
      row.advice = Self.advice(
        replanning?.advice ?? MissAdvice(rule, for: dose, now: page.words.now), replanning, dose,
        page)
      if let replanning {
        row.button = {
          TakeAndMove(dose: dose, replanning: replanning, words: page.words, token: page.token)
            .button(returnPath: "/", newIdentifier: page.newIdentifier)
        }
      }
      return row
    }
    return addition
  }

  private static func advice(
    _ advice: MissAdvice, _ replanning: Replanning?, _ dose: Dose, _ page: TodayRendering
  ) -> Markup {
    let localizer = page.words.localizer
    var said = [AfterMissWords(words: page.words).text(advice)]
    var why = Markup()
    if let replanning, replanning.rules.count > 1 {
      if replanning.clash != nil { said.append(localizer.text("replan.clash")) }
      let address = "/doses/\(dose.id.text)?return=/#\(ReplanPart.anchor)"
      why = """
        <p><a href="\(address)">\(localizer.text("replan.title"))</a></p>
        """
    }
    return "\(each: said, { "<p>\($0)</p>" })\(why)"
  }
}
