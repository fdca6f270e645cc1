// SPDX-License-Identifier: Apache-2.0

/// The elements of DSTU2 by the published definitions (FHIR 1.0.2), with their names in R4.
extension DSTU2Mapping {
  static let order: [String: Rule] = [
    "resourceType": .special { _, _, _, target in target["resourceType"] = "MedicationRequest" },
    "status": .special { _, value, _, target in
      // An end that was read earlier has precedence.
      if target["status"] == nil { target["status"] = value }
      target["intent"] = "order"
    },
    "dateWritten": .rename("authoredOn"),
    "dateEnded": .special { mapping, _, path, target in
      // The day on which it was stopped: a request that still says active would continue to ring.
      mapping.note(path, .endedByDate)
      target["status"] = "stopped"
      if target["intent"] == nil { target["intent"] = "order" }
    },
    "reasonEnded": .rename("statusReason"),
    "patient": .rename("subject"),
    "prescriber": .rename("requester"),
    "encounter": .keep,
    "medicationCodeableConcept": .keep, "medicationReference": .keep,
    "reasonCodeableConcept": .list("reasonCode"), "reasonReference": .list("reasonReference"),
    "reasonCode": .list("reasonCode"),
    "note": .annotation,
    "dosageInstruction": .parts(dosage, named: "dosageInstruction"),
    "dispenseRequest": .parts(dispenseRequest, named: "dispenseRequest"),
    "substitution": .parts(
      [
        "id": .keep, "extension": .keep, "modifierExtension": .keep,
        "type": .special { _, value, _, target in
          // More specific than the Boolean that drafts after DSTU2 have next to it or instead.
          target["allowedCodeableConcept"] = value
          target["allowedBoolean"] = nil
        },
        "allowed": .special { _, value, _, target in
          if target["allowedCodeableConcept"] == nil { target["allowedBoolean"] = value }
        },
        "reason": .keep,
      ], named: "substitution"),
    "priorPrescription": .special { _, value, _, target in
      target["priorPrescription"] = renamed(value)
    },
  ]

  static let administration: [String: Rule] = [
    "status": .special { _, value, _, target in
      // A dose that was not given stays so, unless all of it was entered in error.
      if target["status"]?.string != "not-done" || value.string == "entered-in-error" {
        target["status"] = value
      }
    },
    "wasNotGiven": .special { _, value, _, target in
      guard value.bool == true, target["status"]?.string != "entered-in-error" else { return }
      target["status"] = "not-done"
    },
    "reasonNotGiven": .list("statusReason"), "reasonGiven": .list("reasonCode"),
    "patient": .rename("subject"), "subject": .keep, "encounter": .rename("context"),
    "practitioner": .wrapped("actor", in: "performer"),
    "performer": .special { _, value, _, target in
      target["performer"] = value.array == nil ? [["actor": value]] : value
    },
    "prescription": .special { _, value, _, target in target["request"] = renamed(value) },
    "effectiveTimeDateTime": .rename("effectiveDateTime"),
    "effectiveTimePeriod": .rename("effectivePeriod"),
    "medicationCodeableConcept": .keep, "medicationReference": .keep,
    "device": .list("device"), "note": .annotation,
    "dosage": .parts(
      [
        "id": .keep, "extension": .keep, "modifierExtension": .keep, "text": .keep,
        "siteCodeableConcept": .rename("site"), "route": .keep, "method": .keep,
        "quantity": .rename("dose"), "dose": .keep, "rateRatio": .keep,
        "rateQuantity": .keep,
      ], named: "dosage"),
  ]

  static let medication: [String: Rule] = [
    "code": .keep, "status": .keep, "manufacturer": .keep, "form": .keep, "ingredient": .keep,
    "product": .special { mapping, value, path, target in
      let product = mapping.map(value, path: path, rules: product)
      for (key, item) in product.object ?? JSONObject() { target[key] = item }
    },
  ]

  static let patient: [String: Rule] = [
    "active": .keep, "telecom": .keep, "gender": .keep, "birthDate": .keep,
    "deceasedBoolean": .keep, "deceasedDateTime": .keep, "address": .keep,
    "maritalStatus": .keep, "multipleBirthBoolean": .keep, "multipleBirthInteger": .keep,
    "photo": .keep, "communication": .keep, "managingOrganization": .keep,
    "generalPractitioner": .keep, "careProvider": .list("generalPractitioner"),
    "name": .parts(name, named: "name"),
    "contact": .parts(
      [
        "id": .keep, "extension": .keep, "modifierExtension": .keep, "relationship": .keep,
        "name": .parts(name, named: "name"), "telecom": .keep, "address": .keep,
        "gender": .keep, "organization": .keep, "period": .keep,
      ], named: "contact"),
    "link": .parts(
      [
        "id": .keep, "extension": .keep, "modifierExtension": .keep, "other": .keep,
        "type": .special { _, value, _, target in
          target["type"] = value.string == "replace" ? "replaced-by" : value
        },
      ], named: "link"),
  ]

  private static let name: [String: Rule] = [
    "id": .keep, "extension": .keep, "use": .keep, "text": .keep, "given": .keep,
    "prefix": .keep, "suffix": .keep, "period": .keep,
    "family": .special { _, value, _, target in
      let parts = value.array?.compactMap(\.string) ?? [value.string].compactMap(\.self)
      if !parts.isEmpty { target["family"] = .string(parts.joined(separator: " ")) }
    },
  ]

  private static let dosage: [String: Rule] = [
    "id": .keep, "extension": .keep, "modifierExtension": .keep, "sequence": .keep, "text": .keep,
    "additionalInstructions": .list("additionalInstruction"),
    "timing": .parts(timing, named: "timing"),
    "asNeededBoolean": .keep, "asNeededCodeableConcept": .keep,
    "siteCodeableConcept": .rename("site"), "route": .keep, "method": .keep,
    "doseQuantity": .special(rate), "doseRange": .special(rate), "rateRatio": .special(rate),
    "rateRange": .special(rate), "rateQuantity": .special(rate),
    "maxDosePerPeriod": .keep, "maxDosePerAdministration": .keep, "maxDosePerLifetime": .keep,
  ]

  private static let timing: [String: Rule] = [
    "id": .keep, "extension": .keep, "modifierExtension": .keep, "event": .keep, "code": .keep,
    "repeat": .parts(
      [
        "id": .keep, "extension": .keep, "boundsQuantity": .rename("boundsDuration"),
        "boundsDuration": .keep, "boundsRange": .keep, "boundsPeriod": .keep, "count": .keep,
        "countMax": .keep, "duration": .keep, "durationMax": .keep,
        "durationUnits": .rename("durationUnit"), "durationUnit": .keep, "frequency": .keep,
        "frequencyMax": .keep, "period": .keep, "periodMax": .keep,
        "periodUnits": .rename("periodUnit"), "periodUnit": .keep, "dayOfWeek": .keep,
        "timeOfDay": .keep, "when": .list("when"), "offset": .keep,
      ], named: "repeat"),
  ]

  private static let dispenseRequest: [String: Rule] = [
    "id": .keep, "extension": .keep, "modifierExtension": .keep, "validityPeriod": .keep,
    "numberOfRepeatsAllowed": .keep, "quantity": .keep, "expectedSupplyDuration": .keep,
    "performer": .keep,
  ]

  private static let product: [String: Rule] = [
    "id": .special { _, _, _, _ in }, "form": .keep, "batch": .first("batch"),
    "ingredient": .parts(
      [
        "id": .keep, "extension": .keep, "modifierExtension": .keep,
        "item": .rename("itemReference"), "itemReference": .keep, "itemCodeableConcept": .keep,
        "amount": .rename("strength"),
      ], named: "ingredient"),
  ]

  /// Combines dose and rate, which R4 has together in a list.
  @Sendable private static func rate(
    _ mapping: inout DSTU2Mapping, _ value: JSONValue, _ path: String, _ target: inout JSONValue
  ) {
    guard let name = path.split(separator: ".").last.map(String.init) else { return }
    var entry = target["doseAndRate"]?[0] ?? .object(JSONObject())
    entry[name] = value
    target["doseAndRate"] = [entry]
  }

  /// Returns a reference to a MedicationOrder as one to a MedicationRequest.
  private static func renamed(_ reference: JSONValue) -> JSONValue {
    guard let text = reference.text("reference") else { return reference }
    var reference = reference
    reference["reference"] = .string(
      text.replacing("MedicationOrder/", with: "MedicationRequest/"))
    return reference
  }
}
