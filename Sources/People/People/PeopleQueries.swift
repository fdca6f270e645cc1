// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Localization
import Records
import Scheduling
import Storage
import TimeZones

/// A patient with the ways to name it.
package struct NamedPerson: Sendable, Hashable {
  package let patient: PatientID
  /// The full name.
  package let name: String
  package let label: PersonLabel
  /// Names the photo that stands beside the name; nil where there is none.
  package var photo: String?
}

/// Questions about patients; the caller has decided that they may be asked.
package enum PeopleQueries {
  package static func exists(_ patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Bool
  {
    try PeopleRows.load(patient, in: reader) != nil
  }

  /// Some of the patients here, by id.
  package static func first(_ limit: Int, in reader: any SQLReader) throws(StorageError)
    -> [PatientID]
  {
    try reader.query(
      "SELECT patient FROM people ORDER BY patient LIMIT $1", [SQLValue(limit)]
    ).values(as: PatientID.self)
  }

  /// The one patient of just this name, whatever its case, and birth date; nil for none and for several.
  ///
  /// For an emergency alone: whether there is one may be told only where that is on record.
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

  /// The name as it is shown.
  package static func name(_ patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> String?
  {
    try PeopleRows.load(patient, in: reader)?.displayName
  }

  /// Names and labels of patients, by id; who is unknown is left out.
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

  package static func language(_ patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Language?
  {
    try PeopleRows.load(patient, in: reader)?.language
  }

  /// The zone in which the patient's times are shown.
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

  /// The times of the patient's waking, meals and sleep.
  package static func rhythm(_ patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> DailyRhythm
  {
    try PeopleRows.rhythm(patient, in: reader)
  }

  /// The details as the form shows them, with the version of the Patient that they come from.
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
