// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Observations
import Presentation
import Storage

/// A day's value as an Observation.
struct FHIRObservation {
  let value: VitalDayValue
  let patient: PatientID

  var json: JSONValue {
    var resource: JSONValue = [
      "resourceType": "Observation", "id": .string(value.observation),
      "meta": [
        "versionId": .string(String(value.changed.milliseconds)),
        "lastUpdated": .string(
          FHIRDateTime.instantText(milliseconds: value.changed.milliseconds, offsetMinutes: 0)),
      ],
      "status": "final",
      "category": [
        [
          "coding": [
            [
              "system": "http://terminology.hl7.org/CodeSystem/observation-category",
              "code": "vital-signs",
            ]
          ]
        ]
      ],
      "code": [
        "coding": [["system": "http://loinc.org", "code": .string(value.metric.code ?? "")]]
      ],
      "subject": ["reference": .string("Patient/\(patient)")],
      "device": ["display": .string(value.source)],
    ]
    if value.metric.isSampled {
      resource["effectivePeriod"] = ["start": .string(value.day), "end": .string(value.day)]
    } else {
      resource["effectiveDateTime"] = .string(
        FHIRDateTime.instantText(
          milliseconds: value.at * 1_000, offsetMinutes: value.zoneOffset / 60))
    }
    let (unit, code) = unit
    resource["valueQuantity"] = [
      "value": .number(
        JSONNumber(text: ThousandthsText.decimal(value.thousandths)) ?? JSONNumber(0)),
      "unit": .string(unit),
      "system": "http://unitsofmeasure.org", "code": .string(code),
    ]
    return resource
  }

  private var unit: (name: String, code: String) {
    switch value.metric {
    case .restingHeartRate, .heartRate, .walkingHeartRate: ("beats/minute", "/min")
    case .steps: ("steps", "{steps}")
    case .weight: ("kg", "kg")
    }
  }
}
