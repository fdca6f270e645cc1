// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Storage
import Web

/// `GET /api/v1/as-needed`: the medicines taken as needed, with the time of the next allowed dose and the
/// amount left.
package enum AsNeededAPI {
  /// The route that lists medicines taken as needed.
  package static let all: [Route] = [.api(.get, "/api/v1/as-needed", medicines)]

  private static func medicines(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
    // The answer also contains intakes.
    _ = try call.authorize(.read, "Dose", of: patient)
    let (zones, now) = (call.environment.zones, call.now)
    let (medicines, zone) = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return (
        try AsNeededQueries.all(patient: patient, now: now, zones: zones, in: reader),
        try PeopleQueries.zone(patient, zones: zones, in: reader)
      )
    }
    try await call.environment.audit(authorization, count: medicines.count, at: now)
    let writer = DoseJSON(zone: zone)
    return JSONResponse.make([
      "medicines": .array(medicines.map { json($0, writer, now: now) })
    ])
  }

  private static func json(
    _ medicine: AsNeededMedicine, _ writer: DoseJSON, now: Timestamp
  ) -> JSONValue {
    var json: JSONValue = [
      "plan": .string(medicine.plan.text), "medicine": .string(medicine.medicineName),
      "allowed": .bool(medicine.isAllowed(at: now)), "last": .bool(medicine.isLast),
      "daysUsed": .number(JSONNumber(medicine.daysUsed)),
    ]
    // Without `next`, a single dose exceeds a limit; without `left`, nothing can be counted.
    if let next = medicine.next { json["next"] = .string(writer.text(next)) }
    if let left = medicine.left { json["left"] = .number(JSONNumber(left)) }
    if let taken = medicine.last { json["taken"] = .string(writer.text(taken.taken)) }
    if let purpose = medicine.purpose { json["purpose"] = .string(purpose) }
    return json
  }
}

/// The operation in the OpenAPI document.
enum OpenAPIAsNeeded {
  private typealias Parts = OpenAPIDescription

  static let list: JSONValue = [
    "operationId": "asNeeded",
    "summary":
      "As-needed medicines: when the next dose is allowed, and how many are left.",
    "parameters": [Parts.patient],
    "responses": [
      "200": Parts.response("The medicines, by name.", "AsNeededList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]
}

extension OpenAPISchemas {
  static let ofAsNeeded: [(String, JSONValue)] = [
    (
      "AsNeededList",
      object([
        "medicines": list(
          object(
            [
              "plan": text, "medicine": text, "purpose": text, "allowed": flag, "last": flag,
              "next": instant, "left": ["type": "integer"], "taken": instant,
              "daysUsed": ["type": "integer"],
            ], optional: ["purpose", "next", "left", "taken"]))
      ])
    )
  ]
}
