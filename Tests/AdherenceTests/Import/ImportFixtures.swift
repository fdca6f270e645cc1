// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Plans
import Prescriptions
import Storage
import Supply
import Testing
import TestSupport

/// Small invented files of every form.
enum ImportFixtures {
  static let patient =
    #"{"fullUrl":"urn:uuid:11111111-1111-4111-8111-111111111111","resource":{"resourceType":"Patient","id":"hospital-1","identifier":[{"system":"urn:mrn","value":"7"}],"name":[{"family":"Example","given":["Ann"]}],"birthDate":"1948-07-02"}}"#
  static let medication =
    #"{"fullUrl":"urn:uuid:22222222-2222-4222-8222-222222222222","resource":{"resourceType":"Medication","code":{"text":"Metoprolol 50 mg"}}}"#
  static let practitioner =
    #"{"fullUrl":"urn:uuid:33333333-3333-4333-8333-333333333333","resource":{"resourceType":"Practitioner","name":[{"text":"Dr. Berg"}]}}"#

  static func bundle(_ entries: [String], type: String = "collection") -> String {
    #"{"resourceType":"Bundle","type":"\#(type)","entry":["# + entries.joined(separator: ",") + "]}"
  }

  static func entry(_ resource: String, url: String? = nil) -> String {
    let address = url.map { #""fullUrl":"\#($0)","# } ?? ""
    return "{\(address)\"resource\":\(resource)}"
  }

  static func request(
    id: String = "r1", status: String = "active", times: [String] = ["08:00:00"],
    medicine: String = #""medicationCodeableConcept":{"text":"Bisoprolol 2.5 mg"}"#,
    subject: String = "urn:uuid:11111111-1111-4111-8111-111111111111", extra: String = ""
  ) -> String {
    let clock = times.map { "\"\($0)\"" }.joined(separator: ",")
    return
      #"{"resourceType":"MedicationRequest","id":"\#(id)","status":"\#(status)","intent":"order",\#(medicine),"subject":{"reference":"\#(subject)"},\#(extra)"dosageInstruction":[{"text":"as told","timing":{"repeat":{"timeOfDay":[\#(clock)]}},"doseAndRate":[{"doseQuantity":{"value":1,"unit":"tablet"}}]}]}"#
  }

  static func administration(
    id: String = "a1", status: String = "completed", at: String = "2026-02-27T08:05:00+01:00",
    request: String? = nil, subject: String = "urn:uuid:11111111-1111-4111-8111-111111111111",
    medicine: String = "Bisoprolol 2.5 mg"
  ) -> String {
    let link = request.map { #""request":{"reference":"\#($0)"},"# } ?? ""
    return
      #"{"resourceType":"MedicationAdministration","id":"\#(id)","status":"\#(status)","medicationCodeableConcept":{"text":"\#(medicine)"},"subject":{"reference":"\#(subject)"},\#(link)"effectiveDateTime":"\#(at)","performer":[{"actor":{"display":"Nurse Joy"}}],"dosage":{"dose":{"value":1,"unit":"tablet"}}}"#
  }

  /// Returns the content of a file.
  static func file(_ text: String) -> ImportFile {
    var reading = ImportReading()
    var stream = ResourceStream()
    stream.append(Array(text.utf8)) { reading.add($0) }
    stream.finish { reading.add($0) }
    return reading.result(hasFurtherPages: stream.hasFurtherPages)
  }

  static func file(_ entries: [String]) -> ImportFile { file(bundle(entries)) }
}

extension TestPlace {
  /// Imports a file for the patient of the place.
  func take(_ text: String, accept: Bool = false) async throws -> ImportReport {
    let matching = try await database.read { reader in
      try ImportMatcher.load(TestPlace.patient, in: reader)
    }
    let file = ImportFixtures.file(text)
    let own = file.only(matching.own(among: file.subjects))
    let context = context
    return try await ImportRun(
      database: database, patient: TestPlace.patient, source: "test", accept: accept,
      dispenses: DispenseCommands(), context: { context }
    ).perform(own)
  }

  func openProposals() async throws -> [Proposal] {
    try await database.read { try ProposalQueries.open(patient: TestPlace.patient, in: $0) }
  }

  func plans() async throws -> [Plan] {
    try await database.read { try PlanQueries.all(patient: TestPlace.patient, in: $0) }
  }

  func accept(_ proposal: ProposalID) async throws -> PlanID {
    let context = context
    return try await database.write { writer in
      try ProposalCommands.accept(
        proposal, patient: TestPlace.patient, context: context, in: writer)
    }
  }

  func decline(_ proposal: ProposalID) async throws {
    let context = context
    try await database.write { writer in
      try ProposalCommands.decline(
        proposal, patient: TestPlace.patient, context: context, in: writer)
    }
  }

  func intakes() async throws -> [Intake] {
    try await database.read { reader in
      try IntakeQueries.recent(
        patient: TestPlace.patient, from: Timestamp(milliseconds: 0),
        until: Timestamp("2030-01-01T00:00:00Z"), in: reader)
    }
  }

  /// Returns the number of rows of a table.
  func count(_ table: StaticString) async throws -> Int64 {
    try await database.read { reader in
      var sql: SQLText = "SELECT count(*) FROM "
      sql.append(table)
      return try reader.first(dynamic: sql)?.integer(0) ?? -1
    }
  }
}
