// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import Hummingbird
import Plans
import Storage
import Web

/// The number on the icon of the installed app: the doses that wait for an answer, of everyone for
/// whom the account acts.
package enum BadgeRoutes {
  static let path = "/device/badge"

  /// The route that the service worker requests.
  package static let all: [Route] = [.page(.get, path, badge)]

  private static func badge(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let environment = call.environment
    let now = call.now
    let permissions = try call.people.filter(\.mayAct).map { person in
      (person.patient, try call.authorize(.read, "Dose", of: person.patient))
    }
    let counts = try await environment.database.read { reader in
      try permissions.map { patient, _ in
        let day = try DoseQueries.today(
          patient: patient, limits: TodayLimits(others: 1), now: now, zones: environment.zones,
          in: reader)
        return day.doses.count { $0.state == .due } + (day.unread[.due] ?? 0)
      }
    }
    for ((_, authorization), count) in zip(permissions, counts) {
      try await environment.audit(authorization, count: count, at: now)
    }
    return JSONResponse.make(["open": .number(JSONNumber(counts.reduce(0, +)))])
  }
}
