// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@testable import FHIRAPI

@Suite struct ReferenceReadingTests {
  private static let base = "https://example.org/fhir"

  @Test(arguments: [
    ("Patient/1", "Patient", "1"), ("https://example.org/fhir/Patient/1", "Patient", "1"),
    ("Condition/a/_history/2", "Condition", "a"),
  ])
  func `references to this server are read`(text: String, type: String, id: String) throws {
    let key = try #require(ReferenceReading.key(of: text, base: Self.base))
    #expect(key.type.rawValue == type)
    #expect(key.id == id)
  }

  @Test(arguments: [
    "", "#contained", "Patient", "Patient/", "Nothing/1", "Patient/1/2", "urn:uuid:1",
    "https://other.example/fhir/Patient/1", "Patient/a b", "Patient/1/_history",
  ])
  func `others are not`(text: String) {
    #expect(ReferenceReading.key(of: text, base: Self.base) == nil)
  }

  @Test func `each target is found once, at any depth`() {
    let resource: JSONValue = [
      "subject": ["reference": "Patient/1"],
      "note": [["authorReference": ["reference": "Practitioner/2"]]],
      "performer": [["actor": ["reference": "Patient/1"]]],
    ]
    let keys = ReferenceReading.targets(in: resource, base: Self.base)
    #expect(keys.map { "\($0.type.rawValue)/\($0.id)" } == ["Patient/1", "Practitioner/2"])
  }

  @Test func `references are replaced, other texts are not`() {
    let resource: JSONValue = [
      "subject": ["reference": "Patient/1", "display": "Patient/1"],
      "basedOn": [["reference": "Patient/2"]],
    ]
    let replaced = ReferenceReading.replacing(in: resource) { $0 == "Patient/1" ? "urn:x" : nil }
    #expect(
      replaced == [
        "subject": ["reference": "urn:x", "display": "Patient/1"],
        "basedOn": [["reference": "Patient/2"]],
      ])
  }

  @Test func `identities are stable and well formed`() {
    let urn = DocumentIdentity.urn(["a", "b"])
    #expect(urn == DocumentIdentity.urn(["a", "b"]))
    #expect(urn != DocumentIdentity.urn(["ab"]))
    #expect(
      urn.wholeMatch(
        of: /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
  }
}
