// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import People
import Scheduling
import Storage
import TimeZones

/// The facts about a person on which the conditions of a study depend.
package struct StudyCandidate: Sendable, Hashable {
  /// The age in years; nil if the date of birth is not known.
  package let age: Int?
  /// True if a medicine is active.
  package let hasMedicine: Bool

  /// Creates the facts.
  package init(age: Int?, hasMedicine: Bool) {
    self.age = age
    self.hasMedicine = hasMedicine
  }

  /// Reads the facts about a person.
  package static func read(
    _ patient: PatientID, zones: ZoneCatalog, at now: Timestamp, in reader: any SQLReader
  ) throws -> StudyCandidate {
    let birth = try PeopleQueries.details(patient, in: reader)?.details.birthDate
    let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    return StudyCandidate(
      age: birth.map { Self.age(born: $0, on: today) },
      hasMedicine: try !StudyQueries.activePlans(of: patient, in: reader).isEmpty)
  }

  /// Returns the full years from a birth to a day.
  static func age(born birth: CivilDate, on day: CivilDate) -> Int {
    let (born, now) = (birth.parts, day.parts)
    let isBefore = (now.month, now.day) < (born.month, born.day)
    return now.year - born.year - (isBefore ? 1 : 0)
  }
}

extension StudyDefinition {
  /// Returns the first condition that a person does not meet; nil if the person may take part.
  ///
  /// - Parameters:
  ///   - language: The language in which the person reads the consent.
  ///   - answers: The answers to the further questions, by id; nil to leave them out.
  package func hindrance(
    _ candidate: StudyCandidate, language: Language, answers: [String: Bool]?
  ) -> StudyHindrance? {
    guard languages.contains(language) else { return .language }
    guard let age = candidate.age else { return .noBirthDate }
    guard eligibility.ages.contains(age) else { return .age }
    guard candidate.hasMedicine || !eligibility.needsMedicine else { return .medicine }
    guard let answers else { return nil }
    let isMet = eligibility.questions.allSatisfy { answers[$0.id] == $0.answer }
    return isMet ? nil : .answers
  }
}
