// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers

/// The Observation (R4) with the answer about one dose.
package enum FollowUpObservation {
  /// The FHIR resource type, which also names the records in access decisions.
  package static let type = "Observation"
  /// The codes of the project's own observations.
  static let system = "urn:regimen:observation"
  /// The code of the question.
  package static let code = "did-it-help"
  /// The codes of the answers.
  static let answerSystem = "urn:regimen:did-it-help"
  private static let categories = "http://terminology.hl7.org/CodeSystem/observation-category"

  /// Returns the Observation of an answer.
  ///
  /// - Parameters:
  ///   - effective: the time of the answer, with the offset of the patient's zone.
  ///   - isCorrection: true if it replaces an earlier answer.
  static func make(
    _ answer: FollowUpAnswer, about administration: AdministrationID, patient: PatientID,
    byName: String, effective: String, isCorrection: Bool
  ) -> JSONValue {
    let status = isCorrection ? "amended" : "final"
    var json: JSONValue = [
      "resourceType": .string(type),
      "partOf": [["reference": .string("MedicationAdministration/\(administration)")]],
      "status": .string(status),
      "category": [["coding": [["system": .string(categories), "code": "survey"]]]],
      "code": [
        "coding": [
          ["system": .string(system), "code": .string(code), "display": "Did the dose help?"]
        ]
      ],
      "subject": ["reference": .string("Patient/\(patient)")],
      "effectiveDateTime": .string(effective),
      "valueCodeableConcept": [
        "coding": [
          [
            "system": .string(answerSystem), "code": .string(answer.rawValue),
            "display": .string(display(answer)),
          ]
        ]
      ],
    ]
    if !byName.isEmpty { json["performer"] = [["display": .string(byName)]] }
    return json
  }

  /// Returns the Observation of a dose that was taken back.
  static func takeBack(_ json: JSONValue) -> JSONValue {
    var json = json
    json["status"] = "entered-in-error"
    return json
  }

  /// Returns the answer in an Observation; nil if it states none, or was an error.
  static func answer(in json: JSONValue) -> FollowUpAnswer? {
    guard json["status"]?.string != "entered-in-error",
      json["status"]?.string != "cancelled"
    else { return nil }
    return (json["valueCodeableConcept"]?["coding"]?.array ?? []).lazy
      .filter { $0["system"]?.string == answerSystem }
      .compactMap { $0["code"]?.string.flatMap(FollowUpAnswer.init(rawValue:)) }.first
  }

  private static func display(_ answer: FollowUpAnswer) -> String {
    switch answer {
    case .much: "It helped much"
    case .little: "It helped a little"
    case .no: "It did not help"
    case .tooEarly: "Too early to say"
    }
  }
}
