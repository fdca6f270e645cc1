// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import Identifiers
import Records
import Storage

/// Answers that were sent, with their score.
package struct AnsweredForm: Sendable, Hashable {
  /// The id of the QuestionnaireResponse.
  package let response: String
  /// The version of the response.
  package let version: Int64
  /// The time at which the answers were given; the time of the version if the response states none.
  package let authored: Timestamp
  /// True for answers that were corrected.
  package let isAmended: Bool
  /// The answers.
  package let answers: QuestionnaireAnswers
  /// The score; nil for none.
  package let score: Decimal?
}

/// Reads drafts and answers.
package enum QuestionnaireQueries {
  /// The most answers of a questionnaire that are shown.
  package static let most = 500

  /// Returns what was typed and not sent yet; nil for no draft. The caller decides access.
  package static func draft(
    of questionnaire: Questionnaire, patient: PatientID, in reader: any SQLReader
  ) throws -> QuestionnaireInput? {
    guard
      let text = try QuestionnaireRows.draft(
        of: questionnaire.url, patient: patient, in: reader),
      let value = try? JSONValue(parsing: Array(text.utf8))
    else { return nil }
    var texts: [String: [String]] = [:]
    for item in questionnaire.allItems {
      texts[item.link] = value[item.link]?.array?.compactMap(\.string)
    }
    return QuestionnaireInput(texts)
  }

  /// Returns the answers to a questionnaire, the latest first.
  ///
  /// - Parameter authorization: A search of one patient's QuestionnaireResponses.
  package static func history(
    of questionnaire: Questionnaire, _ authorization: SearchAuthorization,
    in reader: any SQLReader
  ) throws -> [AnsweredForm] {
    let search = RecordSearch(
      type: .questionnaireResponse,
      sort: [SearchSort(parameter: "authored", isDescending: true)], count: most,
      wantsTotal: false)
    let records = try RecordStore().search(search, authorization: authorization, in: reader)
      .records
    return try records.compactMap { record -> AnsweredForm? in
      let resource = try record.json()
      guard QuestionnaireResponses.questionnaire(of: resource) == questionnaire.url else {
        return nil
      }
      return form(record, resource, questionnaire)
    }.sorted { $0.authored > $1.authored }
  }

  /// Returns one response with its resource.
  ///
  /// - Throws: ``QuestionnaireError/notFound`` for a response of another person or questionnaire.
  package static func response(
    _ id: String, of questionnaire: Questionnaire, _ authorization: Authorization,
    in reader: any SQLReader
  ) throws -> AnsweredForm {
    let store = RecordStore()
    let type = QuestionnaireCommands.resource
    guard try store.patient(of: type, id: id, in: reader) == authorization.patient else {
      throw QuestionnaireError.notFound
    }
    let record = try store.read(type, id, authorization: authorization, in: reader)
    let resource = try record.json()
    guard QuestionnaireResponses.questionnaire(of: resource) == questionnaire.url else {
      throw QuestionnaireError.notFound
    }
    return form(record, resource, questionnaire)
  }

  private static func form(
    _ record: StoredRecord, _ resource: JSONValue, _ questionnaire: Questionnaire
  ) -> AnsweredForm {
    let answers = QuestionnaireEvaluator.counting(
      questionnaire, QuestionnaireResponses.answers(in: resource))
    let authored = resource["authored"]?.string.flatMap { FHIRDateTime($0) }
    return AnsweredForm(
      response: record.id, version: record.version,
      authored: authored.map { Timestamp(milliseconds: $0.lowerMilliseconds) }
        ?? record.lastUpdated,
      isAmended: resource["status"]?.string == "amended", answers: answers,
      score: questionnaire.score?.value(of: questionnaire, answers))
  }
}
