// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import Hummingbird
import Identifiers
import People
import Presentation
import Records
import Scheduling
import Storage
import Web

/// `POST /api/v1/administrations`: as-needed, extra and free entries, and their undo.
package enum AdministrationsAPI {
  /// The routes that log a dose outside of the schedule, and undo it.
  package static let all: [Route] = [
    .api(.post, "/api/v1/administrations", record),
    .api(.post, "/api/v1/administrations/:administration/undo", takeBack),
  ]

  private static func record(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let body = try JSONBody(parsing: bytes)
    let patient = try PatientChoice.patient(named: try body.text("patient"), signedIn)
    guard let at = try body.instant("at") else {
      throw Failure.unprocessable("required", "Send at: when it was taken.")
    }
    guard let taken = try body.flag("taken") else {
      throw Failure.unprocessable("required", "taken must be true or false.")
    }
    let request = AdministrationRequest(
      patient: patient, medicine: try body.required("medicine"), at: at,
      amount: try body.amount("amount"), taken: taken, reason: try body.text("reason"),
      event: try body.text("event"), confirm: try body.flag("confirm") ?? false)
    let environment = call.environment
    let context = environment.commandContext(for: signedIn, now: call.now)
    _ = try call.authorize(.create, "MedicationAdministration", of: patient)
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      let recorded: RecordedAdministration
      do throws(AnswerError) {
        recorded = try IntakeCommands.record(request, context: context, in: writer)
      } catch {
        throw Failure(
          answer: error, zone: try failureZone(error, of: patient, environment, in: writer))
      }
      var answer = JSONObject()
      answer["id"] = .string(recorded.id.text)
      let zone = try recorded.zone(in: environment.zones)
      answer["dose"] = recorded.dose.map(DoseJSON(zone: zone).json)
      return WrittenAnswer(status: 201, json: .object(answer))
    }
  }

  /// Undoes an entry; undoing it again changes nothing.
  private static func takeBack(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("administration")
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let event = try JSONBody(parsing: bytes).text("event")
    let environment = call.environment
    let context = environment.commandContext(for: signedIn, now: call.now)
    let patient = try await environment.database.read { reader in
      guard
        let patient = try environment.records.patient(
          of: "MedicationAdministration", id: id, in: reader)
      else { throw Failure.notFound }
      return patient
    }
    _ = try call.authorize(.update, "MedicationAdministration", of: patient)
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      do throws(AnswerError) {
        try IntakeCommands.takeBack(
          AdministrationID(id), patient: patient, event: event, context: context, in: writer)
      } catch {
        throw error.failure
      }
      return WrittenAnswer(status: 200, json: ["id": .string(id)])
    }
  }

  /// Returns the time zone for the times in a failure; UTC if there are none.
  private static func failureZone(
    _ error: AnswerError, of patient: PatientID, _ environment: ServerEnvironment,
    in reader: any SQLReader
  ) throws -> Zone {
    switch error {
    case .notFound, .notAuthorized, .invalid, .records, .storage: .utc
    case .answered, .stale, .cancelled, .confirm:
      try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
    }
  }
}
