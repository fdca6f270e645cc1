// SPDX-License-Identifier: Apache-2.0

import Diary
import FHIR
import HTML
import Localization
import Web

/// The fields of the items that the answers so far ask for.
struct QuestionnaireFields {
  let questionnaire: Questionnaire
  let input: QuestionnaireInput
  let mistakes: [String: QuestionnaireInput.Mistake]
  let words: QuestionnaireWords
  /// True to include the items that are not asked yet, which a script shows once they are.
  let isWhole: Bool

  private let asked: Set<String>
  private let places: [String: Int]
  private var localizer: Localizer { words.localizer }

  init(
    questionnaire: Questionnaire, input: QuestionnaireInput,
    mistakes: [String: QuestionnaireInput.Mistake], words: QuestionnaireWords,
    isWhole: Bool = false
  ) {
    self.questionnaire = questionnaire
    self.input = input
    self.mistakes = mistakes
    self.words = words
    self.isWhole = isWhole
    asked = QuestionnaireEvaluator.asked(
      questionnaire, input.read(questionnaire, isDraft: true).answers)
    places = Dictionary(
      questionnaire.allItems.enumerated().map { ($0.element.link, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name of the field of an item, by its place in the document.
  static func name(_ index: Int) -> String { "q\(index)" }

  private func name(_ item: QuestionnaireItem) -> String { Self.name(places[item.link] ?? 0) }

  /// The mistakes, in the order of the page.
  var errors: [FieldError] {
    questionnaire.allItems.compactMap { item in
      mistakes[item.link].map { FieldError(field: name(item), message: words.mistake($0)) }
    }
  }

  /// The fields.
  var markup: Markup { "\(each: questionnaire.items, itemMarkup)" }

  /// The answers as hidden fields.
  var hidden: Markup {
    let items = questionnaire.allItems.filter { $0.isQuestion && asked.contains($0.link) }
    return "\(each: items, hiddenItem)"
  }

  private func hiddenItem(_ item: QuestionnaireItem) -> Markup {
    let texts = input.texts[item.link] ?? []
    return """
      \(shown(item))\
      \(each: texts, { "<input type=\"hidden\" name=\"\(name(item))\" value=\"\($0)\">" as Markup })
      """
  }

  private func shown(_ item: QuestionnaireItem) -> Markup {
    "<input type=\"hidden\" name=\"shown\" value=\"\(String(places[item.link] ?? 0))\">"
  }

  private func itemMarkup(_ item: QuestionnaireItem) -> Markup {
    let isAsked = asked.contains(item.link)
    guard isWhole else { return isAsked ? bare(item) : Markup() }
    guard !item.conditions.isEmpty else { return bare(item) }
    return """
      <fieldset role="none" data-when="\(conditions(of: item).text)"\
      \(if: !isAsked, " hidden disabled" as Markup)>\(bare(item))</fieldset>
      """
  }

  /// Returns the conditions of an item as the script of a copy reads them.
  private func conditions(of item: QuestionnaireItem) -> JSONValue {
    [
      "all": .bool(item.needsAllConditions),
      "of": .array(
        item.conditions.map { condition -> JSONValue in
          [
            "field": .string(places[condition.question].map { Self.name($0) } ?? ""),
            "is": .string(condition.comparison.rawValue), "value": .string(condition.value.text),
          ]
        }),
    ]
  }

  /// Returns an item without its conditions.
  private func bare(_ item: QuestionnaireItem) -> Markup {
    switch item.kind {
    case .group:
      return FieldGroup(words.text(item.text), "\(each: item.items, itemMarkup)").markup
    case .display: return "<p>\(words.text(item.text))</p>"
    default: return "\(shown(item))\(control(item))\(each: item.items, itemMarkup)"
    }
  }

  private func control(_ item: QuestionnaireItem) -> Markup {
    let texts = input.texts[item.link] ?? []
    if case .choice = item.kind {
      return field(item, name(item), values: texts, isFirst: true).markup
    }
    let count = min(item.mostAnswers, max(1, texts.count + (item.mostAnswers > 1 ? 1 : 0)))
    let fields = (0..<count).map { index -> Markup in
      field(
        item, index == 0 ? name(item) : "\(name(item))-\(index)",
        values: index < texts.count ? [texts[index]] : [], isFirst: index == 0
      ).markup
    }
    return "\(each: fields, { $0 })"
  }

  private func field(
    _ item: QuestionnaireItem, _ name: String, values: [String], isFirst: Bool
  ) -> FormField {
    var unit: String?
    if case .quantity(let one) = item.kind { unit = one.name }
    var length: Int?
    if case .text = item.kind { length = item.maximumLength }
    return FormField(
      name, label: words.text(item.text), kind: kind(item), values: values, hint: hint(item),
      error: isFirst ? mistakes[item.link].map(words.mistake) : nil,
      isRequired: item.isRequired && isFirst, unit: unit, maximumLength: length,
      localizer: localizer)
  }

  private func kind(_ item: QuestionnaireItem) -> FieldKind {
    switch item.kind {
    case .choice(let options, let control):
      let choices = options.map { FieldChoice($0.value.text, words.text($0.label)) }
      switch control {
      case .radios: return .radios(choices)
      case .checkboxes: return .checkboxes(choices)
      case .select:
        return .select([FieldChoice("", localizer.text("questionnaires.choose"))] + choices)
      }
    case .scale(let range, _, _):
      guard range.count <= 11 else { return .integer }
      return .radios(range.map { FieldChoice(String($0), String($0)) }, isCompact: true)
    case .boolean:
      return .radios(
        [
          FieldChoice("true", localizer.text("questionnaires.yes")),
          FieldChoice("false", localizer.text("questionnaires.no")),
        ], isCompact: true)
    case .text(let isLong): return isLong ? .lines() : .text
    case .integer: return .integer
    case .decimal, .quantity: return .decimal
    case .date, .dateTime: return .date(from: item.earliest, through: item.latest)
    case .group, .display: return .text
    }
  }

  /// Returns the names of the ends of a scale.
  private func hint(_ item: QuestionnaireItem) -> String? {
    guard case .scale(let range, let low, let high) = item.kind else { return nil }
    guard let low, let high else { return "\(range.lowerBound)–\(range.upperBound)" }
    return localizer.text(
      "questionnaires.scale",
      [
        "low": .number(range.lowerBound), "lowest": .text(words.text(low)),
        "high": .number(range.upperBound), "highest": .text(words.text(high)),
      ])
  }
}
