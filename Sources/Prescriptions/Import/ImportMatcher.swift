// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Foundation
import Identifiers
import People
import Plans
import Records
import Storage

/// Finds the patient among the people in a file.
package struct ImportMatcher: Sendable, Hashable {
  /// The patient here, as far as it helps to match people.
  let patient: PatientID
  let birthDate: String?
  let name: String
  let identifiers: Set<String>

  init(patient: PatientID, birthDate: String?, name: String, identifiers: Set<String>) {
    self.patient = patient
    self.birthDate = birthDate
    self.name = Ingredient.normalised(name)
    self.identifiers = identifiers
  }

  /// Reads the patient's name, birth date and identifiers.
  ///
  /// - Throws: `notFound` if there is no such patient.
  package static func load(_ patient: PatientID, in reader: any SQLReader) throws(PlanError)
    -> ImportMatcher
  {
    try planning {
      guard let person = try PeopleRows.load(patient, in: reader) else { throw PlanError.notFound }
      guard
        case .allow(let authorization) = decide(
          actor: .host(accountID: .planner), action: .read, patient: patient,
          resource: "Patient", purpose: .system)
      else { throw PlanError.notAuthorized }
      let resource = try RecordStore().read(
        "Patient", patient.text, authorization: authorization, in: reader
      ).json()
      return ImportMatcher(
        patient: patient, birthDate: PatientView(resource).birthDate, name: person.displayName,
        identifiers: Set(SourceKeys.identifiers(resource)))
    }
  }

  /// Returns the keys of the people who are the patient; empty if no one matches.
  ///
  /// A match is this server's own reference or a shared identifier. Otherwise it is the only person in the
  /// file, or the only one among several with the same birth date and a name in common. A different birth
  /// date never matches.
  package func own(among subjects: [ImportSubject]) -> Set<String> {
    let named = subjects.filter {
      $0.key == "Patient/\(patient)" || !$0.identifiers.isDisjoint(with: identifiers)
    }
    if !named.isEmpty { return Set(named.map(\.key)) }
    let possible = subjects.filter { !isOther($0) }
    if subjects.count == 1 { return Set(possible.map(\.key)) }
    let likely = possible.filter { subject in
      guard let birthDate, subject.birthDate == birthDate, let other = subject.name else {
        return false
      }
      let words = Set(name.split(separator: " "))
      return !words.isDisjoint(with: Ingredient.normalised(other).split(separator: " "))
    }
    return likely.count == 1 ? Set(likely.map(\.key)) : []
  }

  /// Returns true if the birth dates differ in the parts that both state.
  private func isOther(_ subject: ImportSubject) -> Bool {
    guard let birthDate, let other = subject.birthDate else { return false }
    return !birthDate.hasPrefix(other) && !other.hasPrefix(birthDate)
  }
}

extension ImportFile {
  /// Returns the file without the entries of other people, each of which is reported as a problem.
  ///
  /// - Parameter own: The keys of the people who are the patient.
  package func only(_ own: Set<String>) -> ImportFile {
    var file = self
    file.prescriptions = []
    file.administrations = []
    file.dispenses = []
    file.measurements = []
    func isOwn(_ subject: String) -> Bool { own.contains(subject) }
    for subject in subjects where !isOwn(subject.key) {
      if let number = subject.number {
        file.note(ImportProblem(number: number, type: "Patient", .otherPatient))
      }
    }
    for prescription in prescriptions {
      if isOwn(prescription.subject) {
        file.prescriptions.append(prescription)
      } else {
        file.note(
          ImportProblem(number: prescription.number, type: "MedicationRequest", .otherPatient))
        for administration in prescription.administrations {
          file.note(
            ImportProblem(
              number: administration.number, type: "MedicationAdministration", .otherPatient))
        }
      }
    }
    for administration in administrations {
      if isOwn(administration.subject) {
        file.administrations.append(administration)
      } else {
        file.note(
          ImportProblem(
            number: administration.number, type: "MedicationAdministration", .otherPatient))
      }
    }
    for dispense in dispenses {
      if isOwn(dispense.subject) {
        file.dispenses.append(dispense)
      } else {
        file.note(
          ImportProblem(number: dispense.number, type: "MedicationDispense", .otherPatient))
      }
    }
    for measurement in measurements {
      if isOwn(measurement.subject) {
        file.measurements.append(measurement)
      } else {
        file.note(ImportProblem(number: measurement.number, type: "Observation", .otherPatient))
      }
    }
    file.problems.sort { $0.number < $1.number }
    return file
  }
}
