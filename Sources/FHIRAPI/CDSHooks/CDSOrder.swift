// SPDX-License-Identifier: Apache-2.0

import FHIR
import Prescriptions

/// A medicine that someone is about to order.
struct CDSOrder: Sendable {
  /// The reference by which the request names it, such as `MedicationRequest/draft-1`.
  let reference: String
  /// The identifier among the checked medicines.
  let id: String
  /// The order.
  let request: MedicationRequestView

  /// The medicine to check; nil if the order has ended.
  var incoming: IncomingMedicine? {
    IncomingMedicine(id: id, request: request, isChange: false)
  }
}

extension CDSOrder {
  /// Returns the MedicationRequests of a Bundle, in order, each with an identifier of its own.
  ///
  /// References to a Medication of the same Bundle are resolved. Orders of other types, such as laboratory
  /// tests, are left out.
  static func all(in bundle: JSONValue, prefix: String) -> [CDSOrder] {
    let entries = bundle["entry"]?.array ?? []
    var medications: [String: JSONValue] = [:]
    for entry in entries where resourceType(of: entry) == "Medication" {
      for reference in references(of: entry) {
        medications[reference] = entry["resource"]?["code"]
      }
    }
    var seen: Set<String> = []
    return entries.enumerated().compactMap { place, entry -> CDSOrder? in
      guard resourceType(of: entry) == "MedicationRequest", var resource = entry["resource"] else {
        return nil
      }
      let stated = resource["id"]?.string ?? ""
      // Made up ids have a slash, so that none is the same as one of the request.
      let isUsable = !stated.isEmpty && !stated.contains("/") && seen.insert(stated).inserted
      let id = isUsable ? stated : "\(prefix)/\(place + 1)"
      if let named = resource["medicationReference"]?["reference"]?.string,
        let code = medications[named]
      {
        resource["medicationReference"] = nil
        resource["medicationCodeableConcept"] = code
      }
      return CDSOrder(
        reference: references(of: entry).first ?? id, id: id,
        request: MedicationRequestView(resource))
    }
  }

  private static func resourceType(of entry: JSONValue) -> String? {
    entry["resource"]?["resourceType"]?.string
  }

  /// Returns the references by which other resources name an entry.
  private static func references(of entry: JSONValue) -> [String] {
    let relative = resourceType(of: entry).flatMap { type in
      entry["resource"]?["id"]?.string.map { "\(type)/\($0)" }
    }
    return [relative, entry["fullUrl"]?.string].compactMap(\.self)
  }
}
