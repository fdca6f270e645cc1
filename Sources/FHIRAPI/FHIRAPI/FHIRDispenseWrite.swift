// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Plans
import Prescriptions
import Records
import Storage
import Supply
import Web

/// Dispenses posted and put by other systems: stored once under their identifier, and offered for
/// the supply.
enum FHIRDispenseWrite {
  static let routes: [Route] = [
    .fhir(.post, "/fhir/MedicationDispense", create),
    .fhir(.put, "/fhir/MedicationDispense/:id", update),
  ]

  private static let type = FHIRType.medicationDispense.rawValue

  /// The validated request.
  private struct Sent: Sendable {
    let bytes: [UInt8]
    let patient: PatientID
    let dispense: ImportDispense
  }

  private static func create(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard call.request.headers[.ifNoneExist] == nil else {
      throw Failure(
        .preconditionFailed, code: "not-supported",
        detail: "Leave out If-None-Exist: the same identifier is stored once.")
    }
    let sent = try await read(call, .create)
    return try await write(call, signedIn, sent, id: nil)
  }

  private static func update(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else { throw Failure.notFound }
    let records = call.environment.records
    let patient = try await call.environment.database.read { reader in
      try records.patient(of: type, id: id, in: reader)
    }
    guard let patient else { throw Failure.notFound }
    _ = try call.authorize(.update, type, of: patient)
    let sent = try await read(call, .update, id: id)
    guard sent.patient == patient else {
      throw issue(
        "MedicationDispense.subject", "The subject must not change. Create a new resource instead.")
    }
    return try await write(call, signedIn, sent, id: id)
  }

  private static func write(
    _ call: Call, _ signedIn: SignedIn, _ sent: Sent, id: String?
  ) async throws -> Response {
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let baseURL = call.baseURL
    let response = try await IdempotentWrite.perform(call, signedIn, body: sent.bytes) { writer in
      let known = try recordID(of: sent, as: id, context, in: writer)
      guard id == nil || known == id.map(DispenseID.init) else {
        throw issue(
          "MedicationDispense.identifier",
          "The stored resource has another identifier. Send that one, or use another id.")
      }
      try take(sent, as: id, context, in: writer)
      guard let record = try recordID(of: sent, as: id, context, in: writer) else {
        throw issue(
          "MedicationDispense.status",
          "Send no resource with status entered-in-error: none is stored.")
      }
      return try answer(
        record.text, sent.patient, known == nil ? 201 : 200, signedIn, baseURL, in: writer)
    }
    call.environment.live.changed(sent.patient)
    return response
  }

  private static func recordID(
    of sent: Sent, as id: String?, _ context: CommandContext, in reader: any SQLReader
  ) throws -> DispenseID? {
    try refusing { () throws(DispenseError) in
      try DispenseCommands().record(
        sent.dispense, patient: sent.patient, as: id.map(DispenseID.init), context: context,
        in: reader)
    }
  }

  private static func take(
    _ sent: Sent, as id: String?, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try refusing { () throws(DispenseError) in
      try DispenseCommands().take(
        sent.dispense, patient: sent.patient, as: id.map(DispenseID.init), context: context,
        in: writer)
    }
  }

  /// Runs a command and reports the element of refused content.
  private static func refusing<Value>(
    _ work: () throws(DispenseError) -> Value
  ) throws -> Value {
    do throws(DispenseError) {
      return try work()
    } catch {
      switch error {
      case .unreadable(let problem): throw issue("MedicationDispense", problem.description)
      case .plan(let error): throw error
      }
    }
  }

  private static func answer(
    _ id: String, _ patient: PatientID, _ status: Int, _ signedIn: SignedIn, _ baseURL: String,
    in reader: any SQLReader
  ) throws -> WrittenAnswer {
    let decision = decide(
      actor: signedIn.actor, action: .read, patient: patient, resource: type,
      purpose: signedIn.actor.purpose(with: patient))
    guard case .allow(let authorization) = decision else { throw Failure.notFound }
    let record = try RecordStore().read(type, id, authorization: authorization, in: reader)
    return FHIRAnswer(record: record, baseURL: baseURL).written(status: status)
  }

  private static func read(
    _ call: Call, _ action: Action, id: String? = nil
  ) async throws -> Sent {
    try FHIRMedia.checkAccept(call)
    let body = try await FHIRBody.read(call)
    var resource = body.resource
    guard resource["resourceType"]?.string == type else {
      throw issue("resourceType", "Send a MedicationDispense to this address.")
    }
    guard id == nil || resource["id"]?.string == id else {
      throw issue("MedicationDispense.id", "The id must match the id in the address.")
    }
    guard let reference = resource["subject"]?["reference"]?.string,
      reference.hasPrefix("Patient/")
    else {
      throw issue("MedicationDispense.subject", "The subject must be a Patient of this server.")
    }
    let patient = String(reference.dropFirst("Patient/".count))
    _ = try call.authorize(action, type, of: PatientID(patient))
    let requests = (resource["authorizingPrescription"]?.array ?? [])
      .compactMap { $0["reference"]?.string }
    guard Set(requests).count <= ImportDispense.mostRequests else {
      throw issue(
        "MedicationDispense.authorizingPrescription",
        "Name at most \(ImportDispense.mostRequests) different prescriptions.")
    }
    // The server chooses the id of what is created.
    resource["id"] = nil
    var reading = ImportReading()
    reading.add(StreamedEntry(number: 1, resource: .success(resource)))
    let file = reading.result(hasFurtherPages: false)
    guard let dispense = file.dispenses.first else {
      let problem = file.problems.first?.reason
      throw issue("MedicationDispense", problem?.detail ?? "This is not an R4 MedicationDispense.")
    }
    return Sent(bytes: body.bytes, patient: PatientID(patient), dispense: dispense)
  }

  private static func issue(_ expression: String, _ diagnostics: String) -> Failure {
    Failure(
      .unprocessableContent, code: "invalid", detail: diagnostics,
      issues: [
        FHIRIssue(
          severity: .error, code: .invalid, expression: expression, diagnostics: diagnostics)
      ])
  }
}
