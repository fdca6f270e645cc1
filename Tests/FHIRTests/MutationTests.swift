// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

/// A small seeded generator (SplitMix64), so that a failing document can be made again.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct MutationTests {
  private static let fragments: [[UInt8]] =
    [
      "null", "{}", "[]", "\"\"", "-1", "1e999", "\\ud800", "\"_status\":", "]]]]", "{{{{", ",,",
      "72.10",
      "\"2026-02-30\"", "\"#x\"", "<script>", "true", "\u{0}", "é",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

  private static func mutate(_ document: [UInt8], with generator: inout SeededGenerator) -> [UInt8]
  {
    var bytes = document
    for _ in 0...Int.random(in: 0...2, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: place)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 12))
      case 3: bytes.insert(contentsOf: fragments.randomElement(using: &generator) ?? [], at: place)
      case 4:
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
        bytes.insert(contentsOf: bytes[place..<end], at: place)
      default:
        let names = ["a", "e", "0", "\"", ":", "{", "["]
        let wanted = names.randomElement(using: &generator)?.utf8.first ?? 0
        if let other = bytes[place...].firstIndex(of: wanted) { bytes.swapAt(place, other) }
      }
    }
    return bytes
  }

  @Test(arguments: [1, 2, 3, 4])
  func mutatedDocumentsNeverCrashAndSurviveWriting(_ seed: UInt64) throws {
    var generator = SeededGenerator(state: seed)
    var readable = 0
    for _ in 0..<1_500 {
      guard let (type, text) = Fixtures.valid.randomElement(using: &generator) else { continue }
      let bytes = Self.mutate(Array(text.utf8), with: &generator)
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
