// SPDX-License-Identifier: Apache-2.0

import Dosing
import Foundation
import HTML
import Localization
import Plans
import SiteMap
import Storage
import Web

/// Says the limits of a medicine, when the next dose is within them, and what would go beyond.
package struct AsNeededText: Sendable {
  package let words: DoseFormatter

  package init(words: DoseFormatter) {
    self.words = words
  }

  private var localizer: Localizer { words.localizer }

  /// When it was taken last, and by whom.
  package func last(_ medicine: AsNeededMedicine) -> String {
    guard let last = medicine.last else { return localizer.text("as-needed.none-taken") }
    return localizer.text("as-needed.last-taken", ["taken": .text(words.taken([last]))])
  }

  /// `Next from 14:30`, as a sentence.
  package func next(_ medicine: AsNeededMedicine, now: Timestamp) -> String {
    guard let next = medicine.next else { return localizer.text("as-needed.never") }
    return localizer.text("as-needed.next", ["time": .text(words.moment(next))])
  }

  /// The words on the button of one that is not yet within its limits.
  package func button(_ medicine: AsNeededMedicine, now: Timestamp) -> String {
    guard let next = medicine.next else { return localizer.text("as-needed.take-anyway") }
    return localizer.text("as-needed.next-from", ["time": .text(words.moment(next))])
  }

  /// Each limit in a line, with what was used of it where that is not told elsewhere.
  package func limits(_ medicine: AsNeededMedicine) -> [String] {
    var lines = self.limits(medicine.limits, daysUsed: medicine.daysUsed)
    for limit in medicine.uncounted {
      lines.append(
        localizer.text(
          "as-needed.limit.uncounted", ["amount": .text(words.amount(limit.amount))]))
    }
    return lines
  }

  /// Each limit of a plan in a line.
  package func limits(_ limits: PlanLimits, daysUsed: Int? = nil) -> [String] {
    var lines: [String] = []
    if let gap = limits.gap { lines.append(localizer.text("as-needed.limit.gap", length(gap))) }
    for count in limits.counts {
      lines.append(rule(.count(most: count.most, milliseconds: count.milliseconds)))
    }
    for amount in limits.amounts {
      lines.append(rule(.amount(most: amount.amount, milliseconds: amount.milliseconds)))
    }
    if let most = limits.days {
      lines.append(
        daysUsed.map { used in
          localizer.text(
            "as-needed.limit.days-used", ["most": .number(most), "used": .number(used)])
        } ?? rule(.days(most: most)))
    }
    return lines
  }

  /// A limit by itself: `At most 4 doses in 24 hours`.
  func rule(_ rule: LimitBreach.Rule) -> String {
    switch rule {
    case .count(let most, let milliseconds):
      var arguments = length(milliseconds)
      arguments["most"] = .number(most)
      return localizer.text("as-needed.limit.count", arguments)
    case .amount(let most, let milliseconds):
      var arguments = length(milliseconds)
      arguments["amount"] = .text(words.amount(most))
      return localizer.text("as-needed.limit.amount", arguments)
    case .days(let most):
      return localizer.text("as-needed.limit.days", ["most": .number(most)])
    }
  }

  /// What it would come to: `this would be 5 doses`.
  func reached(_ breach: LimitBreach) -> String {
    switch breach.rule {
    case .count:
      return localizer.text("as-needed.reached.count", ["n": .decimal(breach.reached)])
    case .amount(let most, _):
      let text = NSDecimalNumber(decimal: breach.reached).stringValue
      let amount = Amount(value: text, unit: most.unit, code: most.code).map(words.amount) ?? text
      return localizer.text("as-needed.reached.amount", ["amount": .text(amount)])
    case .days:
      return localizer.text("as-needed.reached.days", ["n": .decimal(breach.reached)])
    }
  }

  private func length(_ milliseconds: Int64) -> MessageArguments {
    let minutes = Int(clamping: milliseconds / 60_000)
    return ["length": .text(words.duration(minutes: minutes))]
  }
}

/// The limits that an intake would go beyond, each with what it would come to.
struct LimitLines: PagePart {
  let breaches: [LimitBreach]
  let words: DoseFormatter

  var markup: Markup {
    guard !breaches.isEmpty else { return Markup() }
    let said = AsNeededText(words: words)
    return Notice(
      .warning, title: words.localizer.text("as-needed.question.lead"),
      """
      <ul>\(each: breaches, { breach in
        "<li>\(breach.medicineName): \(said.rule(breach.rule)). \(said.reached(breach))</li>"
      })</ul>
      """
    ).markup
  }
}

/// Medicines taken when needed as Today shows them: each with the way to it and when the next is allowed.
package struct AsNeededToday: PagePart {
  package let medicines: [AsNeededMedicine]
  package let words: DoseFormatter
  package let now: Timestamp

  package init(medicines: [AsNeededMedicine], words: DoseFormatter, now: Timestamp) {
    self.medicines = medicines
    self.words = words
    self.now = now
  }

  package var markup: Markup {
    guard !medicines.isEmpty else { return Markup() }
    let localizer = words.localizer
    let said = AsNeededText(words: words)
    return Section(
      localizer.text("as-needed.title"), id: "as-needed",
      """
      <div class="stack">\(each: medicines, { medicine in
        Card(
          title: medicine.medicineName, address: "/medicines/\(medicine.plan)", level: .third,
          """
          <p>\(said.last(medicine))</p>\
          \(if: medicine.isLast && medicine.isAllowed(at: now), "<p>\(localizer.text("as-needed.last-one"))</p>")\
          \(ButtonRow(LinkButton(
            medicine.isAllowed(at: now)
              ? localizer.text("today.log") : said.button(medicine, now: now),
            address: "\(Address.asNeeded)#plan-\(medicine.plan)",
            icon: medicine.isAllowed(at: now) ? .pencil : .clock, object: medicine.medicineName
          ).markup))
          """).markup
      })</div>
      """
    ).markup
  }
}
