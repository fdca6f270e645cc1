// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HealthData
import HTTPTypes
import Hummingbird
import Identifiers
import Observations
import People
import Presentation
import Storage
import Web

/// Creates, changes and deletes Observations, and recalculates the value of their day.
enum FHIRObservationWrite {
  static let all: [Route] = [
    .fhir(.post, "/fhir/Observation", create).takingVitals(),
    .fhir(.put, "/fhir/Observation/:id", update),
    .fhir(.delete, "/fhir/Observation/:id", delete),
    .fhir(.get, "/fhir/Observation/:id/_history", FHIRObservationHistory.history),
    .fhir(.get, "/fhir/Observation/:id/_history/:version", FHIRObservationHistory.version),
  ]

  private static let type = FHIRType.observation.rawValue

  private static func create(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let sent = try await read(call, .create)
    let id = call.environment.newIdentifier()
    let kept = SentObservation(
      id: id, body: text(sent.resource, id: id, version: 1, at: call.now), created: call.now)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let location = "\(call.baseURL)/fhir/\(type)/\(id)"
    return try await IdempotentWrite.perform(call, signedIn, body: sent.bytes) { writer in
      _ = try VitalCommands.take(
        VitalBatch([sent.sample]), patient: sent.subject, isSaid: true, context: context, in: writer
      )
      try ObservationRows.keep(
        kept, sent.sample, patient: sent.subject, context: context, in: writer)
      return WrittenAnswer(
        status: 201, mediaType: FHIRMedia.type, location: location, etag: "W/\"1\"",
        lastModified: HTTPDate.text(milliseconds: kept.created.milliseconds),
        body: Array(kept.body.utf8))
    }
  }

  private static func update(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (id, patient) = try await place(call, .update)
    let ifVersion = try ifMatch(call)
    let sent = try await read(call, .update)
    guard sent.subject == patient else {
      throw issue(
        .unprocessableContent, "Observation.subject",
        "The subject must not change. Create a new resource instead.")
    }
    guard sent.resource["id"]?.string == id else {
      throw issue(
        .badRequest, "Observation.id", "The id must match the id in the address.")
    }
    let commands = try await commands(call, signedIn, patient: patient)
    let now = call.now
    return try await IdempotentWrite.perform(call, signedIn, body: sent.bytes) { writer in
      let made = try commands.update(
        id, ifVersion: ifVersion,
        to: { text(sent.resource, id: id, version: $0, at: now) }, in: writer)
      return WrittenAnswer(
        status: 200, mediaType: FHIRMedia.type, etag: "W/\"\(made.version)\"",
        lastModified: HTTPDate.text(milliseconds: made.changed.milliseconds),
        body: Array((made.body ?? "").utf8))
    }
  }

  private static func delete(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (id, patient) = try await place(call, .delete)
    let ifVersion = try ifMatch(call)
    let commands = try await commands(call, signedIn, patient: patient)
    return try await IdempotentWrite.perform(call, signedIn, body: []) { writer in
      try commands.delete(id, ifVersion: ifVersion, in: writer)
      return WrittenAnswer(status: 204, mediaType: FHIRMedia.type, body: [])
    }
  }

  // MARK: Parts of a request

  /// Returns the current or former patient of the Observation in the address.
  private static func place(_ call: Call, _ action: Action) async throws -> (String, PatientID) {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else { throw Failure.notFound }
    let patient = try await call.environment.database.read { reader in
      try ObservationRows.patient(of: id, in: reader)
        ?? ObservationVersions.patient(ofDeleted: id, in: reader)
    }
    guard let patient else { throw Failure.notFound }
    _ = try call.authorize(action, type, of: patient)
    return (id, patient)
  }

  private static func ifMatch(_ call: Call) throws -> Int64? {
    guard let header = call.request.headers[.ifMatch] else { return nil }
    guard let named = FHIRMedia.entityTags(header).first else {
      throw Failure(
        .preconditionFailed, code: "conflict",
        detail: "If-Match must name a version, such as W/\"1\".")
    }
    return named
  }

  private static func commands(_ call: Call, _ signedIn: SignedIn, patient: PatientID) async throws
    -> ObservationCommands
  {
    let zone = try await VitalIntake.offsets(of: patient, in: call.environment)
    return ObservationCommands(
      patient: patient, context: call.environment.commandContext(for: signedIn, now: call.now)
    ) { body in
      // A stored value is not judged again.
      guard let resource = try? JSONValue(parsing: Array(body.utf8)),
        case .success(let reading) = VitalPost.observation(
          resource, now: Int64.max / 2, zone: zone)
      else { return nil }
      return VitalSample(reading)
    }
  }

  private struct Sent: Sendable {
    let bytes: [UInt8]
    let resource: JSONValue
    let subject: PatientID
    let sample: VitalSample
  }

  /// Returns the body, and the measurement that it contains.
  private static func read(_ call: Call, _ action: Action) async throws -> Sent {
    try FHIRMedia.checkAccept(call)
    let (bytes, resource) = try await FHIRBody.read(call)
    guard resource["resourceType"]?.string == type else {
      throw issue(.badRequest, "resourceType", "Send an Observation to this address.")
    }
    guard let subject = VitalPost.patient(of: resource).map(PatientID.init) else {
      throw issue(
        .unprocessableContent, "Observation.subject", "The subject must be written as Patient/id.")
    }
    _ = try call.authorize(action, type, of: subject)
    let environment = call.environment
    guard try await environment.database.read({ try PeopleQueries.exists(subject, in: $0) })
    else { throw Failure.notFound }
    let zone = try await VitalIntake.offsets(of: subject, in: environment)
    switch VitalPost.observation(resource, now: call.now.milliseconds / 1_000, zone: zone) {
    case .success(let reading):
      return Sent(
        bytes: bytes, resource: resource, subject: subject, sample: VitalSample(reading))
    case .failure(let problem): throw refusal(problem)
    }
  }

  /// Returns the resource as stored, with its id and version.
  private static func text(
    _ resource: JSONValue, id: String, version: Int64, at now: Timestamp
  ) -> String {
    var resource = resource
    resource["id"] = .string(id)
    var meta = resource["meta"] ?? .object(JSONObject())
    meta["versionId"] = .string(String(version))
    meta["lastUpdated"] = .string(
      FHIRDateTime.instantText(milliseconds: now.milliseconds, offsetMinutes: 0))
    resource["meta"] = meta
    return resource.text
  }

  private static func refusal(_ problem: VitalProblem) -> Failure {
    let (expression, text) =
      switch problem {
      case .kind:
        ("Observation.code", "The code must be LOINC 40443-4, 8867-4, 55423-8 or 29463-7.")
      case .unit: ("Observation.valueQuantity.code", "The unit does not match the code.")
      case .value: ("Observation.valueQuantity.value", "The value is outside the possible range.")
      case .date: ("Observation.effectiveDateTime", "Send the time of the measurement.")
      case .future: ("Observation.effectiveDateTime", "The time must not be in the future.")
      case .source: ("Observation.device.display", "The device's name is too long. Shorten it.")
      case .structure: ("Observation.status", "The status must be final, amended or corrected.")
      }
    return issue(.unprocessableContent, expression, text)
  }

  private static func issue(
    _ status: HTTPResponse.Status, _ expression: String, _ diagnostics: String
  ) -> Failure {
    Failure(
      status, code: "value", detail: diagnostics,
      issues: [
        FHIRIssue(severity: .error, code: .value, expression: expression, diagnostics: diagnostics)
      ])
  }
}
