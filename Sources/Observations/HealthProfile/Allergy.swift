// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// An allergy or intolerance as typed, stored as an AllergyIntolerance.
package struct Allergy: Sendable, Hashable {
  /// The id of the AllergyIntolerance.
  package let id: String
  /// The substance, as typed or as the code's display.
  package let name: String
  /// The reaction as typed; nil if none was stated.
  package let reaction: String?

  /// Reads an AllergyIntolerance; nil for one entered in error and one without a name.
  package init?(_ resource: JSONValue, id: String) {
    let code = resource["code"]
    let verification = resource["verificationStatus"]?["coding"]?.array ?? []
    guard !verification.contains(where: { $0["code"]?.string == "entered-in-error" }),
      let name = code?["text"]?.string ?? code?["coding"]?[0]?["display"]?.string
    else { return nil }
    self.id = id
    self.name = name
    let manifestation = resource["reaction"]?[0]?["manifestation"]?[0]
    reaction =
      manifestation?["text"]?.string ?? manifestation?["coding"]?[0]?["display"]?.string
  }

  /// Returns the AllergyIntolerance: stated by the person, not confirmed by anyone.
  static func resource(
    _ name: String, reaction: String?, codes: [(system: String?, code: String)],
    of patient: PatientID, recorded: Timestamp
  ) -> JSONValue {
    let base = "http://terminology.hl7.org/CodeSystem/allergyintolerance"
    func status(_ system: String, _ code: String) -> JSONValue {
      ["coding": [["system": .string("\(base)-\(system)"), "code": .string(code)]]]
    }
    var code: JSONValue = ["text": .string(name)]
    if !codes.isEmpty {
      code["coding"] = .array(
        codes.map { system, word in
          var coding: JSONValue = ["code": .string(word)]
          coding["system"] = system.map(JSONValue.string)
          return coding
        })
    }
    var resource: JSONValue = [
      "resourceType": "AllergyIntolerance",
      "clinicalStatus": status("clinical", "active"),
      "verificationStatus": status("verification", "unconfirmed"),
      "code": code,
      "patient": ["reference": .string("Patient/\(patient)")],
      "recordedDate": .string(
        FHIRDateTime.instantText(milliseconds: recorded.milliseconds, offsetMinutes: 0)),
    ]
    if !codes.isEmpty { resource["category"] = ["medication"] }
    if let reaction { resource["reaction"] = [["manifestation": [["text": .string(reaction)]]]] }
    return resource
  }
}
