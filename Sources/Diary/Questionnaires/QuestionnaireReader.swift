// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization

/// Reads a FHIR Questionnaire, and finds every rule that it breaks.
///
/// Understood are the types group, display, choice, string, text, integer, decimal, quantity, date, dateTime and
/// boolean; `enableWhen` on earlier items; and the extensions for controls, limits, units, ordinal values, translations
/// and the score.
package struct QuestionnaireReader {
  /// The extension with the expression of the score, on the questionnaire.
  package static let scoreURL = "urn:regimen:questionnaire-score"

  private var findings: [QuestionnaireFinding] = []
  private var count = 0
  /// The questions so far, by their link.
  private var questions: [String: QuestionnaireItem.Kind] = [:]

  /// Returns the questionnaire if it can be asked, and otherwise the rules that it breaks.
  package static func read(
    _ resource: JSONValue
  ) -> (questionnaire: Questionnaire?, findings: [QuestionnaireFinding]) {
    let issues = ResourceValidator.issues(in: resource, expecting: .questionnaire)
      .filter { $0.severity == .error || $0.severity == .fatal }
    guard issues.isEmpty else {
      return (
        nil,
        issues.map {
          QuestionnaireFinding($0.expression ?? "Questionnaire", .fhir, $0.diagnostics)
        }
      )
    }
    var reader = QuestionnaireReader()
    let questionnaire = reader.questionnaire(resource)
    return (reader.findings.isEmpty ? questionnaire : nil, reader.findings)
  }

  private mutating func note(
    _ path: String, _ rule: QuestionnaireFinding.Rule, _ message: String
  ) {
    guard findings.count < ResourceValidator.maximumIssues else { return }
    findings.append(QuestionnaireFinding(path, rule, message))
  }

  // MARK: The whole

  private mutating func questionnaire(_ resource: JSONValue) -> Questionnaire {
    let url = resource["url"]?.string ?? ""
    if url.isEmpty || url.contains("|") || url.utf8.count > 500 {
      note("Questionnaire.url", .address, "A questionnaire needs an address without a version.")
    }
    let items = items(of: resource, at: "Questionnaire", level: 1)
    let title =
      QuestionnaireParts.text(resource, "title") ?? QuestionnaireParts.text(resource, "name")
      ?? QuestionnaireText(url)
    let draft = Questionnaire(
      url: url, version: resource["version"]?.string, title: title,
      introduction: QuestionnaireParts.text(resource, "description"), items: items, score: nil)
    return Questionnaire(
      url: url, version: draft.version, title: title, introduction: draft.introduction,
      items: items, score: score(resource, draft))
  }

  private mutating func score(
    _ resource: JSONValue, _ questionnaire: Questionnaire
  ) -> QuestionnaireScore? {
    guard let (index, found) = QuestionnaireParts.extensionPlace(resource, Self.scoreURL) else {
      return nil
    }
    let path = "Questionnaire.extension[\(index)]"
    guard let text = found["valueString"]?.string, let score = QuestionnaireScore(text) else {
      note(path, .score, "Write a score such as: sum(a, -b) * 2.5 missing mean 1")
      return nil
    }
    let items = Dictionary(
      questionnaire.allItems.map { ($0.link, $0) }, uniquingKeysWith: { first, _ in first })
    for term in score.terms {
      guard let item = items[term.link] else {
        note(path, .score, "The score names an item that does not exist: \(term.link)")
        continue
      }
      if item.mostAnswers > 1 {
        note(path, .score, "An item of the score has several answers: \(term.link)")
      }
      switch item.kind {
      case .choice, .scale, .boolean:
        if item.scoreLimits == nil {
          note(path, .score, "Options of this item have no ordinalValue: \(term.link)")
        }
      case .integer, .decimal:
        if term.isReversed, item.scoreLimits == nil {
          note(path, .score, "A reversed item needs minValue and maxValue: \(term.link)")
        }
      case .group, .display, .text, .quantity, .date, .dateTime:
        note(path, .score, "This item has no number: \(term.link)")
      }
    }
    return score
  }

  // MARK: Items

  private mutating func items(
    of parent: JSONValue, at path: String, level: Int
  ) -> [QuestionnaireItem] {
    let list = parent["item"]?.array ?? []
    guard list.isEmpty || level <= Questionnaire.mostLevels else {
      note("\(path).item", .tooLarge, "Nest items at most \(Questionnaire.mostLevels) levels deep.")
      return []
    }
    var items: [QuestionnaireItem] = []
    for (index, value) in list.enumerated() {
      let place = "\(path).item[\(index)]"
      // The ends of a scale belong to it.
      if ["lower", "upper"].contains(QuestionnaireParts.control(value)) { continue }
      count += 1
      guard count <= Questionnaire.mostItems else {
        note(place, .tooLarge, "Use at most \(Questionnaire.mostItems) items.")
        return items
      }
      items.append(item(value, at: place, level: level))
    }
    return items
  }

  private mutating func item(
    _ value: JSONValue, at path: String, level: Int
  ) -> QuestionnaireItem {
    let link = value["linkId"]?.string ?? ""
    let text = QuestionnaireParts.text(value, "text") ?? QuestionnaireText("")
    if text.base.count > 2_000 || link.utf8.count > 200 {
      note(path, .tooLarge, "Use at most 2,000 characters for a text and 200 for a linkId.")
    }
    let conditions = conditions(of: value, at: path)
    let kind = kind(of: value, at: path)
    questions[link] = kind
    let numbers = QuestionnaireParts.numberLimits(value)
    let dates = QuestionnaireParts.dateLimits(value)
    if let low = numbers.low, let high = numbers.high, low > high {
      note(path, .limits, "minValue is greater than maxValue.")
    }
    if let low = dates.low, let high = dates.high, low > high {
      note(path, .limits, "minValue is later than maxValue.")
    }
    return QuestionnaireItem(
      link: link, text: text, kind: kind, isRequired: value["required"]?.bool ?? false,
      mostAnswers: mostAnswers(of: value, kind, at: path), minimum: numbers.low,
      maximum: numbers.high, earliest: dates.low, latest: dates.high,
      maximumLength: min(max(value["maxLength"]?.number?.integer ?? 4_000, 1), 10_000),
      conditions: conditions, needsAllConditions: value["enableBehavior"]?.string == "all",
      items: items(of: value, at: path, level: level + 1))
  }

  private mutating func mostAnswers(
    of value: JSONValue, _ kind: QuestionnaireItem.Kind, at path: String
  ) -> Int {
    guard value["repeats"]?.bool == true else { return 1 }
    if case .group = kind {
      note("\(path).repeats", .repeatedGroup, "A group cannot be answered several times here.")
      return 1
    }
    let written = QuestionnaireParts.extensionValue(value, QuestionnaireParts.maxOccurs)?[
      "valueInteger"]?.number?.integer
    if let written, written < 1 {
      note("\(path).extension", .limits, "maxOccurs must be at least 1.")
    }
    if case .choice(let options, _) = kind {
      return max(1, min(written ?? options.count, options.count))
    }
    return max(1, min(written ?? 10, 10))
  }

  private mutating func kind(
    of value: JSONValue, at path: String
  ) -> QuestionnaireItem.Kind {
    switch value["type"]?.string ?? "" {
    case "group": return .group
    case "display": return .display
    case "boolean": return .boolean
    case "string": return options(value, at: path) ?? .text(isLong: false)
    case "text": return .text(isLong: true)
    case "date": return .date
    case "dateTime": return .dateTime
    case "decimal": return .decimal
    case "integer":
      if let kind = options(value, at: path) { return kind }
      return QuestionnaireParts.control(value) == "slider" ? scale(value, at: path) : .integer
    case "quantity":
      if let unit = QuestionnaireParts.unit(value) { return .quantity(unit) }
      note(path, .unit, "A quantity needs the extension questionnaire-unit.")
      return .decimal
    case "choice":
      if let kind = options(value, at: path) { return kind }
      note(path, .valueSet, "A choice needs answerOption, or a value set of this server.")
      return .choice([], .radios)
    case let type:
      note("\(path).type", .itemType, "Items of the type \(type) cannot be asked on a page.")
      return .display
    }
  }

  private mutating func scale(_ value: JSONValue, at path: String) -> QuestionnaireItem.Kind {
    let limits = QuestionnaireParts.numberLimits(value)
    guard let low = limits.low.flatMap(QuestionnaireParts.whole),
      let high = limits.high.flatMap(QuestionnaireParts.whole), low < high, high - low <= 100
    else {
      note(path, .limits, "A scale needs minValue and maxValue, at most 100 apart.")
      return .integer
    }
    func end(_ control: String) -> QuestionnaireText? {
      (value["item"]?.array ?? []).first { QuestionnaireParts.control($0) == control }
        .flatMap { QuestionnaireParts.text($0, "text") }
    }
    return .scale(low...high, low: end("lower"), high: end("upper"))
  }

  /// Returns the choice that an item offers; nil if it offers none.
  private mutating func options(
    _ value: JSONValue, at path: String
  ) -> QuestionnaireItem.Kind? {
    let list: [QuestionnaireOption]
    if let set = value["answerValueSet"]?.string {
      list = QuestionnaireSets.options(of: set)
      guard !list.isEmpty else {
        note("\(path).answerValueSet", .valueSet, "This value set is not part of this server.")
        return nil
      }
    } else {
      list = (value["answerOption"]?.array ?? []).compactMap(QuestionnaireParts.option)
    }
    guard !list.isEmpty else { return nil }
    if list.count > 100 {
      note("\(path).answerOption", .tooLarge, "Use at most 100 options.")
    }
    for (index, option) in list.enumerated()
    where list[..<index].contains(where: { $0.value.key == option.value.key }) {
      note("\(path).answerOption[\(index)]", .options, "Another option is the same.")
    }
    let repeats = value["repeats"]?.bool == true
    let wanted = QuestionnaireParts.control(value).flatMap(QuestionnaireControl.init(rawValue:))
    let usual: QuestionnaireControl = list.count > 7 ? .select : .radios
    let one = wanted == .checkboxes ? usual : wanted ?? usual
    return .choice(list, repeats ? .checkboxes : one)
  }

  // MARK: Conditions

  private mutating func conditions(
    of value: JSONValue, at path: String
  ) -> [QuestionnaireCondition] {
    var conditions: [QuestionnaireCondition] = []
    for (index, one) in (value["enableWhen"]?.array ?? []).enumerated() {
      let place = "\(path).enableWhen[\(index)]"
      let link = one["question"]?.string ?? ""
      guard let kind = questions[link] else {
        note("\(place).question", .condition, "A condition must name an earlier question.")
        continue
      }
      guard
        let comparison = one["operator"]?.string
          .flatMap(QuestionnaireCondition.Operator.init(rawValue:)),
        let answer = QuestionnaireParts.value(one, "answer")
      else {
        note(place, .condition, "A condition needs an operator and an answer.")
        continue
      }
      let isFitting =
        comparison == .exists ? answer.isBoolean : QuestionnaireParts.fits(answer, kind)
      if !isFitting {
        note("\(place).answer", .condition, "The answer has another type than its question.")
      }
      conditions.append(
        QuestionnaireCondition(question: link, comparison: comparison, value: answer))
    }
    return conditions
  }
}
