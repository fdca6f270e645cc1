// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage

/// The name and birth date that a practitioner types to prove that a prescription is for the right patient.
package struct PatientIdentity: Sendable, Hashable {
  /// The name as typed; its words can be in any order and case.
  package let name: String
  /// The birth date as typed, such as `1948-05-01`.
  package let birthDate: String

  /// Creates an identity from typed texts; the birth date is ignored if the patient has none on record.
  package init(name: String, birthDate: String) {
    self.name = name
    self.birthDate = birthDate
  }

  /// Returns true if a patient's birth date is known, so that the form asks for it.
  package static func hasBirthDate(_ patient: PatientID, in reader: any SQLReader) throws -> Bool {
    try PeopleQueries.details(patient, in: reader)?.details.birthDate != nil
  }

  /// Returns true if it is the patient's: the same words in any order and case, and the same birth date if
  /// one is known.
  func isOf(_ patient: PatientID, in reader: any SQLReader) throws -> Bool {
    guard let known = try PeopleQueries.details(patient, in: reader)?.details,
      let shown = try PeopleQueries.name(patient, in: reader)
    else { return false }
    let typed = Self.words(name)
    guard !typed.isEmpty, typed == Self.words(shown) else { return false }
    guard let birthDate = known.birthDate else { return true }
    return CivilDate(text: DraftText.trimmed(self.birthDate)) == birthDate
  }

  private static func words(_ name: String) -> [String] {
    Ingredient.normalised(name).split(separator: " ").map(String.init).sorted()
  }
}
