// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import FHIR
import Hummingbird
import Storage

/// `GET /api/v1/doses`.
package enum DosesAPI {
  package static let all: [Route] = [.api(.get, "/api/v1/doses", doses)]

  /// The longest window, in milliseconds: 400 days.
  private static let longestWindow: Int64 = 400 * 24 * 3_600_000

  private static func doses(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(named: call.queryValue("patient"), signedIn)
    let from = try instant("from", call)
    let until = try instant("to", call)
    guard from <= until else {
      throw Failure.unprocessable("value", "to must not lie before from.")
    }
    guard until.milliseconds - from.milliseconds <= longestWindow else {
      throw Failure.unprocessable("too-costly", "from and to may be at most 400 days apart.")
    }
    let authorization = try call.authorize(.read, "Dose", of: patient)
    let environment = call.environment
    let listing = try await environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return try DoseQueries.listing(
        patient: patient, from: from, until: until, now: call.now, zones: environment.zones,
        in: reader)
    }
    try await environment.audit(
      authorization, count: listing.doses.count, at: call.now)
    let writer = DoseJSON(zone: listing.zone)
    return JSONResponse.make([
      "doses": .array(listing.doses.map(writer.json)),
      "unplanned": .array(
        listing.unplanned.map { plan in
          ["plan": .string(plan.plan), "reason": .string(plan.reason.code)]
        }),
    ])
  }

  private static func instant(_ name: String, _ call: Call) throws -> Timestamp {
    guard let text = call.queryValue(name), let instant = InstantText.parse(text) else {
      throw Failure.unprocessable(
        "required", "\(name) must be an instant with offset, such as 2026-03-01T00:00:00+01:00.")
    }
    return instant
  }
}
