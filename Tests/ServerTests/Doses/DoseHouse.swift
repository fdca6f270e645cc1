// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Web

/// Ann at 07:00, with medicines at 08:00; her browser and a token.
struct DoseHouse: Sendable {
  let harness: ServerHarness
  let account: Account
  let browser: Browser
  let token: HTTPFields
  /// The ids of today's doses, one for each plan in order.
  private(set) var doses: [String] = []

  init(_ harness: ServerHarness, plans: [String]) async throws {
    self.harness = harness
    account = try await harness.makeAccount()
    browser = try await harness.session(of: account)
    token = try await harness.token(of: account)
    for name in plans {
      let plan = try await add(
        name, dosage: ["timing": ["repeat": ["timeOfDay": ["08:00:00", "20:00:00"]]]])
      let listed = try await listed()
      let dose = listed.first { $0["plan"]?.string == plan.text }
      doses.append(try #require(dose?["id"]?.string))
    }
  }

  /// Adds a plan of one tablet and returns its id.
  @discardableResult
  func add(_ name: String, dosage: JSONValue) async throws -> PlanID {
    var dosage = dosage
    dosage["doseAndRate"] = [["doseQuantity": ["value": 1, "unit": "tablet"]]]
    let created = try await harness.send(
      .post, "/fhir/MedicationRequest", token,
      json: [
        "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
        "medicationCodeableConcept": ["text": .string(name)],
        "subject": ["reference": .string("Patient/\(account.patient)")],
        "dosageInstruction": [dosage],
      ])
    #expect(created.status == .created, "\(created.text)")
    return PlanID(try #require(try created.json()["id"]?.string))
  }

  /// Posts an answer from the page; the event is new unless one is given.
  func answer(
    _ index: Int, _ fields: KeyValuePairs<String, String>
  ) async throws -> TestResponse {
    try await browser.post("/doses/\(doses[index])/answers", fields)
  }

  func open(_ index: Int, _ query: String = "") async throws -> TestResponse {
    try await browser.open("/doses/\(doses[index])\(query)")
  }

  func dose(_ index: Int) async throws -> JSONValue {
    try #require(try await listed().first { $0["id"]?.string == doses[index] })
  }

  func states() async throws -> [String] {
    let listed = try await listed()
    return doses.map { id in
      listed.first { $0["id"]?.string == id }?["state"]?.string ?? "none"
    }
  }

  func count(_ sql: StaticString) async throws -> Int64 {
    try await harness.environment.database.read { reader in
      try reader.first(sql, [])?.integer(0) ?? 0
    }
  }

  func listed() async throws -> [JSONValue] {
    let answer = try await harness.send(
      .get, "/api/v1/doses?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z", token)
    return try answer.json()["doses"]?.array ?? []
  }
}
