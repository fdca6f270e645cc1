// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import Hummingbird
import Identifiers
import Plans
import Presentation
import Storage
import Web

/// `GET /api/v1/doses`: the doses of a patient in an interval, with their answers.
package enum DosesAPI {
  /// The route that lists doses.
  package static let all: [Route] = [.api(.get, "/api/v1/doses", doses).takingApps()]

  private static func doses(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let window = try QueryWindow(call)
    let authorization = try call.authorize(.read, "Dose", of: patient)
    let environment = call.environment
    let listing = try await environment.database.read { reader in
      try DoseQueries.listing(
        patient: patient, from: window.from, until: window.until, now: call.now,
        zones: environment.zones, in: reader)
    }
    try await environment.audit(
      authorization, count: listing.doses.count, at: call.now)
    let writer = DoseJSON(zone: listing.zone)
    return JSONResponse.make([
      "doses": .array(listing.doses.map(writer.json)),
      "unplanned": .array(
        listing.unplanned.map { plan in
          ["plan": .string(plan.plan.text), "reason": .string(plan.reason.code)]
        }),
    ])
  }
}
