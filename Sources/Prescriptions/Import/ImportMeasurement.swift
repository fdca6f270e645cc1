// SPDX-License-Identifier: Apache-2.0
import FHIR
import Observations

/// An Observation of a file with a heart rate, a number of steps or a weight.
package struct ImportMeasurement: Sendable, Hashable {
  /// The place of its entry in the file, from 1.
  package let number: Int
  /// The key of the person to whom it belongs.
  package let subject: String
  /// The parts of the resource that state the measurement, as JSON.
  package let content: [UInt8]

  /// The resource, as far as it states the measurement; nil if it cannot be read.
  package var resource: JSONValue? { try? JSONValue(parsing: content) }

  /// Returns true if a resource has the LOINC code of a measurement that is kept here.
  static func isMeasurement(_ resource: JSONValue) -> Bool {
    (resource["code"]?["coding"]?.array ?? []).contains { coding in
      coding["system"]?.string == "http://loinc.org"
        && coding["code"]?.string.map { VitalMetric.of(code: $0) != nil } ?? false
    }
  }

  /// Returns the elements that state a measurement, because a file may hold years of them.
  static func essentials(of resource: JSONValue) -> JSONValue {
    var kept: JSONValue = ["resourceType": "Observation"]
    for element in elements { kept[element] = resource[element] }
    return kept
  }

  private static let elements = [
    "status", "code", "subject", "contained", "effectiveDateTime", "effectiveInstant",
    "effectivePeriod", "valueQuantity", "device", "performer",
  ]
}

extension ImportReport {
  /// Adds the measurements of a file that were stored, and those that were not.
  package mutating func add(_ counts: VitalCounts, problems found: [ImportProblem]) {
    measurements.add(counts)
    add(problems: found)
  }
}
