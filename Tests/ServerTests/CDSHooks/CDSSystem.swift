// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Encodings
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing

@testable import Operations
@testable import Web

/// A hospital's system that asks for decision support in tests.
struct CDSSystem: Sendable {
  let harness: ServerHarness
  let key = P384.Signing.PrivateKey()

  static let issuer = "https://ehr.example.org"

  /// Adds a system with the rights of an account.
  static func make(
    _ harness: ServerHarness, for account: Account, reachesEveryPatient: Bool = false
  ) async throws -> CDSSystem {
    let system = CDSSystem(harness: harness)
    let line = try await Administration(environment: harness.environment).perform(
      .cds(
        .add(
          issuer: issuer, keys: system.keySet, email: account.email,
          reachesEveryPatient: reachesEveryPatient)))
    #expect(line == issuer)
    return system
  }

  var keySet: JSONValue {
    let bytes = Array(key.publicKey.x963Representation)
    return [
      "keys": [
        [
          "kty": "EC", "crv": "P-384", "kid": "k1",
          "x": .string(Base64URL.encode(Array(bytes[1..<49]))),
          "y": .string(Base64URL.encode(Array(bytes[49...]))),
        ]
      ]
    ]
  }

  /// Returns a signed token for a path of this server.
  func token(for path: String, id: String? = nil) throws -> String {
    let seconds = harness.clock.now.milliseconds / 1000
    let header: JSONValue = ["alg": "ES384", "typ": "JWT", "kid": "k1"]
    let claims: JSONValue = [
      "iss": .string(Self.issuer), "aud": .string(harness.environment.baseURL + path),
      "iat": .number(JSONNumber(seconds)), "exp": .number(JSONNumber(seconds + 300)),
      "jti": .string(id ?? harness.environment.newIdentifier()),
    ]
    let parts = [header, claims].map { Base64URL.encode($0.bytes) }
    let signed = Array(parts.joined(separator: ".").utf8)
    let signature = Array(try key.signature(for: signed).rawRepresentation)
    return (parts + [Base64URL.encode(signature)]).joined(separator: ".")
  }

  /// Calls an address with a fresh token.
  func post(_ path: String, _ body: JSONValue) async throws -> TestResponse {
    let signed = try token(for: path)
    return try await harness.send(.post, path, [.authorization: "Bearer \(signed)"], json: body)
  }

  /// Returns the body of a call about a patient, with draft orders if there are any.
  static func body(
    _ hook: String, _ patient: String, orders: [JSONValue]? = nil, selections: [String]? = nil,
    prefetch: JSONValue? = nil
  ) -> JSONValue {
    var context: JSONValue = [
      "userId": "Practitioner/p1", "patientId": .string(patient),
    ]
    context["draftOrders"] = orders.map { orders -> JSONValue in
      [
        "resourceType": "Bundle", "type": "collection",
        "entry": .array(orders.map { ["resource": $0] }),
      ]
    }
    context["selections"] = selections.map { JSONValue.array($0.map(JSONValue.string)) }
    var body: JSONValue = [
      "hook": .string(hook), "hookInstance": "D1577C69-DFBE-44AD-BA6D-3E05E953B2EA",
      "context": context, "fhirServer": "https://ehr.example.org/fhir",
      "fhirAuthorization": ["access_token": "secret"],
    ]
    body["prefetch"] = prefetch
    return body
  }

  /// Returns a draft order of one tablet a day.
  static func order(_ name: String, id: String? = nil, amount: JSONValue = 1) -> JSONValue {
    var order: JSONValue = [
      "resourceType": "MedicationRequest", "status": "draft", "intent": "order",
      "medicationCodeableConcept": ["text": .string(name)],
      "subject": ["reference": "Patient/p"],
      "dosageInstruction": [
        [
          "timing": ["repeat": ["frequency": 1, "period": 1, "periodUnit": "d"]],
          "doseAndRate": [["doseQuantity": ["value": amount, "unit": "tablet"]]],
        ]
      ],
    ]
    order["id"] = id.map(JSONValue.string)
    return order
  }
}

extension TestResponse {
  /// Returns the cards of an answer that succeeded.
  func cards(sourceLocation: SourceLocation = #_sourceLocation) throws -> [JSONValue] {
    #expect(status == .ok, "\(text)", sourceLocation: sourceLocation)
    return try #require(try json()["cards"]?.array, sourceLocation: sourceLocation)
  }
}

extension JSONValue {
  /// The summary of a card.
  var summary: String { self["summary"]?.string ?? "" }
}
