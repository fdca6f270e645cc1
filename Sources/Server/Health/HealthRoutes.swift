// SPDX-License-Identifier: Apache-2.0

import FHIR
import Hummingbird
import Storage

/// `/health` for supervisors and balancers, and the smallest route there is.
package enum HealthRoutes {
  package static let all: [Route] = [
    .open(.get, "/health", as: .api, health),
    .open(.get, "/robots.txt", robots),
  ]

  /// 200 while the database answers, doses are being planned and reminders go round, else 503.
  private static func health(_ call: Call) async throws -> Response {
    do {
      try await call.environment.database.healthCheck()
    } catch {
      return unavailable("database")
    }
    if let part = call.environment.standstill(at: call.now) { return unavailable(part) }
    return JSONResponse.make(["status": "ok"])
  }

  private static func unavailable(_ part: String) -> Response {
    JSONResponse.make(
      ["status": "unavailable", "part": .string(part)], status: .serviceUnavailable)
  }

  /// Nothing here is for search engines.
  @Sendable private static func robots(_ call: Call) -> Response {
    TextResponse.make("User-agent: *\nDisallow: /\n")
  }
}
