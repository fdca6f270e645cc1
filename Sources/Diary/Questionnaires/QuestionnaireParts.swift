// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization

/// The elements and extensions of a FHIR Questionnaire that a form needs.
enum QuestionnaireParts {
  static let base = "http://hl7.org/fhir/StructureDefinition/"
  static let maxOccurs = base + "questionnaire-maxOccurs"
  static let ordinalValue = base + "ordinalValue"
  static let translation = base + "translation"
  static let itemControl = base + "questionnaire-itemControl"
  static let unitURL = base + "questionnaire-unit"
  static let minValue = base + "minValue"
  static let maxValue = base + "maxValue"

  // MARK: Extensions

  static func extensionPlace(_ value: JSONValue, _ url: String) -> (Int, JSONValue)? {
    for (index, one) in (value["extension"]?.array ?? []).enumerated()
    where one["url"]?.string == url {
      return (index, one)
    }
    return nil
  }

  static func extensionValue(_ value: JSONValue, _ url: String) -> JSONValue? {
    extensionPlace(value, url)?.1
  }

  /// Returns the code of the control that an item asks for.
  static func control(_ item: JSONValue) -> String? {
    extensionValue(item, itemControl)?["valueCodeableConcept"]?["coding"]?[0]?["code"]?.string
  }

  static func unit(_ item: JSONValue) -> QuestionnaireUnit? {
    guard let coding = extensionValue(item, unitURL)?["valueCoding"],
      let name = coding["display"]?.string ?? coding["code"]?.string
    else { return nil }
    return QuestionnaireUnit(
      name: name, system: coding["system"]?.string, code: coding["code"]?.string)
  }

  static func numberLimits(_ item: JSONValue) -> (low: Decimal?, high: Decimal?) {
    func limit(_ url: String) -> Decimal? {
      let found = extensionValue(item, url)
      return (found?["valueInteger"] ?? found?["valueDecimal"])?.number?.decimal
    }
    return (limit(minValue), limit(maxValue))
  }

  static func dateLimits(_ item: JSONValue) -> (low: String?, high: String?) {
    func limit(_ url: String) -> String? {
      let found = extensionValue(item, url)
      return (found?["valueDate"] ?? found?["valueDateTime"])?.string.map { String($0.prefix(10)) }
    }
    return (limit(minValue), limit(maxValue))
  }

  static func whole(_ number: Decimal) -> Int? {
    Int(number.description)
  }

  // MARK: Texts

  /// Returns a text with its translations; nil for an element that is missing or empty.
  static func text(_ value: JSONValue, _ name: String) -> QuestionnaireText? {
    guard let text = value[name]?.string, !text.isEmpty else { return nil }
    var translations: [Language: String] = [:]
    for one in value["_\(name)"]?["extension"]?.array ?? [] where one["url"]?.string == translation
    {
      let parts = one["extension"]?.array ?? []
      guard
        let tag = parts.first(where: { $0["url"]?.string == "lang" })?["valueCode"]?.string,
        let content = parts.first(where: { $0["url"]?.string == "content" }),
        let words = content["valueString"]?.string ?? content["valueMarkdown"]?.string,
        let language = Language(tag: tag)
      else { continue }
      translations[language] = words
    }
    return QuestionnaireText(text, translations: translations)
  }

  // MARK: Values

  static func option(_ value: JSONValue) -> QuestionnaireOption? {
    guard let answer = self.value(value, "value") else { return nil }
    let coding = value["valueCoding"]
    let label: QuestionnaireText
    switch answer {
    case .coding(_, let code, _):
      label = coding.flatMap { text($0, "display") } ?? QuestionnaireText(code)
    case .string: label = text(value, "valueString") ?? QuestionnaireText(answer.text)
    default: label = QuestionnaireText(answer.text)
    }
    let ordinal =
      extensionValue(value, ordinalValue) ?? coding.flatMap { extensionValue($0, ordinalValue) }
    var number = ordinal?["valueDecimal"]?.number?.decimal
    if number == nil, case .integer(let whole) = answer { number = Decimal(whole) }
    return QuestionnaireOption(value: answer, label: label, ordinal: number)
  }

  /// Reads `answerX` or `valueX`; nil for a type that no item here has.
  static func value(_ json: JSONValue, _ prefix: String) -> QuestionnaireValue? {
    if let flag = json["\(prefix)Boolean"]?.bool { return .boolean(flag) }
    if let number = json["\(prefix)Integer"]?.number?.integer { return .integer(number) }
    if let number = json["\(prefix)Decimal"]?.number?.decimal { return .decimal(number) }
    if let text = json["\(prefix)String"]?.string { return .string(text) }
    if let text = json["\(prefix)Date"]?.string { return .date(text) }
    if let text = json["\(prefix)DateTime"]?.string { return .dateTime(text) }
    if let coding = json["\(prefix)Coding"], let code = coding["code"]?.string {
      return .coding(
        system: coding["system"]?.string, code: code, display: coding["display"]?.string)
    }
    if let quantity = json["\(prefix)Quantity"], let number = quantity["value"]?.number?.decimal {
      return .quantity(
        number,
        QuestionnaireUnit(
          name: quantity["unit"]?.string ?? quantity["code"]?.string ?? "",
          system: quantity["system"]?.string, code: quantity["code"]?.string))
    }
    return nil
  }

  /// Returns true if a value has the type of a question's answers.
  static func fits(_ value: QuestionnaireValue, _ kind: QuestionnaireItem.Kind) -> Bool {
    switch (kind, value) {
    case (.choice(let options, _), _):
      options.contains { QuestionnaireEvaluator.order($0.value, value) != nil }
    case (.scale, .integer), (.integer, .integer), (.integer, .decimal), (.decimal, .integer),
      (.decimal, .decimal), (.text, .string), (.date, .date), (.dateTime, .dateTime),
      (.boolean, .boolean):
      true
    case (.quantity(let unit), .quantity(_, let other)):
      unit.code == other.code && unit.system == other.system
    default: false
    }
  }
}

extension QuestionnaireValue {
  /// The value as a form sends it and a page shows it without its label.
  package var text: String {
    switch self {
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .decimal(let number), .quantity(let number, _): number.description
    case .string(let text), .date(let text), .dateTime(let text): text
    case .coding(_, let code, _): code
    }
  }

  /// The value without its label, for comparison.
  var key: QuestionnaireValue {
    if case .coding(let system, let code, _) = self {
      return .coding(system: system, code: code, display: nil)
    }
    return self
  }

  /// True for a yes or no.
  var isBoolean: Bool {
    if case .boolean = self { true } else { false }
  }

  /// The value as a property of FHIR, such as `valueInteger`.
  package var json: (name: String, value: JSONValue) {
    switch self {
    case .boolean(let flag): return ("valueBoolean", .bool(flag))
    case .integer(let number): return ("valueInteger", .number(JSONNumber(number)))
    case .decimal(let number): return ("valueDecimal", Self.number(number))
    case .string(let text): return ("valueString", .string(text))
    case .date(let text): return ("valueDate", .string(text))
    case .dateTime(let text): return ("valueDateTime", .string(text))
    case .coding(let system, let code, let display):
      var object = JSONObject()
      object["system"] = system.map { .string($0) }
      object["code"] = .string(code)
      object["display"] = display.map { .string($0) }
      return ("valueCoding", .object(object))
    case .quantity(let number, let unit):
      var object = JSONObject()
      object["value"] = Self.number(number)
      object["unit"] = .string(unit.name)
      object["system"] = unit.system.map { .string($0) }
      object["code"] = unit.code.map { .string($0) }
      return ("valueQuantity", .object(object))
    }
  }

  /// Returns a number as JSON.
  package static func number(_ value: Decimal) -> JSONValue {
    JSONNumber(text: value.description).map(JSONValue.number) ?? 0
  }
}
