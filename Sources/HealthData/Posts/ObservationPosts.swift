// SPDX-License-Identifier: Apache-2.0

import FHIR

extension VitalPost {
  /// Reads an Observation, or a Bundle of them.
  mutating func readFHIR(_ body: JSONValue) {
    guard body["resourceType"]?.string == "Bundle" else {
      note("Observation", observation(body))
      patient = Self.subject(body)
      return
    }
    for (index, entry) in (body["entry"]?.array ?? []).enumerated() {
      let place = "entry[\(index)]"
      guard let resource = entry["resource"], resource["resourceType"]?.string == "Observation"
      else {
        note(place, .failure(.kind))
        continue
      }
      if let subject = Self.subject(resource) {
        // If the body contains several people, only the first is accepted.
        if let patient, patient != subject {
          note(place, .failure(.structure))
          continue
        }
        patient = subject
      }
      note(place, observation(resource))
    }
  }

  /// Reads the value of an Observation, or the reason why it is rejected.
  ///
  /// - Parameter body: with one of the LOINC codes 40443-4, 8867-4, 55423-8 or 29463-7.
  package static func observation(
    _ body: JSONValue, now: Int64, zone: @escaping @Sendable (Int64) -> Int32
  ) -> Result<VitalReading, VitalProblem> {
    read(body, now: now, zone: zone)?.items.first?.result ?? .failure(.structure)
  }

  private func observation(_ body: JSONValue) -> Result<VitalReading, VitalProblem> {
    guard body["resourceType"]?.string == "Observation" else { return .failure(.structure) }
    let codes = (body["code"]?["coding"]?.array ?? []).filter {
      $0["system"]?.string == "http://loinc.org"
    }.compactMap { $0["code"]?.string }
    // The general code may be next to a more specific one.
    let kinds = codes.compactMap { Self.codes[$0] }
    let kind = kinds.contains(.restingHeartRate) ? .restingHeartRate : kinds.first
    let quantity = body["valueQuantity"]
    let period = body["effectivePeriod"]
    let status = body["status"]?.string ?? ""
    guard ["final", "amended", "corrected", "preliminary"].contains(status) else {
      return .failure(.structure)
    }
    return reading(
      kind, value: quantity?["value"],
      unit: quantity?["code"]?.string ?? quantity?["unit"]?.string,
      at: body["effectiveDateTime"] ?? body["effectiveInstant"] ?? period?["start"],
      until: period?["end"],
      source: body["device"]?["display"]?.string ?? body["performer"]?[0]?["display"]?.string
        ?? "FHIR")
  }

  private static let codes: [String: VitalKind] = [
    "40443-4": .restingHeartRate, "8867-4": .heartRate, "55423-8": .steps, "29463-7": .weight,
  ]

  /// Returns the id in `Patient/id`.
  static func subject(_ resource: JSONValue) -> String? {
    resource["subject"]?["reference"]?.string.flatMap { reference in
      reference.split(separator: "/").last.map(String.init)
    }
  }
}
