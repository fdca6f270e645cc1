// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Testing
import TestSupport

@Suite struct MutationTests {
  private static let mutator = Mutator(
    fragments: [
      "null", "{}", "[]", "\"\"", "-1", "1e999", "\\ud800", "\"_status\":", "]]]]", "{{{{", ",,",
      "72.10", "\"2026-02-30\"", "\"#x\"", "<script>", "true", "é",
    ], marks: "ae0\":{[")

  @Test(arguments: [1, 2, 3, 4])
  func mutatedDocumentsNeverCrashAndSurviveWriting(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var readable = 0
    for _ in 0..<1_500 {
      guard let (type, text) = Fixtures.valid.randomElement(using: &generator) else { continue }
      let bytes = Self.mutator.mutate(Array(text.utf8), with: &generator)
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      readable += 1
      #expect(try JSONValue(parsing: value.bytes) == value)
      let issues = ResourceValidator.issues(in: value, expecting: type)
      #expect(issues.count <= ResourceValidator.maximumIssues)
      touchEveryView(of: value)
    }
    #expect(readable > 100)
  }

  private func touchEveryView(of value: JSONValue) {
    let request = MedicationRequestView(value)
    _ = (request.medicationName, request.medicationCodes, request.hasUnknownModifier)
    for dosage in request.dosages {
      _ = (dosage.doseQuantity?.value, dosage.asNeededReason, dosage.timing?.period)
      _ = (dosage.timing?.when, dosage.timing?.boundsPeriodEnd, dosage.timing?.hasExtensions)
    }
    let administration = MedicationAdministrationView(value)
    _ = (administration.effective?.epochMilliseconds, administration.medicationName)
    let patient = PatientView(value)
    _ = (patient.displayName, patient.telecom, patient.language, patient.timeZoneIdentifier)
  }
}
