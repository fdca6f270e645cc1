// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Knowledge
import Localization
import Plans
import Prescriptions
import Scheduling
import Storage

/// Formats the times and rules of a proposal, with the sources of the rules.
package struct SimplificationText: Sendable {
  /// The proposal, which supplies the names of the medicines.
  package let proposal: IntakeProposal
  /// The list of interactions, which supplies the sources of the rules.
  package let list: InteractionList
  /// The texts in the language of the reader.
  package let localizer: Localizer

  /// Creates the texts of one proposal.
  package init(proposal: IntakeProposal, list: InteractionList, localizer: Localizer) {
    self.proposal = proposal
    self.list = list
    self.localizer = localizer
  }

  /// Returns a message of the pages about fewer times of day.
  package func text(_ name: String, _ arguments: MessageArguments = [:]) -> String {
    localizer.text(MessageKey("simplification.\(name)"), arguments)
  }

  /// Returns a minute of the day as `08:00`.
  package func time(_ minute: Int) -> String {
    let own = ((minute % 1_440) + 1_440) % 1_440
    return localizer.time(hour: own / 60, minute: own % 60)
  }

  /// Returns times as `08:00 and 20:00`.
  package func times(_ minutes: [Int]) -> String { localizer.list(minutes.map(time)) }

  /// Returns a count such as `{5 times a day}`.
  package func count(_ times: [Int]) -> String { text("count", ["count": .number(times.count)]) }

  /// Returns a number of minutes in whole days, hours or minutes.
  package func duration(_ minutes: Int) -> String {
    if minutes >= 2_880, minutes % 1_440 == 0 {
      return localizer.text("interactions.days", ["count": .number(minutes / 1_440)])
    }
    if minutes >= 60, minutes % 60 == 0 {
      return localizer.text("dose.hours", ["n": .number(minutes / 60)])
    }
    if minutes < 120 { return localizer.text("dose.minutes", ["n": .number(minutes)]) }
    return localizer.list([duration(minutes / 60 * 60), duration(minutes % 60)])
  }

  /// Returns the reason for which a medicine keeps its times.
  package func kept(_ why: IntakeKept) -> String { text("kept", ["why": .text(why.rawValue)]) }

  /// Returns a rule as a sentence, without its source.
  package func sentence(_ rule: IntakeRule) -> String {
    switch rule {
    case .kept(let medicine, let why):
      return text("of", ["name": .text(proposal.name(medicine)), "what": .text(kept(why))])
    case .event(let event):
      let name = localizer.text("dosage.event", ["event": .text(event.code)])
      return text("rule.event", ["event": .text(localizer.capitalized(name))])
    case .together(let names): return text("rule.together", ["names": .text(localizer.list(names))])
    case .apart(let earlier, let later, let minutes, _):
      return text(
        "rule.apart",
        [
          "later": .text(proposal.name(later)), "earlier": .text(proposal.name(earlier)),
          "time": .text(duration(minutes)),
        ])
    case .meal(let medicine, let before, let after, _):
      return [("before", before), ("after", after)].compactMap { order, minutes in
        minutes.map { meal(medicine.text, order, $0) }
      }.joined(separator: " ")
    case .gap(let medicine, let minutes, let isStated):
      return text(
        "rule.gap",
        [
          "name": .text(proposal.name(medicine)), "time": .text(duration(minutes)),
          "stated": .text(isStated ? "yes" : "no"),
        ])
    case .part: return text("rule.part")
    case .days: return text("rule.days")
    case .window(let window):
      return text(
        "rule.window",
        [
          "from": .text(time(window.from.secondsOfDay / 60)),
          "until": .text(time(window.until.secondsOfDay / 60)),
        ])
    case .nothingSaved: return text("rule.nothing")
    }
  }

  private func meal(_ medicine: String, _ order: String, _ minutes: Int) -> String {
    let arguments: MessageArguments = [
      "order": .text(order), "name": .text(proposal.name(PlanID(medicine))),
      "time": .text(duration(minutes)),
    ]
    return text("rule.meal", arguments)
  }

  /// Returns a rule with its row in the list of interactions.
  package func markup(_ rule: IntakeRule) -> Markup {
    let sentence = sentence(rule)
    guard let source = source(rule) else { return Markup(text: sentence) }
    return "\(sentence)<br><span class=\"small muted\">\(source)</span>"
  }

  /// Returns the source of a rule's hours; nil for rules of the plans and of the planner.
  private func source(_ rule: IntakeRule) -> Markup? {
    let rows: [String]
    switch rule {
    case .apart(_, _, _, let own), .meal(_, _, _, let own): rows = own
    default: return nil
    }
    let parts = rows.compactMap(list.row).map { row -> Markup in
      let state = localizer.text(
        "interactions.confirmed", ["state": .text(row.isToBeConfirmed ? "open" : "done")])
      let place = localizer.text(
        "interactions.list",
        [
          "whose": .text(row.isOwn ? "own" : "shipped"),
          "version": .text(row.isOwn ? list.own?.version ?? "" : list.version),
        ])
      return """
        \(localizer.text("interactions.source")) <span lang="en">\(row.citation.name)</span> · \
        \(state) · \(place)
        """
    }
    guard let first = parts.first else { return nil }
    return parts.dropFirst().reduce(first) { "\($0)<br>\($1)" }
  }

  /// Returns a one-line title of a rule that the current times break.
  package func title(_ finding: IntakeFinding) -> String {
    let distance = MessageArgument.text(duration(finding.distance))
    let isTogether = MessageArgument.text(finding.distance == 0 ? "yes" : "no")
    switch finding.rule {
    case .apart(let earlier, let later, _, _):
      return text(
        "finding",
        [
          "together": isTogether, "a": .text(proposal.name(earlier)),
          "b": .text(proposal.name(later)), "distance": distance,
        ])
    case .meal(let medicine, _, _, _):
      return text(
        "finding-meal",
        ["together": isTogether, "a": .text(proposal.name(medicine)), "distance": distance])
    default: return sentence(finding.rule)
    }
  }
}
