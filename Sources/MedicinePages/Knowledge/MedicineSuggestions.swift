// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Hummingbird
import Knowledge
import Localization
import Web

/// The first results of the medicine search, as JSON for the script that shows them while someone
/// types.
package enum MedicineSuggestions {
  static let path = "/knowledge/search.json"
  private static let most = 8

  @Sendable static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let query = String((call.queryValue("q") ?? "").prefix(100))
    let language = call.language
    let hits = Handbook.shipped.search(query, limit: most)
    return JSONResponse.make([
      "medicines": .array(
        hits.map { hit in
          var line: JSONValue = [
            "name": .string(hit.medicine.title(language)),
            "address": .string(KnowledgeRoutes.address(hit.medicine)),
          ]
          if hit.name != hit.medicine.name { line["found"] = .string(hit.name) }
          return line
        })
    ])
  }
}
