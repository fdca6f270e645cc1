// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation

/// Brings the dosages of a request into the form that plans read, without changing their meaning.
enum DosageBounds {
  /// The addresses of the R5 element for R4: the period over which a medicine should be taken.
  private static let effectivePeriods: Set<String> = [
    "http://hl7.org/fhir/5.0/StructureDefinition/extension-MedicationRequest.effectiveDosePeriod"
  ]

  /// Returns the request with the period of its extension as bounds, and without dosages of nothing.
  static func settled(_ request: JSONValue) -> JSONValue {
    let stated = (request["extension"]?.array ?? []).first {
      effectivePeriods.contains($0["url"]?.string ?? "")
    }
    let request = withoutNothing(request)
    guard let period = stated?["valuePeriod"] else { return request }
    return bounded(request, by: period)
  }

  /// Returns the request with a period as the bounds of all dosages that have none of their own.
  ///
  /// If dosages follow one another, the first ones get the start and the last ones the end.
  static func bounded(_ request: JSONValue, by period: JSONValue) -> JSONValue {
    guard let dosages = request["dosageInstruction"]?.array,
      period["start"] != nil || period["end"] != nil
    else { return request }
    let numbers = dosages.compactMap { DosageView($0).sequence }
    let lowest = numbers.min() ?? 0
    let highest = numbers.max() ?? 0
    var request = request
    request["dosageInstruction"] = .array(
      dosages.map { dosage in
        let number = DosageView(dosage).sequence ?? lowest
        return bounded(
          dosage, start: number == lowest ? period["start"] : nil,
          end: number == highest ? period["end"] : nil)
      })
    return request
  }

  private static func bounded(
    _ dosage: JSONValue, start: JSONValue?, end: JSONValue?
  ) -> JSONValue {
    guard let timing = dosage["timing"], start != nil || end != nil,
      timing["repeat"]?.object?.keys.contains(where: { $0.hasPrefix("bounds") }) != true
    else { return dosage }
    // The instants of an event are bounds of their own.
    guard timing["repeat"] != nil || timing["code"] != nil else { return dosage }
    var bounds: JSONValue = .object(JSONObject())
    if let start { bounds["start"] = start }
    if let end { bounds["end"] = end }
    var repeated = timing["repeat"] ?? .object(JSONObject())
    repeated["boundsPeriod"] = bounds
    var dosage = dosage
    dosage["timing"]?["repeat"] = repeated
    return dosage
  }

  /// Returns the request without dosages of zero beside others, as in `1-0-1-0`.
  private static func withoutNothing(_ request: JSONValue) -> JSONValue {
    guard let dosages = request["dosageInstruction"]?.array, dosages.count > 1 else {
      return request
    }
    let kept = dosages.filter { DosageView($0).doseQuantity?.value != 0 }
    guard kept.count < dosages.count,
      kept.contains(where: { (DosageView($0).doseQuantity?.value ?? 0) > 0 })
    else { return request }
    var request = request
    request["dosageInstruction"] = .array(kept)
    return request
  }
}
