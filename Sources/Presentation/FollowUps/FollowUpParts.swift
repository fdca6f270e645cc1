// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Identifiers
import Knowledge
import Localization
import Plans
import Storage
import Web

/// The question whether an as-needed dose helped, answered with one press.
package struct FollowUpCard: PagePart {
  private let open: OpenFollowUp
  private let words: DoseFormatter
  private let token: FormToken
  private let page: Page

  /// A page that shows the question, and is shown again after the answer.
  package enum Page: String, Sendable, CaseIterable {
    case today
    case asNeeded = "as-needed"
  }

  /// Creates the card of a question.
  package init(_ open: OpenFollowUp, on page: Page, words: DoseFormatter, token: FormToken) {
    self.open = open
    self.page = page
    self.words = words
    self.token = token
  }

  /// Returns the address that takes the answer.
  package static func address(of administration: AdministrationID) -> String {
    "/follow-ups/\(administration)"
  }

  /// The card; empty for viewers.
  package var markup: Markup {
    guard token.mayAct else { return Markup() }
    let localizer = words.localizer
    let question = open.question
    return """
      <section class="card stack" id="follow-up-\(question.administration)">\
      <h3 class="card-title">\(localizer.text(
        "follow-ups.question", ["name": .text(open.medicineName)]))</h3>\
      <p>\(localizer.text(
        "follow-ups.taken", ["time": .text(words.moment(question.taken))]))</p>\
      \(Form(
        action: Self.address(of: question.administration), token: token,
        fields: "<input type=\"hidden\" name=\"from\" value=\"\(page.rawValue)\">",
        buttons: "\(each: FollowUpAnswer.allCases, button)"))</section>
      """
  }

  private func button(_ answer: FollowUpAnswer) -> Markup {
    Button(
      words.localizer.text("follow-ups.answer", ["answer": .text(answer.rawValue)]),
      kind: .secondary, object: open.medicineName, name: "answer", value: answer.rawValue,
      person: token.personName
    ).markup
  }
}

/// The texts about the follow-ups of one medicine.
package struct FollowUpText: Sendable {
  private let localizer: Localizer

  /// Creates the texts in a language.
  package init(_ localizer: Localizer) {
    self.localizer = localizer
  }

  /// Returns a sentence such as "The last 5 times: it helped 4 times"; nil without answers.
  package func summary(_ summary: FollowUpSummary) -> String? {
    guard !summary.answers.isEmpty else { return nil }
    return localizer.text(
      "follow-ups.summary",
      ["count": .number(summary.answers.count), "helped": .number(summary.helped)])
  }

  /// Returns the warning about overuse with its sources; empty if there is none.
  package func overuse(_ facts: FollowUpFacts) -> Markup {
    guard let warning = facts.overuse else { return Markup() }
    let numbers: MessageArguments = [
      "name": .text(facts.medicine.name), "days": .number(warning.days),
      "next": .number(warning.daysWithNext), "limit": .number(warning.limit),
    ]
    let title =
      if warning.countsOthers {
        localizer.text(
          warning.isReached
            ? "follow-ups.overuse.several-reached" : "follow-ups.overuse.several-next", numbers)
      } else {
        localizer.text(
          warning.isReached ? "follow-ups.overuse.reached" : "follow-ups.overuse.next", numbers)
      }
    let reason = localizer.text(
      warning.isMixed ? "follow-ups.overuse.mixed-why" : "follow-ups.overuse.why", numbers)
    let sources = warning.sources.compactMap { Handbook.shipped.source($0) }
    return Notice(
      .warning, title: title,
      """
      <p>\(reason)</p>\
      <p class="small muted">\(localizer.text("follow-ups.overuse.source")) \
      \(each: sources, { SourceLine(source: $0, localizer: localizer).markup })</p>
      """
    ).markup
  }
}
