// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

/// Pages of a search while other resources are added, changed and deleted.
@Suite struct PagingTests {
  /// Returns a resource with an id and a day in February 2026.
  private func resource(_ type: String, _ id: String, day: String, of person: Person) -> JSONValue {
    guard type == "Observation" else {
      var request = person.request("Testolol \(id)", id: id)
      request["authoredOn"] = .string(day)
      return request
    }
    return [
      "resourceType": "Observation", "id": .string(id), "status": "final",
      "code": ["coding": [["system": "http://loinc.org", "code": "8480-6"]]],
      "subject": ["reference": .string("Patient/\(person.account.patient)")],
      "effectiveDateTime": .string(day),
      "valueQuantity": [
        "value": 120, "unit": "mmHg", "system": "http://unitsofmeasure.org", "code": "mm[Hg]",
      ],
    ]
  }

  @Test(arguments: [
    ("Observation", ""), ("Observation", "&_sort=date"), ("MedicationRequest", ""),
    ("MedicationRequest", "&_sort=-authoredon"),
  ])
  func `what exists throughout comes exactly once`(type: String, order: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      func put(_ resource: JSONValue) async throws {
        let id = try #require(resource["id"]?.string)
        let answer = try await ann.put("/fhir/\(type)/\(id)", resource)
        #expect(answer.status == .created || answer.status == .ok, "\(answer.text)")
      }
      let kept = (1...6).map { "k\($0)" }
      let dropped = (1...3).map { "n\($0)" }
      for (index, id) in (kept + dropped).enumerated() {
        // Some have the same day.
        try await put(resource(type, id, day: "2026-02-0\(1 + index / 2)", of: ann))
      }
      var seen: [String] = []
      var path: String? = "/fhir/\(type)?_count=2\(order)"
      var step = 0
      while let current = path, step < 20 {
        let page = try await ann.get(current).json()
        #expect(page.entries().count <= 2)
        seen += page.entries().map { String($0.dropFirst(type.count + 1)) }
        path = page.nextPath
        step += 1
        guard step <= 3 else { continue }
        for (letter, day) in [("a", "2026-02-28"), ("m", "2026-02-02"), ("z", "2026-01-01")] {
          try await put(resource(type, "\(letter)\(step)", day: day, of: ann))
        }
        let deleted = try await ann.delete("/fhir/\(type)/\(dropped[step - 1])")
        #expect(deleted.status == .noContent, "\(deleted.text)")
        // The first was seen already, the last was not.
        for id in [kept[step - 1], kept[6 - step]] {
          var changed = try await ann.get("/fhir/\(type)/\(id)").json()
          changed["status"] = type == "Observation" ? "amended" : "stopped"
          try await put(changed)
        }
      }
      #expect(path == nil)
      #expect(Set(seen).count == seen.count, "\(seen)")
      #expect(Set(seen).isSuperset(of: kept), "\(seen)")
    }
  }
}
