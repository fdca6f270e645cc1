// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

/// A dispense of a hospital's pharmacy, converted to R4.
enum HospitalDispense {
  /// The age beyond which a dispense does not count for the supply at home, in milliseconds: 100 days.
  private static let reach: Int64 = 100 * 86_400_000

  /// Returns recent dispenses by id, and those without a time.
  static func recent(
    _ dispenses: [String: JSONValue], now: Timestamp, _ version: HospitalVersion
  ) -> [String: JSONValue] {
    dispenses.compactMapValues { dispense in
      let text = dispense["whenHandedOver"]?.string ?? dispense["whenPrepared"]?.string
      if let time = text.flatMap({ FHIRDateTime($0) }), isLongOver(time, now) { return nil }
      return version == .dstu2 ? r4(dispense) : dispense
    }
  }

  private static func isLongOver(_ time: FHIRDateTime, _ now: Timestamp) -> Bool {
    let day = "\(time.text.prefix(10))T00:00:00Z"
    let instant = time.epochMilliseconds ?? FHIRDateTime(day)?.epochMilliseconds
    guard let instant else { return false }
    return instant < now.milliseconds - reach
  }

  /// Returns a dispense of DSTU2 in R4.
  static func r4(_ dispense: JSONValue) -> JSONValue {
    var result: JSONValue = ["resourceType": "MedicationDispense"]
    for name in [
      "meta", "contained", "status", "medicationCodeableConcept", "medicationReference",
      "authorizingPrescription", "quantity", "daysSupply", "whenPrepared", "whenHandedOver",
    ] {
      if let value = dispense[name] { result[name] = value }
    }
    if let identifier = dispense["identifier"] {
      result["identifier"] = identifier.array == nil ? [identifier] : identifier
    }
    result["subject"] = dispense["subject"] ?? dispense["patient"]
    return result
  }
}
