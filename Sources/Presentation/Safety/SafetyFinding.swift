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

/// A contraindication or a question about a medicine, in plain words with its sources.
package struct SafetyFinding: Sendable {
  /// The way to override it.
  enum Answer: Sendable, Hashable {
    /// A note that explains why it is right.
    case note
    /// A typed word.
    case word
    /// A tick next to these words.
    case tick(String)
    /// One of these choices.
    case choice([FieldChoice])
    /// It cannot be overridden.
    case never
  }

  /// The key that identifies the finding in forms and records.
  package let key: String
  /// The finding in plain words.
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
    case .supply(let question):
      object = nil
      sources = []
      answer = .choice(
        SupplyQuestion.Answer.allCases.map { FieldChoice($0.rawValue, words.text($0, question)) })
    }
  }

  /// Creates the finding of a contraindication, with the statement and sources of the handbook.
  package init(_ contraindication: PlanContraindication, _ localizer: Localizer) {
    let handbook = Handbook.shipped
    key = contraindication.key
    answer = contraindication.mayBeSetAside ? .note : .never
    func statement(_ id: String) -> (text: String, sources: [Source])? {
      handbook.statement(id).map { ($0.text(in: localizer.language), handbook.sources(of: [$0])) }
    }
    switch contraindication {
    case .age(let contraindication):
      let found = statement(contraindication.statement)
      object = contraindication.ingredients.joined(separator: ", ")
      text = found?.text ?? contraindication.ingredients.joined(separator: ", ")
      sources = found?.sources ?? []
    case .twoProducts(_, let name, let ingredients):
      object = name
      text = localizer.text(
        "contraindications.two-products",
        ["name": .text(name), "ingredients": .text(localizer.list(ingredients))])
      sources = statement(PlanContraindication.twoProductsStatement)?.sources ?? []
    case .strengthWithoutVolume:
      object = nil
      text = localizer.text("contraindications.strength")
      sources = statement("fever.bottles")?.sources ?? []
    case .dose(let contraindication):
      let amount = [
        contraindication.mostVolume.map { ChildText.millilitres($0.millilitresText, localizer) },
        contraindication.most.map { ChildText.milligrams($0.milligramsText, localizer) },
      ].compactMap(\.self).joined(separator: " = ")
      object = nil
      text = localizer.text(
        "contraindications.table",
        [
          "kind": .text(contraindication.kind.rawValue), "amount": .text(amount),
          "hours": .number(contraindication.table.hours), "count": .number(contraindication.doses),
        ])
      sources = (contraindication.table.sources + contraindication.table.daySources).compactMap(
        handbook.source)
    }
  }

  /// Returns the finding with its sources as a notice.
  package func notice(_ localizer: Localizer) -> Markup {
    guard !sources.isEmpty else { return Notice(.error, title: text).markup }
    return Notice(
      .error, title: text,
      SourceDisclosure(sources: sources, object: object, localizer: localizer).markup
    ).markup
  }
}
