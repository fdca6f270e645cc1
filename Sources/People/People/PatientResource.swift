// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import Scheduling

extension PatientDetails {
  /// Creates details from a Patient resource, which has no place for the daily rhythm.
  init(_ patient: PatientView, person: Person) {
    func first(_ system: String) -> String {
      patient.telecom.first { $0.system == system }?.value ?? ""
    }
    let given = patient.givenNames.joined(separator: " ")
    let family = patient.familyName ?? ""
    self.init(
      givenName: given.isEmpty && family.isEmpty ? person.displayName : given,
      familyName: family,
      birthDate: patient.birthDate.flatMap { CivilDate(text: $0) },
      phone: first("phone"), email: first("email"), language: person.language,
      zone: person.zone, rhythm: person.rhythm, label: person.label,
      practitioner: CareContact(.practitioner, of: patient.json),
      pharmacy: CareContact(.pharmacy, of: patient.json))
  }

  /// Returns the Patient resource of the details; an existing one keeps everything that the form does not
  /// contain.
  package func resource(replacing existing: JSONValue?) -> JSONValue {
    var patient = existing ?? ["resourceType": "Patient"]
    writeZone(into: &patient)
    writeName(into: &patient)
    writeTelecom(into: &patient)
    // A year or month alone stays as the sender wrote it unless a full date was typed.
    let old = patient["birthDate"]?.string
    if let birthDate {
      patient["birthDate"] = .string(birthDate.text)
    } else if let old, CivilDate(text: old) != nil {
      patient["birthDate"] = nil
    }
    writeLanguage(into: &patient)
    CareContact.write([practitioner, pharmacy], into: &patient)
    return patient
  }

  private func writeZone(into patient: inout JSONValue) {
    let others = (patient["extension"]?.array ?? []).filter {
      $0["url"]?.string != PatientView.timeZoneExtension
    }
    patient["extension"] = .array(
      others + [
        ["url": .string(PatientView.timeZoneExtension), "valueCode": .string(zone)]
      ])
  }

  private func writeName(into patient: inout JSONValue) {
    let view = PatientView(patient)
    let given = DraftText.trimmed(givenName)
    let family = DraftText.trimmed(familyName)
    let isSame =
      view.displayName != nil && view.givenNames.joined(separator: " ") == given
      && (view.familyName ?? "") == family
    if isSame { return }
    var name: JSONValue = [:]
    if !family.isEmpty { name["family"] = .string(family) }
    if !given.isEmpty { name["given"] = [.string(given)] }
    name["use"] = "official"
    let others = (patient["name"]?.array ?? []).filter {
      $0["use"]?.string != "official" && $0["use"]?.string != nil
    }
    patient["name"] = .array([name] + others)
  }

  private func writeTelecom(into patient: inout JSONValue) {
    var telecom = patient["telecom"]?.array ?? []
    for (system, typed) in [("phone", phone), ("email", email)] {
      let value = DraftText.trimmed(typed)
      let index = telecom.firstIndex {
        $0["system"]?.string == system && $0["value"]?.string != nil
      }
      switch (index, value.isEmpty) {
      case (let index?, false): telecom[index]["value"] = .string(value)
      case (let index?, true): telecom.remove(at: index)
      case (nil, false):
        telecom.append(["system": .string(system), "value": .string(value)])
      case (nil, true): break
      }
    }
    patient["telecom"] = telecom.isEmpty ? nil : .array(telecom)
  }

  private func writeLanguage(into patient: inout JSONValue) {
    if let tag = PatientView(patient).language, Language(tag: tag) == language { return }
    var others = (patient["communication"]?.array ?? []).filter {
      $0["preferred"]?.bool != true
        && $0["language"]?["coding"]?[0]?["code"]?.string != language.tag
    }
    let chosen: JSONValue = [
      "language": [
        "coding": [["system": "urn:ietf:bcp:47", "code": .string(language.tag)]]
      ],
      "preferred": true,
    ]
    others.insert(chosen, at: 0)
    patient["communication"] = .array(others)
  }
}
