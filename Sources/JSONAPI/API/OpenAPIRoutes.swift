// SPDX-License-Identifier: Apache-2.0

import FHIR
import Hummingbird
import Web

/// `/api/v1/openapi.json`: the description of the JSON API.
package enum OpenAPIRoutes {
  /// The route of the document; it needs no sign-in.
  package static let all: [Route] = [
    .open(.get, "/api/v1/openapi.json", as: .api) { _ in
      JSONResponse.make(bytes: document, mediaType: "application/json")
    }
  ]

  private static let document = OpenAPIDescription.json.bytes
}
