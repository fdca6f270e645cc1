// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Knowledge
import Localization
import Plans
import Storage
import Web

/// Says the rules that were applied to a late or forgotten dose, each with what came of it.
package struct ReschedulingText: Sendable {
  package let words: DoseFormatter
  package let list: InteractionList

  package init(words: DoseFormatter, list: InteractionList) {
    self.words = words
    self.list = list
  }

  private var localizer: Localizer { words.localizer }
  private var limits: AsNeededText { AsNeededText(words: words) }

  /// One rule in a line.
  package func text(_ rule: ReschedulingRule) -> String {
    switch rule {
    case .plan(let advice): return MissedDoseAdviceText(words: words).text(advice)
    case .moves(let moves): return text(moves)
    case .tooNear(let due, let earliest):
      return localizer.text(
        "rescheduling.too-near",
        ["time": .text(words.moment(due)), "earliest": .text(words.moment(earliest))])
    case .gap(let gap, let nearest, let isKept):
      return localizer.text(
        "rescheduling.gap",
        [
          "length": length(gap), "time": .text(words.moment(nearest)), "kept": said(isKept),
        ])
    case .gapAhead(let gap, let next):
      return localizer.text(
        "rescheduling.gap-ahead", ["length": length(gap), "time": .text(words.moment(next))])
    case .limitKept(let limit, let name, let taken):
      return localizer.text(
        "rescheduling.limit-kept",
        [
          "name": .text(name), "rule": .text(limits.rule(limit)), "count": .number(taken),
        ])
    case .limitBroken(let breach, let at):
      return localizer.text(
        "rescheduling.limit-broken",
        [
          "name": .text(breach.medicineName), "rule": .text(limits.rule(breach.rule)),
          "time": .text(words.moment(at)), "reached": .text(limits.reached(breach)),
        ])
    case .spacing(let name, let between, let ours, let theirs, let isTaken, let isKept, _):
      return localizer.text(
        "rescheduling.spacing",
        [
          "length": length(between), "name": .text(name), "taken": said(isTaken),
          "theirs": .text(words.moment(theirs)), "ours": .text(words.moment(ours)),
          "kept": said(isKept),
        ])
    case .meal(_, let at):
      return localizer.text("rescheduling.meal", ["time": .text(words.moment(at))])
    case .sleep(let at):
      return localizer.text("rescheduling.sleep", ["time": .text(words.moment(at))])
    }
  }

  /// `16:30 instead of 14:00`, one for each dose.
  func text(_ moves: [RescheduledDose]) -> String {
    guard !moves.isEmpty else { return localizer.text("rescheduling.moves-none") }
    return localizer.text(
      "rescheduling.moves",
      [
        "count": .number(moves.count),
        "list": .text(
          localizer.list(
            moves.map { move in
              localizer.text(
                "rescheduling.move",
                ["to": .text(words.moment(move.to)), "from": .text(words.moment(move.from))])
            })),
      ])
  }

  /// The rules one under the other; those about other medicines with where that stands.
  func lines(_ rules: [ReschedulingRule]) -> Markup {
    "<ol class=\"stack-small\">\(each: rules, { "<li>\(text($0))\(source($0))</li>" })</ol>"
  }

  private func source(_ rule: ReschedulingRule) -> Markup {
    guard case .spacing(_, _, _, _, _, _, let rows) = rule else { return Markup() }
    let names = list.interactions.filter { rows.contains($0.id) }.map(\.citation.name)
    guard !names.isEmpty else { return Markup() }
    return """
       <span class="small muted">\(localizer.text("interactions.source")) \
      <span lang="en">\(names.joined(separator: "; "))</span></span>
      """
  }

  private func length(_ milliseconds: Int64) -> MessageArgument {
    .text(words.duration(minutes: Int(clamping: milliseconds / 60_000)))
  }

  private func said(_ condition: Bool) -> MessageArgument { .text(condition ? "yes" : "no") }
}

/// "What now?" on the page of a late or forgotten dose: every rule that was applied, and the way to do what they allow.
package struct ReschedulingPart: PagePart {
  package let dose: Dose
  package let rescheduling: Rescheduling
  package let words: DoseFormatter
  package let list: InteractionList
  package let token: FormToken
  package let returnPath: String
  package let newIdentifier: @Sendable () -> String

  package init(
    dose: Dose, rescheduling: Rescheduling, words: DoseFormatter, list: InteractionList, token: FormToken,
    returnPath: String, newIdentifier: @escaping @Sendable () -> String
  ) {
    self.dose = dose
    self.rescheduling = rescheduling
    self.words = words
    self.list = list
    self.token = token
    self.returnPath = returnPath
    self.newIdentifier = newIdentifier
  }

  package static let anchor = "what-now"

  private var localizer: Localizer { words.localizer }

  package var markup: Markup {
    // The plan's word by itself stands above already.
    guard rescheduling.rules.count > 1 else { return Markup() }
    let said = ReschedulingText(words: words, list: list)
    let isAsked = rescheduling.advice == .ask
    let rules = Array(rescheduling.rules.dropFirst())
    return Section(
      localizer.text("rescheduling.title"), id: Self.anchor,
      """
      <div class="stack">\(if: isAsked, "<p>\(localizer.text("rescheduling.against"))</p>")\
      \(said.lines(rules))\
      \(if: !rescheduling.moves.isEmpty, "<p>\(localizer.text("rescheduling.proposal"))</p>")\
      \(TakeAndMove(dose: dose, rescheduling: rescheduling, words: words, token: token).button(
        returnPath: returnPath, newIdentifier: newIdentifier))</div>
      """
    ).markup
  }
}

/// The button that says both: taken now, and the next one later.
package struct TakeAndMove {
  let dose: Dose
  let rescheduling: Rescheduling
  let words: DoseFormatter
  let token: FormToken

  /// The field of an answer that carries to when the next dose was said to go.
  package static let field = "shift"
  /// How old a page may be that still moves what it says, in milliseconds.
  package static let tolerance: Int64 = 15 * 60_000

  func button(returnPath: String, newIdentifier: () -> String) -> Markup {
    guard token.mayAct, let next = rescheduling.moves.first else { return Markup() }
    return FormButton(
      words.localizer.text("rescheduling.taken-and-move", ["time": .text(words.moment(next.to))]),
      action: "/doses/\(dose.id.text)/answers", token: token,
      fields: [
        ("action", "taken"), ("event", newIdentifier()), ("return", returnPath),
        (Self.field, String(next.to.milliseconds)),
      ], kind: .secondary, icon: .clock, object: dose.medicineName
    ).markup
  }
}
