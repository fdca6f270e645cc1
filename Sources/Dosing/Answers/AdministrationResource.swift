// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Localization
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// Builds the MedicationAdministration (R4) of an answer from the plan's row, without parsing the
/// prescription.
package enum AdministrationResource {
  /// The FHIR resource type, which also names the records in access decisions and audit entries.
  package static let type = "MedicationAdministration"

  /// The codes that distinguish skipped from refused, for which FHIR has one status.
  static let answerCodeSystem = "urn:regimen:answer"

  /// The identifiers of devices in the home.
  private static let deviceSystem = "urn:regimen:home-device"

  /// The medicine and the outcome in an administration.
  struct Content: Sendable, Hashable {
    let action: AnswerAction
    /// The time at which it was taken; if it was not, the time at which it should have been.
    let effective: Timestamp
    let reason: String?
    let amount: Amount?
  }

  /// Returns a new administration.
  static func make(
    _ content: Content, of medicine: Medicine, patient: PatientID, zone: String?,
    context: CommandContext
  ) -> JSONValue {
    var json: JSONValue = [
      "resourceType": .string(type),
      "status": status(content.action),
      "medicationCodeableConcept": concept(medicine),
      "subject": ["reference": "Patient/\(patient)"],
    ]
    fill(&json, with: content, patient: patient, zone: zone, context: context)
    if let plan = medicine.plan { json["request"] = ["reference": "MedicationRequest/\(plan)"] }
    return json
  }

  /// Returns the administration with a correction; other content stays.
  static func correct(
    _ json: JSONValue, to content: Content, patient: PatientID, zone: String?,
    context: CommandContext
  ) -> JSONValue {
    var json = json
    json["status"] = status(content.action)
    fill(&json, with: content, patient: patient, zone: zone, context: context)
    return json
  }

  /// Returns the administration as taken back.
  static func takeBack(_ json: JSONValue) -> JSONValue {
    var json = json
    json["status"] = "entered-in-error"
    return json
  }

  private static func status(_ action: AnswerAction) -> JSONValue {
    action == .taken ? "completed" : "not-done"
  }

  private static func fill(
    _ json: inout JSONValue, with content: Content, patient: PatientID, zone: String?,
    context: CommandContext
  ) {
    json["statusReason"] =
      content.action == .taken ? nil : [statusReason(content.action, content.reason)]
    // R4 has separate elements for the reasons it was given and was not given.
    if content.action != .taken {
      json["reasonCode"] = nil
    } else if let reason = content.reason {
      json["reasonCode"] = [["text": .string(reason)]]
    }
    json["effectiveDateTime"] = .string(
      localText(content.effective, zone: zone, zones: context.zones))
    var performer: JSONValue = ["display": .string(context.byName)]
    if let device = context.device {
      json["device"] = [
        [
          "reference": .string("Device/\(device)"), "type": "Device",
          "identifier": ["system": .string(deviceSystem), "value": .string(device.text)],
          "display": .string(context.byName),
        ]
      ]
    } else if context.actor.rights[patient]?.relationship == .self_ {
      performer = ["reference": "Patient/\(patient)", "display": .string(context.byName)]
    }
    json["performer"] = context.byName.isEmpty ? nil : [["actor": performer]]
    let site = json["dosage"]?["site"]
    json["dosage"] = content.amount.flatMap(quantity).map { ["dose": $0] }
    // A corrected amount or time leaves the site as it was.
    if let site, content.action == .taken { json = place(json, at: site) }
  }

  /// Returns the administration with a site on the body, a CodeableConcept; nil removes it.
  package static func place(_ json: JSONValue, at site: JSONValue?) -> JSONValue {
    var json = json
    var dosage = json["dosage"] ?? .object(JSONObject())
    dosage["site"] = site
    let isMeasured = ["dose", "rateRatio", "rateQuantity"].contains { dosage[$0] != nil }
    if site != nil, !isMeasured {
      // A dosage must have a dose or a rate (mad-1), even where no amount is known.
      dosage["dose"] = [
        "extension": [
          [
            "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
            "valueCode": "unknown",
          ]
        ]
      ]
    }
    json["dosage"] = dosage
    return json
  }

  private static func statusReason(_ action: AnswerAction, _ reason: String?) -> JSONValue {
    var concept: JSONValue = [
      "coding": [["system": .string(answerCodeSystem), "code": .string(action.rawValue)]]
    ]
    if let reason { concept["text"] = .string(reason) }
    return concept
  }

  private static func concept(_ medicine: Medicine) -> JSONValue {
    var concept: JSONValue = .object(JSONObject())
    let codings = Ingredient.codes(column: medicine.ingredients).map { system, code in
      var coding: JSONValue = .object(JSONObject())
      if let system { coding["system"] = .string(system) }
      coding["code"] = .string(code)
      return coding
    }
    if !codings.isEmpty { concept["coding"] = .array(codings) }
    concept["text"] = .string(medicine.name)
    return concept
  }

  /// Returns the unit as text, with its UCUM code if the unit is known.
  private static func quantity(_ amount: Amount) -> JSONValue? {
    guard let number = JSONNumber(text: amount.value) else { return nil }
    var quantity: JSONValue = ["value": .number(number)]
    if !amount.unit.isEmpty { quantity["unit"] = .string(amount.unit) }
    if let unit = DoseUnit(code: amount.code, text: amount.unit) {
      quantity["system"] = "http://unitsofmeasure.org"
      quantity["code"] = .string(unit.ucumCode)
    }
    return quantity
  }

  /// Returns the instant with the offset of the patient's zone at that time; UTC if the zone is unknown.
  private static func localText(_ time: Timestamp, zone: String?, zones: ZoneCatalog) -> String {
    var offset = 0
    if let zone, let rules = try? zones.zone(zone) {
      offset = rules.offsetSeconds(at: Instant(milliseconds: time.milliseconds))
    }
    return FHIRDateTime.instantText(
      milliseconds: time.milliseconds, offsetMinutes: offset / 60)
  }
}
