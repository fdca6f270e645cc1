// SPDX-License-Identifier: Apache-2.0

import Accounts
import Hummingbird
import Knowledge
import Localization

/// `/knowledge`: what to know about illnesses and medicines; nothing in it is about a person.
package enum KnowledgeRoutes {
  package static let path = "/knowledge"
  static let topicPattern = "/knowledge/topics/:topic"
  static let medicinePattern = "/knowledge/medicines/:medicine"

  package static let all: [Route] = [
    .page(.get, path, list),
    .page(.get, topicPattern, topic),
    .page(.get, medicinePattern, medicine),
    .page(.get, MedicineSuggestions.path, MedicineSuggestions.list),
    .page(.get, DoseTablesPage.path, DoseTablesPage.list),
    .page(.post, "\(DoseTablesPage.path)/:table", DoseTablesPage.decide)
      .after(.recent, from: DoseTablesPage.path),
  ]

  /// The address of a topic's page.
  static func address(_ topic: Topic) -> String { "/knowledge/topics/\(topic.id)" }

  /// The address of a medicine's page.
  static func address(_ medicine: CatalogueMedicine) -> String {
    "/knowledge/medicines/\(medicine.id)"
  }

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    KnowledgePage(handbook: .shipped, query: call.queryValue("q") ?? "").response(call)
  }

  private static func topic(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let handbook = Handbook.shipped
    guard let topic = handbook.topic(try call.parameter("topic")) else { throw Failure.notFound }
    let children = topic.audience == .children ? try await ChildListPage.children(call) : []
    return TopicPage(handbook: handbook, topic: topic, region: call.region, children: children)
      .response(call)
  }

  private static func medicine(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let handbook = Handbook.shipped
    guard let medicine = handbook.medicine(try call.parameter("medicine")) else {
      throw Failure.notFound
    }
    return KnownMedicinePage(
      handbook: handbook, medicine: medicine, list: call.environment.interactions.list
    ).response(call)
  }
}

extension Call {
  /// Whose rules to show: those chosen on this device, else those that go with the language.
  var region: Region { knownRegion ?? .uk }

  /// The same where it is known; many countries share the other languages, and none may read another's numbers.
  var knownRegion: Region? {
    cookie(Preferences.regionCookie).flatMap(Region.init(rawValue:))
      ?? (language == .th ? .th : nil)
  }
}
