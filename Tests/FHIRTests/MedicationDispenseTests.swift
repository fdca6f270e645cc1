// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct MedicationDispenseTests {
  private static let handedOut = """
    {"resourceType":"MedicationDispense","id":"d-1","contained":[{"resourceType":"Medication",\
    "id":"m","code":{"text":"Bisoprolol"},"batch":{"lotNumber":"A1","expirationDate":"2028-02"}}],\
    "status":"completed","medicationReference":{"reference":"#m"},\
    "subject":{"reference":"Patient/p-1"},"performer":[{"actor":{"display":"Pharmacy"}}],\
    "authorizingPrescription":[{"reference":"MedicationRequest/r-1"}],\
    "quantity":{"value":98,"unit":"tablet"},"daysSupply":{"value":98,"unit":"d"},\
    "whenHandedOver":"2026-03-03T10:00:00+01:00","substitution":{"wasSubstituted":false}}
    """

  @Test func `a dispense is read in full`() throws {
    let value = try JSONValue(parsing: Self.handedOut)
    #expect(ResourceValidator.issues(in: value, expecting: .medicationDispense) == [])
    #expect(value.text == Self.handedOut)
  }

  @Test(arguments: [
    ("\"completed\"", "\"handed-out\"", "MedicationDispense.status"),
    ("\"value\":98,\"unit\":\"tablet\"", "\"value\":\"many\"", "MedicationDispense.quantity.value"),
    ("\"2026-03-03T10:00:00+01:00\"", "\"yesterday\"", "MedicationDispense.whenHandedOver"),
    (
      "\"wasSubstituted\":false", "\"wasSubstituted\":1",
      "MedicationDispense.substitution.wasSubstituted"
    ),
    ("\"Patient/p-1\"", "\"Medication/p-1\"", "MedicationDispense.subject"),
  ])
  func `invalid dispenses are reported with their location`(
    old: String, new: String, expression: String
  ) throws {
    let value = try JSONValue(parsing: Self.handedOut.replacing(old, with: new))
    let issues = ResourceValidator.issues(in: value, expecting: .medicationDispense)
    #expect(issues.contains { $0.expression?.hasPrefix(expression) ?? false }, "\(issues)")
  }
}
