// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Knowledge
import Localization
import Plans
import Storage
import Web

/// Says the rules that were applied to a late or forgotten dose, each with what came of it.
package struct ReplanWords: Sendable {
  package let words: DoseWords
  package let list: InteractionList

  package init(words: DoseWords, list: InteractionList) {
    self.words = words
    self.list = list
  }

  private var localizer: Localizer { words.localizer }
  private var limits: AsNeededWords { AsNeededWords(words: words) }

  /// One rule in a line.
  package func text(_ rule: ReplanRule) -> String {
    switch rule {
    case .plan(let advice): return AfterMissWords(words: words).text(advice)
    case .moves(let moves): return text(moves)
    case .tooNear(let due, let earliest):
      return localizer.text(
        "replan.too-near",
        ["time": .text(words.moment(due)), "earliest": .text(words.moment(earliest))])
    case .gap(let gap, let nearest, let isKept):
      return localizer.text(
        "replan.gap",
        [
          "length": length(gap), "time": .text(words.moment(nearest)), "kept": said(isKept),
        ])
    case .gapAhead(let gap, let next):
      return localizer.text(
        "replan.gap-ahead", ["length": length(gap), "time": .text(words.moment(next))])
    case .limitKept(let limit, let name, let taken):
      return localizer.text(
        "replan.limit-kept",
        [
          "name": .text(name), "rule": .text(limits.rule(limit)), "count": .number(taken),
        ])
    case .limitBroken(let breach, let at):
      return localizer.text(
        "replan.limit-broken",
        [
          "name": .text(breach.medicineName), "rule": .text(limits.rule(breach.rule)),
          "time": .text(words.moment(at)), "reached": .text(limits.reached(breach)),
        ])
    case .spacing(let name, let between, let ours, let theirs, let isTaken, let isKept, _):
      return localizer.text(
        "replan.spacing",
        [
          "length": length(between), "name": .text(name), "taken": said(isTaken),
          "theirs": .text(words.moment(theirs)), "ours": .text(words.moment(ours)),
          "kept": said(isKept),
        ])
    case .meal(_, let at):
      return localizer.text("replan.meal", ["time": .text(words.moment(at))])
    case .sleep(let at):
      return localizer.text("replan.sleep", ["time": .text(words.moment(at))])
    }
  }

  /// `16:30 instead of 14:00`, one for each dose.
  func text(_ moves: [ShiftedDose]) -> String {
    guard !moves.isEmpty else { return localizer.text("replan.moves-none") }
    return localizer.text(
      "replan.moves",
      [
        "count": .number(moves.count),
        "list": .text(
          localizer.list(
            moves.map { move in
              localizer.text(
                "replan.move",
                ["to": .text(words.moment(move.to)), "from": .text(words.moment(move.from))])
            })),
      ])
  }

  /// The rules one under the other; those about other medicines with where that stands.
  func lines(_ rules: [ReplanRule]) -> Markup {
    "<ol class=\"stack-small\">\(each: rules, { "<li>\(text($0))\(source($0))</li>" })</ol>"
  }

  private func source(_ rule: ReplanRule) -> Markup {
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
package struct ReplanPart: PagePart {
  package let dose: Dose
  package let replanning: Replanning
  package let words: DoseWords
  package let list: InteractionList
  package let token: FormToken
  package let returnPath: String
  package let newIdentifier: @Sendable () -> String

  package init(
    dose: Dose, replanning: Replanning, words: DoseWords, list: InteractionList, token: FormToken,
    returnPath: String, newIdentifier: @escaping @Sendable () -> String
  ) {
    self.dose = dose
    self.replanning = replanning
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
    guard replanning.rules.count > 1 else { return Markup() }
    let said = ReplanWords(words: words, list: list)
    let isAsked = replanning.advice == .ask
    let rules = Array(replanning.rules.dropFirst())
    return Section(
      localizer.text("replan.title"), id: Self.anchor,
      """
      <div class="stack">\(if: isAsked, "<p>\(localizer.text("replan.against"))</p>")\
      \(said.lines(rules))\
      \(if: !replanning.moves.isEmpty, "<p>\(localizer.text("replan.proposal"))</p>")\
      \(TakeAndMove(dose: dose, replanning: replanning, words: words, token: token).button(
        returnPath: returnPath, newIdentifier: newIdentifier))</div>
      """
    ).markup
  }
}

/// The button that says both: taken now, and the next one later.
package struct TakeAndMove {
  let dose: Dose
  let replanning: Replanning
  let words: DoseWords
  let token: FormToken

  /// The field of an answer that carries to when the next dose was said to go.
  package static let field = "shift"
  /// How old a page may be that still moves what it says, in milliseconds.
  package static let tolerance: Int64 = 15 * 60_000

  func button(returnPath: String, newIdentifier: () -> String) -> Markup {
    guard token.mayAct, let next = replanning.moves.first else { return Markup() }
    return FormButton(
      words.localizer.text("replan.taken-and-move", ["time": .text(words.moment(next.to))]),
      action: "/doses/\(dose.id.text)/answers", token: token,
      fields: [
        ("action", "taken"), ("event", newIdentifier()), ("return", returnPath),
        (Self.field, String(next.to.milliseconds)),
      ], kind: .secondary, icon: .clock, object: dose.medicineName
    ).markup
  }
}
