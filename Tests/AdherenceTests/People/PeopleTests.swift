// SPDX-License-Identifier: Apache-2.0
import Access
import Dosing
import FHIR
import Identifiers
import Localization
import People
import Plans
import Records
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

struct PeopleTests {
  private static func issues(_ change: (inout PatientDetails) -> Void) throws
    -> [PatientDetailsIssue]
  {
    var details = PatientDetails(
      givenName: "Ann", familyName: "Example", language: .en, zone: "Europe/Berlin")
    change(&details)
    let today = try #require(CivilDate(text: "2026-03-01"))
    return details.issues(today: today, zones: ZoneCatalog())
  }

  @Test func `invalid details are refused with their field`() throws {
    #expect(try Self.issues { _ in }.isEmpty)
    #expect(try Self.issues { $0.familyName = "" }.isEmpty)
    #expect(
      try Self.issues {
        $0.givenName = " "
        $0.familyName = ""
      } == [PatientDetailsIssue(.name, .missing)])
    #expect(
      try Self.issues { $0.givenName = String(repeating: "x", count: 101) } == [
        PatientDetailsIssue(.name, .tooLong)
      ])
    #expect(
      try Self.issues { $0.birthDate = CivilDate(text: "2026-03-02") } == [
        PatientDetailsIssue(.birthDate, .inTheFuture)
      ])
    #expect(
      try Self.issues { $0.birthDate = CivilDate(text: "1860-01-01") } == [
        PatientDetailsIssue(.birthDate, .outOfRange)
      ])
    #expect(
      try Self.issues { $0.phone = "call me" } == [PatientDetailsIssue(.phone, .malformed)])
    #expect(try Self.issues { $0.phone = "+47 22 00 00 00" }.isEmpty)
    #expect(try Self.issues { $0.email = "a@b@c" } == [PatientDetailsIssue(.email, .malformed)])
    #expect(
      try Self.issues { $0.zone = "../etc/passwd" } == [PatientDetailsIssue(.zone, .unknownZone)])
  }

  @Test func `details read back as they were saved`() async throws {
    let place = try await TestPlace()
    let birth = CivilDate(text: "1950-04-30")
    let five = try #require(ClockTime(text: "05:45"))
    try await place.change {
      $0.givenName = "Anna Maria"
      $0.birthDate = birth
      $0.phone = "+49 30 123456"
      $0.email = "anna@example.org"
      $0.language = .de
      $0.zone = "Europe/Vienna"
      $0.rhythm.wake = five
    }
    let found = try await place.database.read { reader in
      try PeopleQueries.details(TestPlace.patient, in: reader)
    }
    let details = try #require(found)
    #expect(details.version == 2)
    var expected = PatientDetails(
      givenName: "Anna Maria", familyName: "Example", birthDate: birth, phone: "+49 30 123456",
      email: "anna@example.org", language: .de, zone: "Europe/Vienna")
    expected.rhythm.wake = five
    #expect(details.details == expected)
    try await place.change {
      $0.phone = ""
      $0.birthDate = nil
    }
    let later = try await place.database.read { reader in
      try PeopleQueries.details(TestPlace.patient, in: reader)
    }
    #expect(later?.details.phone == "" && later?.details.birthDate == nil)
    #expect(later?.details.email == "anna@example.org")
  }

  @Test func `a Patient has zone and language in the standard elements`() async throws {
    let place = try await TestPlace(zone: "Asia/Bangkok")
    let context = place.context
    let body = try await place.database.read { reader in
      guard
        case .allow(let right) = decide(
          actor: context.actor, action: .read, patient: TestPlace.patient, resource: "Patient",
          purpose: .care)
      else { throw PlanError.notAuthorized }
      return try RecordStore().read(
        "Patient", TestPlace.patient.text, authorization: right, in: reader
      ).json()
    }
    #expect(ResourceValidator.issues(in: body, expecting: .patient).isEmpty)
    let patient = PatientView(body)
    #expect(patient.timeZoneIdentifier == "Asia/Bangkok")
    #expect(patient.language == "en" && patient.displayName == "Ann Example")
  }

  @Test func `strangers can neither read nor change the names`() async throws {
    let place = try await TestPlace()
    let stranger = place.context(patients: ["bob"])
    let details = PatientDetails(givenName: "Eve", language: .en, zone: "Europe/Berlin")
    do {
      try await place.database.write { writer in
        try PeopleCommands.change(
          details, patient: TestPlace.patient, context: stranger, in: writer)
      }
      Issue.record("A stranger changed the details.")
    } catch PeopleError.notFound {
    }
    let name = try await place.database.read { reader in
      try PeopleQueries.name(TestPlace.patient, in: reader)
    }
    #expect(name == "Ann Example")
  }
}
