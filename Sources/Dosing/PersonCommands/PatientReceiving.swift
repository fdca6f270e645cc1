// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Localization
import People
import Plans
import Records
import Scheduling
import Storage
import TimeZones

/// Patients that other systems send over FHIR: the resource is stored whole, and the person's name,
/// zone and language follow it.
extension PeopleCommands {
  /// Creates a patient from a resource.
  ///
  /// - Parameter zone: The time zone of a patient whose resource names none.
  package static func receive(
    new resource: JSONValue, patient: PatientID, zone: String, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PeopleError) -> StoredRecord {
    let authorization = try authorize(.create, patient, context)
    return try people {
      let nobody = Person(displayName: "", zone: zone, language: .en, rhythm: .standard)
      let details = PatientDetails(received: PatientView(resource), person: nobody)
      try checkReceived(details, context)
      // A used id is found before its row is changed.
      guard try RecordStore().patient(of: "Patient", id: patient.text, in: writer) == nil else {
        throw RecordsError.idTaken
      }
      try PeopleRows.save(details.person, patient: patient, in: writer)
      return try RecordStore().create(
        resource, type: "Patient", id: patient.text, authorization: authorization, at: context.now,
        in: writer)
    }
  }

  /// Stores a new version of a patient as it was sent.
  ///
  /// A new zone opens an era of the plans that follow the patient.
  ///
  /// - Parameter ifVersion: The version that the change is based on; nil to skip the check.
  package static func receive(
    _ resource: JSONValue, patient: PatientID, ifVersion: Int64?, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PeopleError) -> StoredRecord {
    let authorization = try authorize(.update, patient, context)
    return try people {
      guard let before = try PeopleRows.load(patient, in: writer) else {
        throw PeopleError.notFound
      }
      let details = PatientDetails(received: PatientView(resource), person: before)
      try checkReceived(details, context)
      let record = try RecordStore().update(
        resource, type: "Patient", id: patient.text, ifVersion: ifVersion,
        authorization: authorization, at: context.now, in: writer)
      try follow(details.person, after: before, patient, context, in: writer)
      return record
    }
  }

  /// Checks what the person's row takes over; phone numbers and addresses stay as the sender writes
  /// them.
  private static func checkReceived(
    _ details: PatientDetails, _ context: CommandContext
  ) throws(PeopleError) {
    let zone = (try? context.zones.zone(details.zone)) ?? .utc
    let issues = details.issues(today: zone.date(at: Instant(context.now)), zones: context.zones)
      .filter { [.name, .birthDate, .zone].contains($0.field) }
    if !issues.isEmpty { throw .invalid(issues) }
  }
}
