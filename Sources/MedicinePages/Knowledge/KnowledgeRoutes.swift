// SPDX-License-Identifier: Apache-2.0

import Accounts
import Hummingbird
import Knowledge
import Presentation
import SiteMap
import Web

/// `/knowledge`: general information about illnesses and medicines; no page is about a person.
package enum KnowledgeRoutes {
  static let medicinePattern = "/knowledge/medicines/:medicine"

  /// The overview, the page of a medicine, and the suggestions of its search.
  package static let all: [Route] = [
    .page(.get, Address.knowledge, list),
    .page(.get, medicinePattern, medicine),
    .page(.get, MedicineSuggestions.path, MedicineSuggestions.list),
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
