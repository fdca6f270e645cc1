// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Records
import Storage
import Web

/// Posts and puts plans; each gives doses like a plan made on a page.
enum FHIRWrite {
  static let routes: [Route] = [
    .fhir(.post, "/fhir/MedicationRequest", create),
    .fhir(.put, "/fhir/MedicationRequest/:id", update),
  ]

  private static func create(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard call.request.headers[.ifNoneExist] == nil else {
      // If it were ignored, the plan and its doses would be created twice.
      throw Failure(
        .preconditionFailed, code: "not-supported",
        detail: "If-None-Exist is not supported. PUT the resource with your own id.")
    }
    return try await write(call, signedIn, id: nil, ifVersion: nil)
  }

  private static func update(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else {
      throw Failure.badRequest("value", "The id in the address must be a FHIR id.")
    }
    var version: Int64?
    if let header = call.request.headers[.ifMatch] {
      guard let named = FHIRMedia.entityTags(header).first else {
        throw Failure(
          .preconditionFailed, code: "conflict",
          detail: "If-Match must name a version, such as W/\"1\".")
      }
      version = named
    }
    return try await write(call, signedIn, id: id, ifVersion: version)
  }

  private static func write(
    _ call: Call, _ signedIn: SignedIn, id: String?, ifVersion: Int64?
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let (bytes, parsed) = try await FHIRBody.read(call)
    try checkShape(parsed, id: id)
    let resource = GeneratedFindings.removed(
      from: GeneratedDosageText.removed(from: id == nil ? withoutID(parsed) : parsed))
    let environment = call.environment
    let context = environment.commandContext(for: signedIn, now: call.now)
    let baseURL = call.baseURL
    let preference = call.request.headers[.prefer] ?? ""
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      let result = try PlanCommands.receive(
        resource, id: id.map(PlanID.init), ifVersion: ifVersion, context: context, in: writer)
      let answer = FHIRAnswer(record: result.record, baseURL: baseURL)
      var written = answer.written(status: result.created ? 201 : 200)
      guard !preference.contains("return=minimal") else {
        written.body = []
        return written
      }
      let found = try findings(result.record, call, context, in: writer)
      let amounts = try AmountFinding.unconfirmed(
        MedicationRequestView(resource), subjects: [result.record.id],
        patient: result.record.patient, in: writer)
      if preference.contains("return=OperationOutcome") {
        written.body =
          OperationOutcomeBuilder.json(
            amounts.map { $0.issue(.warning) }, found?.issues ?? []
          ).bytes
      } else if let found, !found.check.isQuiet || !amounts.isEmpty {
        written.body =
          found.annotated(
            try result.record.json(), amounts: amounts, patient: result.record.patient
          ).bytes
      }
      return written
    }
  }

  /// Returns the findings about the stored resource, as far as the client may see them; nil if it has ended.
  private static func findings(
    _ record: StoredRecord, _ call: Call, _ context: CommandContext, in reader: any SQLReader
  ) throws -> MedicineFindings? {
    let patient = record.patient
    let request = MedicationRequestView(try record.json())
    guard let incoming = IncomingMedicine(id: record.id, request: request, isChange: false) else {
      return nil
    }
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: reader)
    let checker = call.medicineChecker(patient: patient, actor: context.actor, zone: zone)
    return MedicineFindings(
      try checker.check(incoming, in: reader), list: checker.list,
      words: DoseFormatter(localizer: call.localizer, zone: zone, now: call.now))
  }

  /// On create the server chooses the id, whatever the client sent.
  private static func withoutID(_ resource: JSONValue) -> JSONValue {
    var resource = resource
    resource["id"] = nil
    return resource
  }

  private static func checkShape(_ resource: JSONValue, id: String?) throws {
    guard let type = resource["resourceType"]?.string else {
      throw issue("resourceType", "Send a FHIR resource with a resourceType.")
    }
    guard type == FHIRType.medicationRequest.rawValue else {
      throw issue("resourceType", "Send a MedicationRequest to this address.")
    }
    guard let id else { return }
    guard resource["id"]?.string == id else {
      throw issue("MedicationRequest.id", "The id must match the id in the address.")
    }
  }

  private static func issue(_ expression: String, _ diagnostics: String) -> Failure {
    Failure(
      .badRequest, code: "invalid", detail: diagnostics,
      issues: [
        FHIRIssue(
          severity: .error, code: .invalid, expression: expression, diagnostics: diagnostics)
      ])
  }
}

extension HTTPField.Name {
  static let prefer = HTTPField.Name("Prefer") ?? .via
  static let ifNoneExist = HTTPField.Name("If-None-Exist") ?? .via
}
