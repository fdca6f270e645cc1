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

  static let loinc = "http://loinc.org"
  private static let categories = "http://terminology.hl7.org/CodeSystem/observation-category"
  private static let units = "http://unitsofmeasure.org"

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
              "system": .string(Self.categories),
              "code": "vital-signs",
            ]
          ]
        ]
      ],
      "code": [
        "coding": [["system": .string(Self.loinc), "code": .string(value.metric.code ?? "")]]
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
      "system": .string(Self.units), "code": .string(code),
    ]
    return resource
  }

  /// The values by which a search finds the Observation, without writing it first.
  var index: SearchIndex {
    let code = SearchIndexValue.token(system: Self.loinc, code: value.metric.code ?? "")
    return SearchIndex(
      entries: [
        SearchIndexEntry(
          parameter: "category", value: .token(system: Self.categories, code: "vital-signs")),
        SearchIndexEntry(parameter: "code", value: code),
        SearchIndexEntry(parameter: "combo-code", value: code),
        SearchIndexEntry(parameter: "date", value: effective),
        SearchIndexEntry(parameter: "value-quantity", value: quantity),
        SearchIndexEntry(parameter: "combo-value-quantity", value: quantity),
      ], type: .observation)
  }

  private var effective: SearchIndexValue {
    if value.metric.isSampled, let day = FHIRDateTime(value.day) {
      return .date(lower: day.lowerMilliseconds, upper: day.upperMilliseconds)
    }
    return .date(lower: value.at * 1_000, upper: (value.at + 1) * 1_000)
  }

  /// The quantity with the range that its digits cover: `72.5` is from 72.45 to 72.55.
  private var quantity: SearchIndexValue {
    let decimals =
      ThousandthsText.decimal(value.thousandths).split(separator: ".").dropFirst()
      .first?.count ?? 0
    let half = [0.5, 0.05, 0.005, 0.0005][min(decimals, 3)]
    let number = Double(value.thousandths) / 1_000
    return .quantity(
      lower: number - half, upper: number + half, system: Self.units, code: unit.code,
      unit: unit.name)
  }

  private var unit: (name: String, code: String) {
    switch value.metric {
    case .restingHeartRate, .heartRate, .walkingHeartRate: ("beats/minute", "/min")
    case .steps: ("steps", "{steps}")
    case .weight: ("kg", "kg")
    }
  }
}
