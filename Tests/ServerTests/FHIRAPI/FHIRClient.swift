// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing

/// Requests of tests that write over the FHIR API.
extension Person {
  func delete(_ address: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
    try await harness.send(.delete, address, token.with(headers))
  }

  func patch(
    _ address: String, _ operations: JSONValue, _ headers: HTTPFields = [:],
    as type: String = "application/json-patch+json"
  ) async throws -> TestResponse {
    try await harness.send(
      .patch, address, token.with([.contentType: type]).with(headers), json: operations)
  }

  /// Posts a Bundle.
  func bundle(
    _ type: JSONValue, _ entries: [JSONValue], _ headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    try await post(
      "/fhir", ["resourceType": "Bundle", "type": type, "entry": .array(entries)], headers)
  }

  /// Returns a Condition of this person.
  func condition(_ text: String, id: String? = nil, identifier: String? = nil) -> JSONValue {
    var resource: JSONValue = [
      "resourceType": "Condition", "code": ["text": .string(text)],
      "subject": ["reference": .string("Patient/\(account.patient)")],
    ]
    resource["id"] = id.map(JSONValue.string)
    resource["identifier"] = identifier.map {
      [["system": "urn:clinic", "value": .string($0)]]
    }
    return resource
  }

  /// Returns the same person with a token for the whole system.
  func asSystem() async throws -> Person {
    Person(
      harness: harness, account: account,
      token: try await harness.token(of: account, scope: .system))
  }

  /// Returns the number of resources that a search finds.
  func count(_ address: String) async throws -> Int {
    let answer = try await get(address)
    #expect(answer.status == .ok, "\(answer.text)")
    return try #require(try answer.json()["total"]?.number?.integer)
  }
}

/// An entry of a Bundle.
enum BundleEntryForm {
  static func entry(
    _ method: String, _ url: String, _ resource: JSONValue? = nil, fullURL: String? = nil,
    when conditions: [(String, JSONValue)] = []
  ) -> JSONValue {
    var request: JSONValue = ["method": .string(method), "url": .string(url)]
    for (name, value) in conditions { request[name] = value }
    var entry: JSONValue = ["request": request]
    entry["fullUrl"] = fullURL.map(JSONValue.string)
    entry["resource"] = resource
    return entry
  }
}
