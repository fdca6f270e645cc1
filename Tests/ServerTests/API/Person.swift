// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

/// Someone with an account and a token, and their requests to the APIs.
struct Person: Sendable {
  let harness: ServerHarness
  let account: Account
  let token: HTTPFields

  /// The day of the harness's clock, which starts at 07:00 UTC.
  static let today = "from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z"

  static func make(_ harness: ServerHarness, _ name: String = "Ann") async throws -> Person {
    let account = try await harness.makeAccount(name)
    return Person(
      harness: harness, account: account, token: try await harness.token(of: account))
  }

  func get(_ address: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
    try await harness.send(.get, address, token.with(headers))
  }

  func post(
    _ address: String, _ body: JSONValue, _ headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    try await harness.send(.post, address, token.with(headers), json: body)
  }

  func put(
    _ address: String, _ body: JSONValue, _ headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    try await harness.send(.put, address, token.with(headers), json: body)
  }

  /// Returns a MedicationRequest of this person with one dosage.
  func request(
    _ name: String = "Testolol", timing: JSONValue? = Person.timing("08:00:00"),
    id: String? = nil, amount: JSONValue = 1
  ) -> JSONValue {
    var dosage: JSONValue = [
      "doseAndRate": [["doseQuantity": ["value": amount, "unit": "tablet"]]]
    ]
    dosage["timing"] = timing
    var resource: JSONValue = [
      "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
      "medicationCodeableConcept": ["text": .string(name)],
      "subject": ["reference": .string("Patient/\(account.patient)")],
      "dosageInstruction": [dosage],
    ]
    resource["id"] = id.map(JSONValue.string)
    return resource
  }

  /// Returns a timing: every day at the given times.
  static func timing(_ times: JSONValue...) -> JSONValue {
    [
      "repeat": [
        "frequency": .number(JSONNumber(times.count)), "period": 1, "periodUnit": "d",
        "timeOfDay": .array(times),
      ]
    ]
  }

  /// Posts a plan and returns its id.
  func plan(
    _ name: String = "Testolol", timing: JSONValue = Person.timing("08:00:00")
  ) async throws -> PlanID {
    let answer = try await post("/fhir/MedicationRequest", request(name, timing: timing))
    #expect(answer.status == .created, "\(answer.text)")
    return PlanID(try #require(try answer.json()["id"]?.string))
  }

  func doses(_ window: String = Person.today) async throws -> [JSONValue] {
    let answer = try await get("/api/v1/doses?\(window)")
    #expect(answer.status == .ok, "\(answer.text)")
    return try #require(try answer.json()["doses"]?.array)
  }

  /// The id of today's first dose of a plan.
  func dose(of plan: PlanID) async throws -> String {
    let dose = try await doses().first { $0["plan"]?.string == plan.text }
    return try #require(dose?["id"]?.string)
  }

  /// Creates a plan and returns its first dose of today, by default at 08:00 UTC.
  func newDose(
    _ name: String = "Testolol", timing: JSONValue = Person.timing("08:00:00")
  ) async throws -> String {
    try await dose(of: plan(name, timing: timing))
  }

  func answer(
    _ dose: String, _ body: JSONValue, _ headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    try await post("/api/v1/doses/\(dose)/answers", body, headers)
  }
}

extension JSONValue {
  /// Returns a number exactly as written.
  static func decimal(_ text: String) -> JSONValue {
    JSONNumber(text: text).map(JSONValue.number) ?? .null
  }
}

extension HTTPFields {
  func with(_ others: HTTPFields) -> HTTPFields {
    var all = self
    for field in others { all[field.name] = field.value }
    return all
  }
}

extension TestResponse {
  /// The media type without parameters.
  var mediaType: String {
    String((headers[.contentType] ?? "").prefix { $0 != ";" })
  }

  /// Checks that this is a problem document with a status and a code.
  func expectProblem(
    _ status: HTTPResponse.Status, _ code: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
    #expect(mediaType == "application/problem+json", sourceLocation: sourceLocation)
    let problem = try json()
    #expect(problem["status"]?.number?.integer == status.code, sourceLocation: sourceLocation)
    #expect(problem["detail"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
    if let code { #expect(problem["code"]?.string == code, sourceLocation: sourceLocation) }
  }

  /// Checks that this is an OperationOutcome with a status and the place of the fault.
  func expectOutcome(
    _ status: HTTPResponse.Status, _ code: String? = nil, at expression: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
    #expect(mediaType == "application/fhir+json", sourceLocation: sourceLocation)
    let outcome = try json()
    #expect(outcome["resourceType"]?.string == "OperationOutcome", sourceLocation: sourceLocation)
    let issues = outcome["issue"]?.array ?? []
    #expect(!issues.isEmpty, sourceLocation: sourceLocation)
    #expect(
      issues.allSatisfy { FHIRIssueCode(rawValue: $0["code"]?.string ?? "") != nil },
      sourceLocation: sourceLocation)
    if let code {
      #expect(
        issues.contains { $0["code"]?.string == code }, "\(text)", sourceLocation: sourceLocation)
    }
    if let expression {
      let places = issues.compactMap { $0["expression"]?[0]?.string }
      #expect(places.contains(expression), "\(places)", sourceLocation: sourceLocation)
    }
  }
}
