// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Knowledge
import Localization
import Plans
import Storage
import Web

/// Puts the rules applied to a late or missed dose into words, each with its result.
package struct ReschedulingText: Sendable {
  /// The formatter of times, amounts and durations.
  package let words: DoseFormatter
  /// The interaction list whose sources are named.
  package let list: InteractionList

  /// Creates a text.
  package init(words: DoseFormatter, list: InteractionList) {
    self.words = words
    self.list = list
  }

  private var localizer: Localizer { words.localizer }
  private var limits: AsNeededText { AsNeededText(words: words) }

  /// Returns one sentence for a rule and its result.
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

  /// Returns `16:30 instead of 14:00`, once for each dose.
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

  /// Returns the rules, one per line; those about other medicines with their source.
  func lines(_ rules: [ReschedulingRule]) -> Markup {
    "<ol class=\"stack-small\" role=\"list\">\(each: rules, { "<li>\(text($0))\(source($0))</li>" })</ol>"
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

/// The section "What now?" on the page of a late or missed dose: every rule applied, and the action
/// that they allow.
package struct ReschedulingPart: PagePart {
  /// The late or missed dose.
  package let dose: Dose
  /// The rules applied to it, with their result.
  package let rescheduling: Rescheduling
  /// The formatter of times, amounts and durations.
  package let words: DoseFormatter
  /// The interaction list whose sources are named.
  package let list: InteractionList
  /// The token of the form.
  package let token: FormToken
  /// The address to which the form returns.
  package let returnPath: String
  /// The function that makes the identifier of the press, a UUID.
  package let newIdentifier: @Sendable () -> String

  /// Creates the section for a dose.
  package init(
    dose: Dose, rescheduling: Rescheduling, words: DoseFormatter, list: InteractionList,
    token: FormToken,
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

  /// The element identifier of the section, for links to it.
  package static let anchor = "what-now"

  private var localizer: Localizer { words.localizer }

  /// The section; empty if only the plan's own rule applies, which the page shows elsewhere.
  package var markup: Markup {
    // The plan's own rule is already shown above.
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

/// The button that records the dose as taken now and moves the next ones.
package struct TakeAndMove {
  let dose: Dose
  let rescheduling: Rescheduling
  let words: DoseFormatter
  let token: FormToken

  /// The form field with the time to which the page proposed to move the next dose, in milliseconds
  /// since 1970.
  package static let field = "shift"
  /// The milliseconds by which the proposed time may have changed since the page was shown.
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
