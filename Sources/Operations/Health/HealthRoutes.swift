// SPDX-License-Identifier: Apache-2.0

import FHIR
import Hummingbird
import Presentation
import Storage
import Web

/// The routes `/health`, for supervisors and load balancers, and `/robots.txt`.
package enum HealthRoutes {
  /// The address of the server's own check.
  package static let path = "/health"

  /// The route on the Unix socket, for `regimen health`.
  package static let host: [Route] = [.open(.get, path, as: .api, health)]

  /// The routes, which answer even while the database is damaged.
  package static let all: [Route] = [
    .open(.get, path, as: .api, health).withoutData(),
    .open(.get, "/robots.txt", robots).withoutData(),
  ]

  /// Answers 200 while the database answers and is undamaged, doses are planned, and reminders run
  /// by a trusted clock, else 503; faults that do not prevent reminders are also listed.
  private static func health(_ call: Call) async throws -> Response {
    let faults = call.environment.faultsNow(at: call.now).map { JSONValue.string($0.rawValue) }
    if let outage = await call.environment.outage(at: call.now) {
      var members: [(String, JSONValue)] = [
        ("status", "unavailable"), ("part", .string(outage.part)),
      ]
      if let advice = outage.advice { members.append(("advice", .string(advice))) }
      return JSONResponse.make(body(members, faults), status: .serviceUnavailable)
    }
    return JSONResponse.make(body([("status", "ok")], faults))
  }

  private static func body(
    _ members: [(String, JSONValue)], _ faults: [JSONValue]
  ) -> JSONValue {
    var answer = JSONObject(members)
    if !faults.isEmpty { answer["faults"] = .array(faults) }
    return .object(answer)
  }

  /// Returns a file that asks search engines to index nothing.
  @Sendable private static func robots(_ call: Call) -> Response {
    TextResponse.make("User-agent: *\nDisallow: /\n")
  }
}
