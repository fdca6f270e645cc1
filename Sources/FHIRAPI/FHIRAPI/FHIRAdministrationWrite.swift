// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Plans
import Prescriptions
import Records
import Storage
import Web

/// Doses given elsewhere, posted and put by other systems: recorded once under their identifier.
enum FHIRAdministrationWrite {
  static let routes: [Route] = [
    .fhir(.post, "/fhir/MedicationAdministration", create),
    .fhir(.put, "/fhir/MedicationAdministration/:id", update),
  ]

  private static let type = FHIRType.medicationAdministration.rawValue

  /// The validated request.
  private struct Sent: Sendable {
    let bytes: [UInt8]
    let patient: PatientID
    let administration: ImportAdministration
  }

  private static func create(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let condition = try condition(call)
    let sent = try await read(call, .create)
    guard condition == nil || condition == sent.administration.keys.first else {
      throw issue(
        "MedicationAdministration.identifier",
        "If-None-Exist must name the resource's first identifier.")
    }
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let baseURL = call.baseURL
    return try await IdempotentWrite.perform(call, signedIn, body: sent.bytes) { writer in
      let key = sent.administration.keys.first
      if condition != nil,
        let known = try ForeignPlans.administration(key, patient: sent.patient, in: writer)
      {
        return try answer(known.text, nil, sent.patient, 200, signedIn, baseURL, in: writer)
      }
      let taken = try refusing { () throws(ImportError) in
        try ImportedAdministrations.take(
          sent.administration, patient: sent.patient, context: context, in: writer)
      }
      guard let administration = taken.administration else {
        throw issue(
          "MedicationAdministration.status",
          "Send no resource with status entered-in-error: none is stored.")
      }
      return try answer(
        administration.text, taken.record, sent.patient, taken.outcome == .recorded ? 201 : 200,
        signedIn, baseURL, in: writer)
    }
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
        "MedicationAdministration.subject",
        "The subject must not change. Create a new resource instead.")
    }
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let baseURL = call.baseURL
    return try await IdempotentWrite.perform(call, signedIn, body: sent.bytes) { writer in
      // An answer given here is corrected here: only data from elsewhere follows its source.
      let taken = try refusing { () throws(ImportError) in
        try ImportedAdministrations.correct(
          AdministrationID(id), to: sent.administration, patient: patient, context: context,
          in: writer)
      }
      guard let taken else {
        throw issue(
          "MedicationAdministration.identifier",
          "The stored resource has another identifier. Send that one, or use another id.")
      }
      return try answer(id, taken.record, patient, 200, signedIn, baseURL, in: writer)
    }
  }

  /// Runs an import and reports mistakes in the resource as issues.
  private static func refusing<Value>(
    _ work: () throws(ImportError) -> Value
  ) throws -> Value {
    do throws(ImportError) {
      return try work()
    } catch {
      guard case .problem(let reason) = error else { throw error }
      throw issue("MedicationAdministration", reason.detail ?? "Refused: \(reason.code).")
    }
  }

  /// - Parameter written: The record, if it was just written; else it is read.
  private static func answer(
    _ id: String, _ written: StoredRecord?, _ patient: PatientID, _ status: Int,
    _ signedIn: SignedIn, _ baseURL: String, in reader: any SQLReader
  ) throws -> WrittenAnswer {
    let decision = decide(
      actor: signedIn.actor, action: .read, patient: patient, resource: type,
      purpose: signedIn.actor.purpose(with: patient))
    guard case .allow(let authorization) = decision else { throw Failure.notFound }
    let record =
      if let written {
        written
      } else {
        try RecordStore().read(type, id, authorization: authorization, in: reader)
      }
    return FHIRAnswer(record: record, baseURL: baseURL).written(status: status)
  }

  // MARK: Reading

  /// Returns the identifier of `If-None-Exist: identifier=system|value`, the only supported form.
  private static func condition(_ call: Call) throws -> String? {
    guard let header = call.request.headers[.ifNoneExist] else { return nil }
    let pairs = FormBody.pairs(of: header)
    guard pairs.count == 1, let pair = pairs.first, pair.name == "identifier",
      let contraindication = pair.value.firstIndex(of: "|"),
      contraindication > pair.value.startIndex,
      pair.value.index(after: contraindication) < pair.value.endIndex
    else {
      throw Failure(
        .preconditionFailed, code: "not-supported",
        detail: "If-None-Exist must be identifier=system|value.")
    }
    return pair.value
  }

  private static func read(
    _ call: Call, _ action: Action, id: String? = nil
  ) async throws -> Sent {
    try FHIRMedia.checkAccept(call)
    let body = try await FHIRBody.read(call)
    var resource = body.resource
    guard resource["resourceType"]?.string == type else {
      throw issue("resourceType", "Send a MedicationAdministration to this address.")
    }
    guard id == nil || resource["id"]?.string == id else {
      throw issue(
        "MedicationAdministration.id", "The id must match the id in the address.")
    }
    guard let reference = resource["subject"]?["reference"]?.string,
      reference.hasPrefix("Patient/")
    else {
      throw issue(
        "MedicationAdministration.subject", "The subject must be a Patient of this server.")
    }
    let patient = String(reference.dropFirst("Patient/".count))
    _ = try call.authorize(action, type, of: PatientID(patient))
    // The server chooses the id of what is created.
    resource["id"] = nil
    var reading = ImportReading()
    reading.add(StreamedEntry(number: 1, resource: .success(resource)))
    let file = reading.result(hasFurtherPages: false)
    guard let administration = file.administrations.first else {
      let problem = file.problems.first?.reason
      throw issue(
        "MedicationAdministration",
        problem?.detail ?? "This is not an R4 MedicationAdministration.")
    }
    return Sent(bytes: body.bytes, patient: PatientID(patient), administration: administration)
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
