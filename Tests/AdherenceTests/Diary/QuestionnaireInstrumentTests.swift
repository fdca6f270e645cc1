// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Localization
import Storage
import Testing

@testable import Diary
@testable import HeartRate

/// The questionnaires that come with the program.
@Suite struct QuestionnaireInstrumentTests {
  @Test(arguments: QuestionnaireInstruments.Name.allCases)
  func `every instrument can be asked in every language`(
    name: QuestionnaireInstruments.Name
  ) throws {
    let read = QuestionnaireReader.read(QuestionnaireInstruments.resource(name))
    #expect(read.findings == [])
    let form = try #require(read.questionnaire)
    #expect(form.url == name.url)
    for item in form.allItems {
      let texts = Language.allCases.map { item.text.text(in: $0) }
      #expect(Set(texts).count == texts.count, "\(item.link): \(texts)")
    }
  }

  @Test func `the weekly questions are the ones whose answers are stored`() throws {
    #expect(
      QuestionnaireInstruments.symptoms == SymptomQuestion.allCases.map(\.rawValue))
    #expect(
      QuestionnaireInstruments.Name.heartWeekly.url == SymptomWeeks.questionnaire)
    let form = try #require(QuestionnaireInstruments.all[.heartWeekly])
    for item in form.allItems {
      guard case .scale(let range, let low, let high) = item.kind else {
        Issue.record("\(item.link) is no scale")
        continue
      }
      #expect(range == SymptomQuestion.grades)
      #expect(low != nil && high != nil)
    }
    // A response as it is stored is read, and has a score.
    let stored: JSONValue = [
      "resourceType": "QuestionnaireResponse",
      "questionnaire": .string(SymptomWeeks.questionnaire), "status": "completed",
      "item": .array(
        SymptomQuestion.allCases.map {
          ["linkId": .string($0.rawValue), "answer": [["valueInteger": 2]]]
        }),
    ]
    let answers = QuestionnaireResponses.answers(in: stored)
    #expect(QuestionnaireInput(answers).read(form).mistakes == [:])
    #expect(form.score?.value(of: form, answers) == 12)
  }

  @Test func `reasons are asked only after doses were left out on purpose`() throws {
    let form = try #require(QuestionnaireInstruments.all[.adherence])
    func asked(_ texts: [String: [String]]) -> Set<String> {
      QuestionnaireEvaluator.asked(form, QuestionnaireInput(texts).read(form).answers)
    }
    #expect(!asked([:]).contains("reasons"))
    #expect(!asked(["skipped": ["never"]]).contains("reasons"))
    #expect(asked(["skipped": ["often"]]).contains("reasons"))
    #expect(!asked(["skipped": ["often"], "reasons": ["cost"]]).contains("other"))
    #expect(asked(["skipped": ["often"], "reasons": ["cost", "other"]]).contains("other"))
  }

  @Test func `a response keeps the answers and is valid FHIR`() throws {
    let form = try #require(QuestionnaireInstruments.all[.adherence])
    let input = QuestionnaireInput([
      "forgot": ["rarely"], "skipped": ["often"], "reasons": ["cost", "other"],
      "other": ["It tastes bad"],
    ])
    let read = input.read(form)
    #expect(read.mistakes == [:])
    let response = QuestionnaireResponses.resource(
      form, read.answers, of: PatientID("ann"), in: .de,
      at: Timestamp(milliseconds: 1_772_348_400_000), isAmended: false)
    #expect(
      ResourceValidator.issues(in: response, expecting: .questionnaireResponse)
        .filter { $0.severity == .error } == [])
    let again = QuestionnaireResponses.answers(in: response)
    #expect(again.mapValues { $0.map(\.text) } == read.answers.mapValues { $0.map(\.text) })
    #expect(QuestionnaireResponses.questionnaire(of: response) == form.url)
    let observation = QuestionnaireResponses.observation(
      75, form, response: "r", of: PatientID("ann"), at: Timestamp(milliseconds: 0))
    #expect(
      ResourceValidator.issues(in: observation, expecting: .observation)
        .filter { $0.severity == .error } == [])
  }
}
