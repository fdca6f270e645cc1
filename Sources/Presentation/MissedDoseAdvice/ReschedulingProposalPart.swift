// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Knowledge
import Localization
import People
import Plans
import Storage
import Web

/// The plan's rule for the next doses after one was taken late, with the question about moving
/// them.
package struct ReschedulingProposalPart: PagePart {
  /// The proposal, or the decision about it.
  package let proposal: DoseRescheduler.Proposal
  /// The formatter of times and durations.
  package let words: DoseFormatter
  /// The interaction list whose sources are named.
  package let list: InteractionList
  /// The contacts to call if no move can be proposed.
  package var contacts: [CareContact] = []
  /// The token of the forms.
  package let token: FormToken
  /// The address to which the forms return.
  package let returnPath: String
  /// True if it is on a page other than the dose's own.
  var isAside = false

  /// Creates the part.
  ///
  /// - Parameter isAside: True on a page other than the dose's own, which shows only contradicting
  ///   rules.
  package init(
    proposal: DoseRescheduler.Proposal, words: DoseFormatter, list: InteractionList,
    contacts: [CareContact] = [], token: FormToken, returnPath: String, isAside: Bool = false
  ) {
    self.proposal = proposal
    self.words = words
    self.list = list
    self.contacts = contacts
    self.token = token
    self.returnPath = returnPath
    self.isAside = isAside
  }

  private var localizer: Localizer { words.localizer }
  private var late: Dose { proposal.late }
  private var moves: [RescheduledDose] { proposal.rescheduling.moves }
  private var said: ReschedulingText { ReschedulingText(words: words, list: list) }

  /// The question, or the decision with the button that reverses it; empty if nothing can be
  /// reversed.
  package var markup: Markup {
    switch proposal.decision {
    case .moved:
      guard !proposal.made.isEmpty else { return Markup() }
      return Notice(
        .success, title: localizer.text("rescheduling.shift.moved"),
        """
        <p>\(said.text(proposal.made))</p>\
        \(button("rescheduling.shift.put-back", .left, kind: .quiet, icon: .undo))
        """
      ).markup
    case .left:
      guard !moves.isEmpty else { return Markup() }
      return Notice(
        .information, title: localizer.text("rescheduling.shift.left"),
        "<p>\(said.text(moves))</p>\(button("rescheduling.shift.move", .moved, kind: .quiet, icon: .clock))"
      ).markup
    case nil: return question
    }
  }

  private var question: Markup {
    let title = localizer.text(
      "rescheduling.shift.title",
      ["name": .text(late.medicineName), "time": .text(words.moment(proposal.nextFrom))])
    let why = LinkButton(
      localizer.text("rescheduling.shift.why"), address: "/doses/\(late.id.text)", kind: .quiet,
      icon: .info,
      object: late.medicineName)
    let rules = isAside ? proposal.rescheduling.rules.filter(\.isAgainst) : rulesBehind
    return Notice(
      .warning, title: title,
      """
      <p>\(moves.isEmpty ? localizer.text("rescheduling.shift.ask") : said.text(moves))</p>\
      \(if: !rules.isEmpty, said.lines(rules))\
      \(if: moves.isEmpty, CareContactLines(contacts: contacts, localizer: localizer).markup)\
      \(ButtonRow("""
        \(if: !moves.isEmpty, button("rescheduling.shift.move", .moved, kind: .primary, icon: .clock))\
        \(button("rescheduling.shift.leave", .left, kind: .secondary, icon: .check))\(if: isAside, why.markup)
        """))
      """
    ).markup
  }

  /// The rules that neither the title nor the line below it already states.
  private var rulesBehind: [ReschedulingRule] {
    proposal.rescheduling.rules.filter { rule in
      switch rule {
      case .plan, .moves: false
      default: true
      }
    }
  }

  private func button(
    _ key: MessageKey, _ decision: ReschedulingDecision, kind: ButtonKind, icon: Icon
  ) -> Markup {
    var fields = [("decision", decision.rawValue), ("return", returnPath)]
    if decision == .moved, let first = moves.first {
      fields.append((TakeAndMove.field, String(first.to.milliseconds)))
    }
    return FormButton(
      localizer.text(key), action: "/doses/\(late.id.text)/shift", token: token, fields: fields,
      kind: kind, icon: icon,
      object: late.medicineName
    ).markup
  }
}
