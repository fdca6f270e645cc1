// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage

/// For whom a prescription is meant, as the practitioner typed it: asked so that it reaches nobody else.
package struct PatientIdentity: Sendable, Hashable {
  package let name: String
  /// A day, `1948-05-01`.
  package let birthDate: String

  package init(name: String, birthDate: String) {
    self.name = name
    self.birthDate = birthDate
  }

  /// Whether a patient's birth date is known, and so asked for.
  package static func hasBirthDate(_ patient: PatientID, in reader: any SQLReader) throws -> Bool {
    try PeopleQueries.details(patient, in: reader)?.details.birthDate != nil
  }

  /// Whether it is the patient's: the same words in any order and case, and the same day where one is known.
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
