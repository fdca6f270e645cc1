// SPDX-License-Identifier: Apache-2.0

import Dosing
import Foundation
import HTML
import Localization
import Plans
import SiteMap
import Storage
import Web

/// Describes the limits of an as-needed medicine, the next allowed dose, and any excess.
package struct AsNeededText: Sendable {
  /// The formatter of amounts, times and durations.
  package let words: DoseFormatter

  /// Creates a text in the language and zone of a formatter.
  package init(words: DoseFormatter) {
    self.words = words
  }

  private var localizer: Localizer { words.localizer }

  /// Returns a sentence with the time and the person of the last intake, or that there was none.
  package func last(_ medicine: AsNeededMedicine) -> String {
    guard let last = medicine.last else { return localizer.text("as-needed.none-taken") }
    return localizer.text("as-needed.last-taken", ["taken": .text(words.taken([last]))])
  }

  /// Returns a sentence with the time of the next allowed dose, or that a single dose exceeds a
  /// limit.
  package func next(_ medicine: AsNeededMedicine, now: Timestamp) -> String {
    guard let next = medicine.next else { return localizer.text("as-needed.never") }
    return localizer.text("as-needed.next", ["time": .text(words.moment(next))])
  }

  /// Returns the label of the button for a medicine that is not yet within its limits, such as
  /// `Next from 14:30`.
  package func button(_ medicine: AsNeededMedicine, now: Timestamp) -> String {
    guard let next = medicine.next else { return localizer.text("as-needed.take-anyway") }
    return localizer.text("as-needed.next-from", ["time": .text(words.moment(next))])
  }

  /// Returns one line for each limit, with the days used this month and the limits that cannot be
  /// counted.
  package func limits(_ medicine: AsNeededMedicine) -> [String] {
    var lines = self.limits(medicine.limits, daysUsed: medicine.daysUsed)
    for limit in medicine.uncounted {
      lines.append(
        localizer.text(
          "as-needed.limit.uncounted", ["amount": .text(words.amount(limit.amount))]))
    }
    return lines
  }

  /// Returns one line for each limit of a plan.
  ///
  /// - Parameter daysUsed: The number of days used this month; nil to leave it out.
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

  /// Returns a limit on its own, such as `At most 4 doses in 24 hours`.
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

  /// Returns the resulting count, such as `this would be 5 doses`.
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

/// The limits that an intake would exceed, each with the resulting count.
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

/// As-needed medicines on Today: each with its last intake, a link to log it, and the next allowed
/// time.
package struct AsNeededToday: PagePart {
  /// The medicines in the order in which they are shown.
  package let medicines: [AsNeededMedicine]
  /// The formatter of times and amounts.
  package let words: DoseFormatter
  /// The time of the request.
  package let now: Timestamp

  /// Creates the section for Today.
  package init(medicines: [AsNeededMedicine], words: DoseFormatter, now: Timestamp) {
    self.medicines = medicines
    self.words = words
    self.now = now
  }

  /// The section; empty if there are no medicines.
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
