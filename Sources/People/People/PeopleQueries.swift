// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Localization
import Records
import Scheduling
import Storage
import TimeZones

/// A patient with the name, label and photo by which they are shown.
package struct NamedPerson: Sendable, Hashable {
  /// The identifier of the patient.
  package let patient: PatientID
  /// The full name.
  package let name: String
  /// The short label.
  package let label: PersonLabel
  /// The identifier of the photo next to the name; nil if there is none.
  package var photo: String?
}

/// Queries for patients; the caller has decided access.
package enum PeopleQueries {
  /// Returns true if there is a patient of that id.
  package static func exists(_ patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Bool
  {
    try PeopleRows.load(patient, in: reader) != nil
  }

  /// Returns the first patients by id, at most `limit`.
  package static func first(_ limit: Int, in reader: any SQLReader) throws(StorageError)
    -> [PatientID]
  {
    try reader.query(
      "SELECT patient FROM people ORDER BY patient LIMIT $1", [SQLValue(limit)]
    ).values(as: PatientID.self)
  }

  /// Returns the only patient with this name, ignoring case, and birth date; nil if there is none
  /// or several.
  ///
  /// For emergency access only: the result may be revealed only if the attempt is recorded.
  package static func identified(
    name: String, birthDate: CivilDate, in reader: any SQLReader
  ) throws -> String? {
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let namesakes = try reader.query(
      "SELECT patient FROM people WHERE lower(display_name) IN (lower($1), $2) LIMIT 100",
      [.text(words), .text(words.lowercased())]
    ).values(as: PatientID.self)
    let found = try namesakes.filter { patient in
      try details(patient, in: reader)?.details.birthDate == birthDate
    }
    return found.count == 1 ? found.first?.text : nil
  }

  /// Returns the full name as shown; nil if there is no such patient.
  package static func name(_ patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> String?
  {
    try PeopleRows.load(patient, in: reader)?.displayName
  }

  /// Returns names and labels of patients, by id; unknown patients are left out.
  package static func named(_ patients: [PatientID], in reader: any SQLReader)
    throws(StorageError) -> [PatientID: NamedPerson]
  {
    guard !patients.isEmpty else { return [:] }
    var found: [PatientID: NamedPerson] = [:]
    let rows = try reader.query(
      """
      SELECT \(NamedPersonRow.columns)
      FROM people p LEFT JOIN person_photos f ON f.patient = p.patient WHERE p.patient IN (
      """, [],
      in: patients.map { .text($0) })
    for row in rows {
      let row = row.read(NamedPersonRow.self)
      let patient: PatientID = try row.id(.patient)
      found[patient] = NamedPerson(
        patient: patient, name: try row.text(.displayName),
        label: try PersonLabel(row, kind: .label, nickname: .nickname, colour: .colour),
        photo: try row.optionalText(.photo))
    }
    return found
  }

  /// Returns the patient's language; nil if there is no such patient.
  package static func language(_ patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Language?
  {
    try PeopleRows.load(patient, in: reader)?.language
  }

  /// Returns the zone in which the patient's times are shown.
  ///
  /// - Throws: `PeopleQueryError.notFound` if there is no such patient, `zone` if the system has no such
  ///   zone.
  package static func zone(_ patient: PatientID, zones: ZoneCatalog, in reader: any SQLReader)
    throws(PeopleQueryError) -> Zone
  {
    try PeopleQueryError.reporting {
      guard let person = try PeopleRows.load(patient, in: reader) else {
        throw PeopleQueryError.notFound
      }
      return try zones.zone(person.zone)
    }
  }

  /// Returns the times of the patient's waking, meals and sleep.
  package static func rhythm(_ patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> DailyRhythm
  {
    try PeopleRows.rhythm(patient, in: reader)
  }

  /// Returns the details and the version of the Patient that they come from; nil if there is no
  /// such patient.
  package static func details(_ patient: PatientID, in reader: any SQLReader)
    throws(PeopleQueryError) -> (details: PatientDetails, version: Int64)?
  {
    try PeopleQueryError.reporting {
      guard let person = try PeopleRows.load(patient, in: reader) else { return nil }
      let decision = decide(
        actor: .host(accountID: .planner), action: .read, patient: patient,
        resource: "Patient", purpose: .system)
      guard case .allow(let authorization) = decision else { throw PeopleQueryError.notAuthorized }
      let record = try RecordStore().read(
        "Patient", patient.text, authorization: authorization, in: reader)
      return (
        PatientDetails(PatientView(try record.json()), person: person), record.version
      )
    }
  }
}

/// The columns of a ``NamedPerson``.
enum NamedPersonRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, displayName, label, nickname, colour, photo
  }

  static let columns = SQLColumns<Column>(of: "p", [.photo: "f.photo"])
}
