// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Localization
import Storage

/// Writes and reads FHIR QuestionnaireResponses.
package enum QuestionnaireResponses {
  /// Returns the response for answers.
  ///
  /// - Parameters:
  ///   - answers: The answers to items that are asked.
  ///   - language: The language in which the items were shown.
  ///   - isAmended: True for a correction.
  package static func resource(
    _ questionnaire: Questionnaire, _ answers: QuestionnaireAnswers, of patient: PatientID,
    in language: Language, at now: Timestamp, isAmended: Bool
  ) -> JSONValue {
    [
      "resourceType": "QuestionnaireResponse",
      "language": .string(language.tag),
      "questionnaire": .string(questionnaire.canonical),
      "status": isAmended ? "amended" : "completed",
      "subject": ["reference": .string("Patient/\(patient)")],
      "authored": .string(
        FHIRDateTime.instantText(milliseconds: now.milliseconds, offsetMinutes: 0)),
      "source": ["reference": .string("Patient/\(patient)")],
      "item": .array(
        questionnaire.items.compactMap { item($0, answers, language) }),
    ]
  }

  private static func item(
    _ item: QuestionnaireItem, _ answers: QuestionnaireAnswers, _ language: Language
  ) -> JSONValue? {
    let nested = item.items.compactMap { self.item($0, answers, language) }
    let values = answers[item.link] ?? []
    guard !nested.isEmpty || !values.isEmpty else { return nil }
    var json: JSONValue = ["linkId": .string(item.link)]
    let words = item.text.text(in: language)
    if !words.isEmpty { json["text"] = .string(words) }
    guard item.isQuestion else {
      json["item"] = .array(nested)
      return json
    }
    json["answer"] = .array(
      values.enumerated().map { index, value in
        let (name, content) = value.json
        var answer = JSONValue.object(JSONObject())
        answer[name] = content
        // Items below a question belong to its first answer.
        if index == 0, !nested.isEmpty { answer["item"] = .array(nested) }
        return answer
      })
    return values.isEmpty ? nil : json
  }

  /// Returns the answers of a response, also of one that another program sent.
  package static func answers(in response: JSONValue) -> QuestionnaireAnswers {
    var answers: QuestionnaireAnswers = [:]
    collect(response, level: 0, into: &answers)
    return answers
  }

  private static func collect(
    _ value: JSONValue, level: Int, into answers: inout QuestionnaireAnswers
  ) {
    guard level < 2 * Questionnaire.mostLevels else { return }
    for item in value["item"]?.array ?? [] {
      let list = item["answer"]?.array ?? []
      if let link = item["linkId"]?.string {
        let values = list.compactMap { QuestionnaireParts.value($0, "value") }
        if !values.isEmpty { answers[link, default: []] += values }
      }
      collect(item, level: level + 1, into: &answers)
      for answer in list { collect(answer, level: level + 1, into: &answers) }
    }
  }

  /// Returns the canonical address that a response names, without its version.
  package static func questionnaire(of response: JSONValue) -> String? {
    response["questionnaire"]?.string.map { String($0.prefix { $0 != "|" }) }
  }

  /// Returns the score as an Observation that is derived from the response.
  static func observation(
    _ score: Decimal, _ questionnaire: Questionnaire, response: String, of patient: PatientID,
    at now: Timestamp
  ) -> JSONValue {
    [
      "resourceType": "Observation", "status": "final",
      "category": [
        [
          "coding": [
            [
              "system": "http://terminology.hl7.org/CodeSystem/observation-category",
              "code": "survey",
            ]
          ]
        ]
      ],
      "code": [
        "coding": [
          ["system": .string(scoreSystem), "code": .string(code(of: questionnaire.url))]
        ],
        "text": .string(questionnaire.title.base),
      ],
      "subject": ["reference": .string("Patient/\(patient)")],
      "effectiveDateTime": .string(
        FHIRDateTime.instantText(milliseconds: now.milliseconds, offsetMinutes: 0)),
      "valueQuantity": [
        "value": QuestionnaireValue.number(score), "unit": "{score}",
        "system": "http://unitsofmeasure.org", "code": "{score}",
      ],
      "derivedFrom": [["reference": .string("QuestionnaireResponse/\(response)")]],
    ]
  }

  /// The code system of scores; the code is the last part of the questionnaire's address.
  package static let scoreSystem = "urn:regimen:questionnaire-score"

  private static func code(of url: String) -> String {
    url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? url
  }
}
