// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing

@testable import Server

/// A plan of one person, with the addresses and bodies that the access matrix knocks with.
struct MatrixPlan: Sendable {
  static let secretName = "Unmistakablol"

  let account: Account
  let plan: String
  let dose: String
  let administration: String

  /// Makes a plan with one dose in an hour and one entry.
  static func make(_ harness: ServerHarness, of account: Account) async throws -> MatrixPlan {
    let token = try await harness.token(of: account)
    let created = try await harness.send(
      .post, "/fhir/MedicationRequest", token, json: resource(of: account, id: nil))
    #expect(created.status == .created, "\(created.text)")
    let plan = try #require(try created.json()["id"]?.string)
    let listed = try await harness.send(
      .get, "/api/v1/doses?from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z", token)
    let dose = try #require(try listed.json()["doses"]?[0]?["id"]?.string, "\(listed.text)")
    let entry = try await harness.send(
      .post, "/api/v1/administrations", token,
      json: [
        "medicine": .string("\(secretName) free"), "at": "2026-03-01T06:00:00Z", "taken": true,
      ])
    let administration = try #require(try entry.json()["id"]?.string, "\(entry.text)")
    return MatrixPlan(
      account: account, plan: plan, dose: dose, administration: administration)
  }

  static func resource(of account: Account, id: String?) -> JSONValue {
    var resource: JSONValue = [
      "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
      "medicationCodeableConcept": ["text": .string(secretName)],
      "subject": ["reference": .string("Patient/\(account.patient)")],
      "dosageInstruction": [
        [
          "timing": [
            "repeat": [
              "frequency": 1, "period": 1, "periodUnit": "d", "timeOfDay": ["08:00:00"],
            ]
          ],
          "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
        ]
      ],
    ]
    resource["id"] = id.map(JSONValue.string)
    return resource
  }

  /// The route's pattern with this plan's ids in it.
  func address(of route: Route) -> String {
    var path = route.path
    let isAdministration = path.contains("MedicationAdministration")
    let isPatient = path.hasPrefix("/fhir/Patient")
    path = path.replacing(":plan", with: plan).replacing(":dose", with: dose)
      .replacing(":version", with: "1")
      .replacing(":secret", with: "rgi_nonsense")
      .replacing(":administration", with: administration)
      .replacing(
        ":id", with: isPatient ? account.patient : isAdministration ? administration : plan)
    if path == "/api/v1/doses" {
      path += "?patient=\(account.patient)&from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z"
    }
    return path
  }

  func body(of route: Route) -> JSONValue {
    switch route.path {
    case "/fhir/MedicationRequest": Self.resource(of: account, id: nil)
    case "/fhir/MedicationRequest/:id": Self.resource(of: account, id: plan)
    case "/api/v1/administrations":
      [
        "patient": .string(account.patient), "medicine": .string(plan),
        "at": "2026-03-01T05:00:00Z", "taken": true, "confirm": true,
      ]
    default: ["action": "taken", "confirm": true]
    }
  }

  /// Whether the route's address or body names something of the plan's owner.
  func isAboutPlan(_ route: Route) -> Bool {
    route.door == .signedIn
      && (route.path.contains(":") || route.path == "/api/v1/doses"
        || (route.method == .post && route.surface != .page))
  }

  /// Everything of the owner that a stranger might have changed.
  func fingerprint(_ harness: ServerHarness) async throws -> [String] {
    let patient = account.patient
    return try await harness.environment.database.read { reader in
      let versions = try reader.query(
        "SELECT id, version, body FROM resources WHERE patient = $1 ORDER BY type, id",
        [SQLValue(patient)])
      let answers = try reader.query(
        "SELECT answer FROM answers WHERE patient = $1 ORDER BY answer", [SQLValue(patient)])
      return try versions.map { try "\($0.text(0)) \($0.integer(1)) \($0.text(2))" }
        + answers.map { try $0.text(0) }
    }
  }
}
