// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct EntryReferencesTests {
  static let references: EntryReferences = {
    var references = EntryReferences()
    references.add(
      number: 1, fullURL: "urn:uuid:8f821044-aaf0-4026-a3ca-2ed91c11c0dd", type: "Patient", id: nil)
    references.add(number: 2, fullURL: "https://a/fhir/Patient/p", type: "Patient", id: "p")
    references.add(number: 3, fullURL: "https://b/fhir/Patient/p", type: "Patient", id: "p")
    references.add(number: 4, fullURL: nil, type: "Medication", id: "m")
    return references
  }()

  static let cases: [(String, String?, EntryReferences.Target)] = [
    ("urn:uuid:8f821044-aaf0-4026-a3ca-2ed91c11c0dd", nil, .entry(1)),
    ("urn:uuid:00000000-aaf0-4026-a3ca-2ed91c11c0dd", nil, .broken),
    ("https://b/fhir/Patient/p", nil, .entry(3)),
    ("https://b/fhir/Patient/p/_history/3", nil, .entry(3)),
    ("Patient/p", "https://b/fhir/MedicationRequest/1", .entry(3)),
    ("Patient/p", "https://a/fhir/MedicationRequest/1/_history/2", .entry(2)),
    ("Patient/p", nil, .entry(2)),
    ("Medication/m", "https://a/fhir/MedicationRequest/1", .entry(4)),
    ("Medication/x", "https://a/fhir/MedicationRequest/1", .outside("https://a/fhir/Medication/x")),
    ("Medication/x", nil, .outside("Medication/x")),
    ("https://c/fhir/Patient/9", nil, .outside("https://c/fhir/Patient/9")),
    ("#med", nil, .contained("med")),
    ("#", nil, .contained("")),
    ("not a reference", nil, .broken),
    ("", nil, .broken),
  ]

  @Test(arguments: cases)
  func `references resolve as FHIR defines`(
    reference: String, fullURL: String?, target: EntryReferences.Target
  ) {
    #expect(Self.references.target(of: reference, in: fullURL) == target)
  }

  @Test func `a second entry with the same URL is reported`() {
    var references = EntryReferences()
    let first = references.add(number: 1, fullURL: "urn:uuid:1", type: "Patient", id: nil)
    let second = references.add(number: 2, fullURL: "urn:uuid:1", type: "Patient", id: nil)
    #expect(first)
    #expect(!second)
  }
}
