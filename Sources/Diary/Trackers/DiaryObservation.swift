// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import Identifiers
import Storage

/// Entries of the diary as FHIR Observations.
package enum DiaryObservation {
  /// The system of the project's own codes: one for each tracker.
  package static let system = ObservationPart.diarySystem
  /// The extension with the reason why an unlikely value is right.
  static let reason = "urn:regimen:diary:reason"
  private static let loinc = "http://loinc.org"
  private static let ucum = "http://unitsofmeasure.org"
  private static let categories = "http://terminology.hl7.org/CodeSystem/observation-category"

  /// Returns an entry as an Observation.
  ///
  /// - Parameters:
  ///   - source: the name of the source, for measurements that also count elsewhere.
  package static func resource(
    _ entry: DiaryEntry, _ tracker: Tracker, of patient: PatientID, source: String
  ) -> JSONValue {
    var codings: [JSONValue] = []
    if let code = tracker.standard?.loinc(entry.draft.value.unit) {
      codings.append(coding(loinc, code))
    }
    codings.append(coding(system, tracker.id.text))
    var code: JSONValue = ["coding": .array(codings)]
    if !tracker.name.isEmpty { code["text"] = .string(tracker.name) }
    var resource: JSONValue = ["resourceType": "Observation"]
    if !entry.draft.reason.isEmpty {
      resource["extension"] = [
        ["url": .string(reason), "valueString": .string(entry.draft.reason)]
      ]
    }
    resource["status"] = "final"
    resource["category"] = [
      ["coding": [coding(categories, tracker.standard?.category ?? "survey")]]
    ]
    resource["code"] = code
    resource["subject"] = ["reference": .string("Patient/\(patient)")]
    resource["effectiveDateTime"] = .string(
      FHIRDateTime.instantText(
        milliseconds: entry.draft.at.milliseconds, offsetMinutes: entry.offsetMinutes))
    write(entry.draft.value, to: &resource)
    if !entry.draft.note.isEmpty { resource["note"] = [["text": .string(entry.draft.note)]] }
    if tracker.standard?.metric != nil { resource["device"] = ["display": .string(source)] }
    return resource
  }

  private static func write(_ value: DiaryValue, to resource: inout JSONValue) {
    switch value {
    case .score(let score): resource["valueQuantity"] = quantity(Decimal(score), "{score}")
    case .answer(let answer): resource["valueBoolean"] = .bool(answer)
    case .measurement(let number, let unit): resource["valueQuantity"] = quantity(number, unit.code)
    case .number(let number, let unit):
      var quantity: JSONValue = ["value": json(number)]
      if !unit.isEmpty { quantity["unit"] = .string(unit) }
      resource["valueQuantity"] = quantity
    case .pressure(let systolic, let diastolic):
      resource["component"] = [
        component(loinc, systolicCode, quantity(Decimal(systolic), "mm[Hg]")),
        component(loinc, diastolicCode, quantity(Decimal(diastolic), "mm[Hg]")),
      ]
    case .text(let text): resource["valueString"] = .string(text)
    case .graded(let text, let strength):
      resource["valueString"] = .string(text)
      resource["component"] = [
        component(system, strengthCode, quantity(Decimal(strength), "{score}"))
      ]
    }
  }

  private static let systolicCode = "8480-6"
  private static let diastolicCode = "8462-4"
  private static let strengthCode = "strength"

  private static func coding(_ system: String, _ code: String) -> JSONValue {
    ["system": .string(system), "code": .string(code)]
  }

  private static func component(
    _ system: String, _ code: String, _ quantity: JSONValue
  ) -> JSONValue {
    ["code": ["coding": [coding(system, code)]], "valueQuantity": quantity]
  }

  private static func quantity(_ number: Decimal, _ unit: String) -> JSONValue {
    [
      "value": json(number), "unit": .string(unit), "system": .string(ucum), "code": .string(unit),
    ]
  }

  /// Returns a number as JSON.
  package static func json(_ number: Decimal) -> JSONValue {
    .number(JSONNumber(text: "\(number)") ?? JSONNumber(0))
  }

  // MARK: Reading

  /// Returns the tracker that an Observation belongs to; nil for one that is not of the diary.
  package static func tracker(of resource: JSONValue) -> TrackerID? {
    code(in: resource["code"], system).map { TrackerID($0) }
  }

  /// Reads an Observation as an entry of a tracker; nil if its value does not fit the tracker.
  package static func entry(_ resource: JSONValue, id: String, _ tracker: Tracker) -> DiaryEntry? {
    guard resource["status"]?.string != "entered-in-error",
      let when = resource["effectiveDateTime"]?.string.flatMap({ FHIRDateTime($0) }),
      let at = when.epochMilliseconds,
      let value = value(of: resource, tracker), value.fits(tracker.shape)
    else { return nil }
    let reasons = (resource["extension"]?.array ?? []).filter { $0["url"]?.string == reason }
    return DiaryEntry(
      id: id, tracker: tracker.id,
      draft: DiaryDraft(
        value, at: Timestamp(milliseconds: at),
        note: resource["note"]?[0]?["text"]?.string ?? "",
        reason: reasons.first?["valueString"]?.string ?? ""),
      offsetMinutes: when.offsetMinutes ?? 0, isOwn: self.tracker(of: resource) == tracker.id)
  }

  private static func value(of resource: JSONValue, _ tracker: Tracker) -> DiaryValue? {
    let quantity = resource["valueQuantity"]
    switch tracker.shape {
    case .score: return score(quantity).map { .score($0) }
    case .yesNo: return resource["valueBoolean"]?.bool.map { .answer($0) }
    case .measurement:
      guard let number = quantity?["value"]?.number?.decimal,
        let unit = quantity?["code"]?.string.flatMap(DiaryUnit.of(code:))
      else { return nil }
      return .measurement(number, unit)
    case .number:
      guard let number = quantity?["value"]?.number?.decimal else { return nil }
      return .number(number, unit: quantity?["unit"]?.string ?? "")
    case .pressure:
      guard let systolic = score(part(of: resource, loinc, systolicCode)),
        let diastolic = score(part(of: resource, loinc, diastolicCode))
      else { return nil }
      return .pressure(systolic: systolic, diastolic: diastolic)
    case .text: return resource["valueString"]?.string.map { .text($0) }
    case .gradedText:
      guard let text = resource["valueString"]?.string,
        let strength = score(part(of: resource, system, strengthCode))
      else { return nil }
      return .graded(text, strength: strength)
    }
  }

  private static func score(_ quantity: JSONValue?) -> Int? { quantity?["value"]?.number?.integer }

  private static func part(
    of resource: JSONValue, _ system: String, _ code: String
  ) -> JSONValue? {
    (resource["component"]?.array ?? []).first { self.code(in: $0["code"], system) == code }?[
      "valueQuantity"]
  }

  private static func code(in concept: JSONValue?, _ system: String) -> String? {
    (concept?["coding"]?.array ?? []).first { $0["system"]?.string == system }?["code"]?.string
  }
}
