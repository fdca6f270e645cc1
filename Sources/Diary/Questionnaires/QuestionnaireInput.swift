// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Scheduling

/// Answers as they were typed or sent, by the link of their item.
package struct QuestionnaireInput: Sendable, Hashable {
  /// A mistake in the answers to one item.
  package enum Mistake: String, Sendable, Hashable, CaseIterable {
    case missing, choice, number, whole, range, date, dates, long, many
  }

  /// The most answers of a whole questionnaire.
  private static let most = 1_000

  /// The texts of each item, without empty ones.
  package var texts: [String: [String]]

  /// Creates input; empty texts are left out, and spaces around the others.
  package init(_ texts: [String: [String]]) {
    self.texts = texts.mapValues { values in
      values.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }.filter { !$0.value.isEmpty }
  }

  /// Creates the input that these answers would have been typed as.
  package init(_ answers: QuestionnaireAnswers) {
    self.init(answers.mapValues { $0.map(\.text) })
  }

  /// Reads the answers.
  ///
  /// - Parameter isDraft: True to accept required items without an answer.
  /// - Returns: The answers to the items that are asked, and the mistakes in them.
  package func read(
    _ questionnaire: Questionnaire, isDraft: Bool = false
  ) -> (answers: QuestionnaireAnswers, mistakes: [String: Mistake]) {
    var answers: QuestionnaireAnswers = [:]
    var mistakes: [String: Mistake] = [:]
    for item in questionnaire.allItems where item.isQuestion {
      let typed = texts[item.link] ?? []
      guard typed.count <= item.mostAnswers, answers.count < Self.most else {
        mistakes[item.link] = .many
        continue
      }
      var values: [QuestionnaireValue] = []
      for text in typed {
        switch Self.value(text, item) {
        case .success(let value):
          if values.contains(where: { $0.key == value.key }), case .choice = item.kind { continue }
          values.append(value)
        case .failure(let refusal): mistakes[item.link] = refusal.mistake
        }
      }
      if !values.isEmpty { answers[item.link] = values }
    }
    let asked = QuestionnaireEvaluator.asked(questionnaire, answers)
    if !isDraft {
      for item in questionnaire.allItems where item.isQuestion && item.isRequired {
        if mistakes[item.link] == nil, answers[item.link] == nil {
          mistakes[item.link] = .missing
        }
      }
    }
    return (
      answers.filter { asked.contains($0.key) }, mistakes.filter { asked.contains($0.key) }
    )
  }

  private struct Refusal: Error {
    let mistake: Mistake
  }

  private static func value(
    _ text: String, _ item: QuestionnaireItem
  ) -> Result<QuestionnaireValue, Refusal> {
    switch item.kind {
    case .group, .display: return refuse(.many)
    case .choice(let options, _):
      guard let option = options.first(where: { $0.value.text == text }) else {
        return refuse(.choice)
      }
      return .success(option.value)
    case .boolean:
      guard text == "true" || text == "false" else { return refuse(.choice) }
      return .success(.boolean(text == "true"))
    case .scale(let range, _, _):
      guard let number = Int(text) else { return refuse(.whole) }
      return range.contains(number) ? .success(.integer(number)) : refuse(.range)
    case .integer:
      guard let number = Int(text) else { return refuse(.whole) }
      return isWithin(Decimal(number), item) ? .success(.integer(number)) : refuse(.range)
    case .decimal:
      guard let number = decimal(text) else { return refuse(.number) }
      return isWithin(number, item) ? .success(.decimal(number)) : refuse(.range)
    case .quantity(let unit):
      guard let number = decimal(text) else { return refuse(.number) }
      return isWithin(number, item) ? .success(.quantity(number, unit)) : refuse(.range)
    case .text:
      return text.count <= item.maximumLength ? .success(.string(text)) : refuse(.long)
    case .date:
      guard CivilDate(text: text) != nil else { return refuse(.date) }
      return isWithin(day: text, item) ? .success(.date(text)) : refuse(.dates)
    case .dateTime:
      // A form has a date only; a client may send a full instant.
      guard let day = CivilDate(text: String(text.prefix(10))), text.utf8.count <= 40,
        FHIRDateTime(text) != nil
      else { return refuse(.date) }
      return isWithin(day: day.text, item) ? .success(.dateTime(text)) : refuse(.dates)
    }
  }

  private static func refuse(_ mistake: Mistake) -> Result<QuestionnaireValue, Refusal> {
    .failure(Refusal(mistake: mistake))
  }

  /// Reads a number with a point or a comma, and at most 12 digits before and 6 after it.
  private static func decimal(_ text: String) -> Decimal? {
    let plain = text.replacing(",", with: ".")
    let digits = plain.hasPrefix("-") ? plain.dropFirst() : plain[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...12).contains(parts[0].utf8.count),
      parts.count == 1 || (1...6).contains(parts[1].utf8.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Decimal(string: plain)
  }

  private static func isWithin(_ number: Decimal, _ item: QuestionnaireItem) -> Bool {
    (item.minimum.map { number >= $0 } ?? true) && (item.maximum.map { number <= $0 } ?? true)
  }

  private static func isWithin(day: String, _ item: QuestionnaireItem) -> Bool {
    (item.earliest.map { day >= $0 } ?? true) && (item.latest.map { day <= $0 } ?? true)
  }
}
