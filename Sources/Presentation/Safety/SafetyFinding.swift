// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Knowledge
import Localization
import Plans
import Prescriptions
import Scheduling
import Storage
import Web

/// A contraindication or a question about a medicine, in plain words and with its sources.
package struct SafetyFinding: Sendable {
  /// The way to override it.
  enum Answer: Sendable, Hashable {
    /// A note that explains why it is right.
    case note
    /// A typed word.
    case word
    /// A tick next to these words.
    case tick(String)
    /// It cannot be overridden.
    case never
  }

  package let key: String
  package let text: String
  /// The medicine that it is about, if its sources need telling apart from others on the page.
  let object: String?
  let sources: [Source]
  let answer: Answer

  init(_ question: PlanQuestion, _ localizer: Localizer) {
    let words = QuestionText(localizer: localizer)
    key = question.key
    text = words.text(question)
    switch question {
    case .tooOften(let breach):
      object = breach.shownName(in: localizer.language)
      sources = breach.rule.sources.compactMap(Handbook.shipped.source)
      answer = .word
    case .amount(let finding):
      object = nil
      sources = []
      answer = .tick(words.isRight(finding))
    }
  }

  package init(_ bar: PlanBar, _ localizer: Localizer) {
    let handbook = Handbook.shipped
    key = bar.key
    answer = bar.mayBeSetAside ? .note : .never
    func statement(_ id: String) -> (text: String, sources: [Source])? {
      handbook.statement(id).map { ($0.text(in: localizer.language), handbook.sources(of: [$0])) }
    }
    switch bar {
    case .age(let bar):
      let found = statement(bar.statement)
      object = bar.ingredients.joined(separator: ", ")
      text = found?.text ?? bar.ingredients.joined(separator: ", ")
      sources = found?.sources ?? []
    case .twoProducts(_, let name, let ingredients):
      object = name
      text = localizer.text(
        "bars.two-products",
        ["name": .text(name), "ingredients": .text(localizer.list(ingredients))])
      sources = statement(PlanBar.twoProductsStatement)?.sources ?? []
    case .strengthWithoutVolume:
      object = nil
      text = localizer.text("bars.strength")
      sources = statement("fever.bottles")?.sources ?? []
    case .dose(let bar):
      let amount = [
        bar.mostVolume.map { ChildWords.millilitres($0.millilitresText, localizer) },
        bar.most.map { ChildWords.milligrams($0.milligramsText, localizer) },
      ].compactMap(\.self).joined(separator: " = ")
      object = nil
      text = localizer.text(
        "bars.table",
        [
          "kind": .text(bar.kind.rawValue), "amount": .text(amount),
          "hours": .number(bar.table.hours), "count": .number(bar.doses),
        ])
      sources = (bar.table.sources + bar.table.daySources).compactMap(handbook.source)
    }
  }

  /// The reason with its sources, as a notice.
  package func notice(_ localizer: Localizer) -> Markup {
    guard !sources.isEmpty else { return Notice(.error, title: text).markup }
    return Notice(
      .error, title: text,
      SourceDisclosure(sources: sources, object: object, localizer: localizer).markup
    ).markup
  }
}
