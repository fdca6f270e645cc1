// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Testing
import TestSupport

extension MatrixPlan {
  /// Adds a pharmacy's dispense for the owner.
  static func dispensed(_ account: Account, id: String?) -> JSONValue {
    var resource: JSONValue = [
      "resourceType": "MedicationDispense", "status": "completed",
      "identifier": [["system": "urn:example:matrix", "value": "handed out"]],
      "medicationCodeableConcept": ["text": .string(secretName)],
      "subject": ["reference": .string("Patient/\(account.patient)")],
      "quantity": ["value": 30, "unit": "tablet"], "whenHandedOver": "2026-02-28",
    ]
    resource["id"] = id.map(JSONValue.string)
    return resource
  }

  static func dispense(_ harness: ServerHarness, of account: Account) async throws -> String {
    let sent = try await harness.send(
      .post, "/fhir/MedicationDispense", harness.token(of: account),
      json: dispensed(account, id: nil))
    return try #require(try sent.json()["id"]?.string, "\(sent.text)")
  }
}
