// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Records
import Storage

/// A questionnaire that can be asked, under the name that addresses use.
package struct ListedQuestionnaire: Sendable, Hashable {
  /// The name of an instrument, or the id of a Questionnaire that was stored over FHIR.
  package let key: String
  /// The questionnaire.
  package let questionnaire: Questionnaire
  /// The FHIR resource.
  package let resource: JSONValue
}

/// The questionnaires that can be asked: the instruments, and the active ones stored over FHIR.
package enum QuestionnaireCatalogue {
  /// The most questionnaires stored over FHIR that are listed.
  package static let mostStored = 200

  /// The instruments that are asked on the pages of questionnaires.
  package static let instruments: [ListedQuestionnaire] = QuestionnaireInstruments.Name.allCases
    .filter(\.isAskedHere)
    .compactMap { name in
      QuestionnaireInstruments.all[name].map {
        ListedQuestionnaire(
          key: name.rawValue, questionnaire: $0,
          resource: QuestionnaireInstruments.resource(name))
      }
    }

  /// Returns all questionnaires that an actor can be asked.
  package static func all(
    for actor: Actor, in reader: any SQLReader
  ) throws -> [ListedQuestionnaire] {
    let decision = decideSharedSearch(actor: actor, resource: "Questionnaire", purpose: .care)
    guard case .allow(let authorization) = decision else { return instruments }
    let known = Set(instruments.map(\.questionnaire.url))
    let page = try SharedRecordStore().search(
      RecordSearch(type: "Questionnaire", statuses: ["active"], count: mostStored),
      authorization: authorization, in: reader)
    let stored = try page.records.compactMap { record -> ListedQuestionnaire? in
      let resource = try record.json()
      guard let questionnaire = QuestionnaireReader.read(resource).questionnaire,
        !known.contains(questionnaire.url)
      else { return nil }
      return ListedQuestionnaire(
        key: record.id, questionnaire: questionnaire, resource: resource)
    }
    return instruments + stored
  }

  /// Returns the questionnaire of a name in an address.
  ///
  /// - Throws: ``QuestionnaireError/notFound``.
  package static func find(
    _ key: String, for actor: Actor, in reader: any SQLReader
  ) throws -> ListedQuestionnaire {
    if let shipped = instruments.first(where: { $0.key == key }) { return shipped }
    guard let stored = try all(for: actor, in: reader).first(where: { $0.key == key }) else {
      throw QuestionnaireError.notFound
    }
    return stored
  }

  /// Returns the questionnaire of a canonical address without a version; nil if there is none.
  package static func find(
    url: String, for actor: Actor, in reader: any SQLReader
  ) throws -> ListedQuestionnaire? {
    if let shipped = instruments.first(where: { $0.questionnaire.url == url }) { return shipped }
    return try all(for: actor, in: reader).first { $0.questionnaire.url == url }
  }
}
