// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Records
import Storage
import Web

/// `/fhir/Communication`: messages of conversations, and resources from other systems.
///
/// People who act for the patient see all of them; a member sees only their own conversation. A posted
/// resource is stored unchanged and is not a message: no one here is notified, and only those who
/// act for the patient see it.
enum FHIRCommunicationRoutes {
  static let all: [Route] = [
    .fhir(.get, path, search),
    .fhir(.post, path, create),
    .fhir(.get, "\(path)/:id", read),
  ]

  private static let type = FHIRType.communication.rawValue
  private static let path = "/fhir/Communication"
  private static let largestCount = 200

  // MARK: Reading

  /// Returns the query of an account for a patient's messages; nil if it may see none.
  private static func query(_ patient: PatientID, _ signedIn: SignedIn) -> CommunicationQuery? {
    guard let standing = ChatStanding.of(signedIn.actor, patient: patient) else { return nil }
    return CommunicationQuery(
      patient: patient, member: standing.side == .member ? signedIn.account.id : nil)
  }

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else { throw Failure.notFound }
    let communications = Communications(accounts: call.environment.accounts)
    let found = try await call.environment.database.read { reader in
      guard let patient = try communications.patient(of: id, in: reader),
        var query = query(patient, signedIn)
      else { throw Failure.notFound }
      let authorization = try call.authorize(.read, type, of: patient)
      query.id = id
      query.limit = 1
      guard let found = try communications.search(query, in: reader).found.first else {
        throw Failure.notFound
      }
      return (authorization, found)
    }
    try await call.environment.audit(found.0, count: 1, at: call.now)
    let written = written(found.1, call.baseURL)
    if let etag = written.etag,
      FHIRMedia.names(version(found.1), in: call.request.headers[.ifNoneMatch])
    {
      return Response(
        status: .notModified, headers: [.eTag: etag, .cacheControl: "no-store"])
    }
    return written.response
  }

  private static func version(_ found: FoundCommunication) -> Int64 {
    if case .message(let message) = found, message.withdrawn != nil { 2 } else { 1 }
  }

  private static func body(_ found: FoundCommunication, _ baseURL: String) -> [UInt8] {
    switch found {
    case .message(let message): FHIRCommunication(message: message, baseURL: baseURL).json.bytes
    case .sent(_, let body, _): Array(body.utf8)
    }
  }

  private static func written(_ found: FoundCommunication, _ baseURL: String) -> WrittenAnswer {
    let changed: Timestamp =
      switch found {
      case .message(let message): message.withdrawn ?? message.sent
      case .sent(_, _, let created): created
      }
    return WrittenAnswer(
      status: 200, mediaType: FHIRMedia.type, etag: "W/\"\(version(found))\"",
      lastModified: HTTPDate.text(milliseconds: changed.milliseconds),
      body: body(found, baseURL))
  }

  // MARK: Searching

  private struct Parameters {
    var patient: PatientID?
    var query = CommunicationQuery(patient: PatientID(""), member: nil)
    /// The parameters that were applied, for the links.
    var used: [(String, String)] = []
  }

  private static func search(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    var parameters = Parameters()
    parameters.used = try FHIRParameters.take(of: call, naming: ["patient", "subject"]) {
      try apply($0, to: &parameters, call, signedIn)
    }
    let patient = try PatientChoice.patient(named: parameters.patient?.text, signedIn)
    guard var query = query(patient, signedIn) else {
      return bundle([], total: 0, patient: patient, parameters, call, signedIn)
    }
    let asked = parameters.query
    query.id = asked.id
    query.from = asked.from
    query.until = asked.until
    query.isNotFrom = asked.isNotFrom
    query.isNotUntil = asked.isNotUntil
    query.states = asked.states
    query.limit = asked.limit
    query.offset = asked.offset
    let wanted = query
    let communications = Communications(accounts: call.environment.accounts)
    let (found, total) = try await call.environment.database.read { reader in
      try communications.search(wanted, in: reader)
    }
    switch decideSearch(
      actor: signedIn.actor, resource: type, patient: patient, purpose: .care)
    {
    case .allow(let authorization):
      try await call.environment.readAudit.note(
        authorization, patients: [patient], count: max(1, found.count), at: call.now,
        in: call.environment.database)
    case .deny(let reason): throw reason
    }
    return bundle(found, total: total, patient: patient, parameters, call, signedIn)
  }

  /// Takes one parameter; false for one that is not supported.
  private static func apply(
    _ parameter: SearchParameter, to result: inout Parameters, _ call: Call, _ signedIn: SignedIn
  ) throws -> Bool {
    let value = parameter.values.first ?? ""
    switch parameter.name {
    case "patient", "subject":
      guard parameter.values.count == 1, result.patient == nil else {
        throw Failure.badRequest("not-supported", "Name one patient in the search.")
      }
      result.patient = FHIRParameters.patientID(value, call)
    case "_id": result.query.id = value
    case "status": status(parameter, &result)
    case "sent": try sent(parameter, &result)
    case "_count":
      guard let count = Int(value), count >= 0 else {
        throw Failure.badRequest("value", "_count must be a whole number of 0 or more.")
      }
      result.query.limit = min(count, largestCount)
    // The latest always come first.
    case "_sort" where value == "-sent": break
    case "_format": break
    case "_cursor":
      guard let cursor = SearchCursor(credential: signedIn.credential).open(value),
        let offset = Int(cursor.id), offset >= 0
      else { throw Failure.badRequest("value", "This page link is not valid. Search again.") }
      result.query.offset = offset
    default: return false
    }
    return true
  }

  /// Returns the status: a message is completed; a withdrawn one was entered in error.
  private static func status(_ parameter: SearchParameter, _ result: inout Parameters) {
    let codes = parameter.tokens
      .filter { [nil, FHIRType.communication.statusSystem].contains($0.system) }
      .compactMap(\.code)
    result.query.states = Set(codes).intersection(result.query.states ?? states)
      .intersection(states)
  }

  private static func sent(_ parameter: SearchParameter, _ result: inout Parameters) throws {
    guard parameter.values.count == 1, let date = DateSearchValue(parameter.values.first ?? "")
    else { throw Failure.badRequest("value", "sent must be a date or time.") }
    let bounds = date.instantBounds
    guard !bounds.isExcluded else {
      guard result.query.isNotFrom == 0, result.query.isNotUntil == 0 else {
        throw Failure.badRequest("not-supported", "Send sent=ne only once.")
      }
      result.query.isNotFrom = bounds.atLeast ?? .min
      result.query.isNotUntil = bounds.before ?? .max
      return
    }
    result.query.from = max(result.query.from, bounds.atLeast ?? .min)
    result.query.until = min(result.query.until, bounds.before ?? .max)
  }

  private static func bundle(
    _ found: [FoundCommunication], total: Int, patient: PatientID, _ parameters: Parameters,
    _ call: Call, _ signedIn: SignedIn
  ) -> Response {
    var bundle = SearchBundle(
      base: "\(call.baseURL)\(path)", used: parameters.used, total: total)
    let end = parameters.query.offset + found.count
    if end < total, !found.isEmpty { bundle.next = RecordCursor(patient: patient, id: String(end)) }
    for entry in found { bundle.append(id: entry.id, body: body(entry, call.baseURL)) }
    return bundle.response(signedIn)
  }

  // MARK: Writing

  /// The codes of `event-status`.
  private static let states: Set<String> = [
    "preparation", "in-progress", "not-done", "on-hold", "stopped", "completed",
    "entered-in-error", "unknown",
  ]

  private static func create(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    guard call.request.headers[.ifNoneExist] == nil else {
      throw Failure(
        .preconditionFailed, code: "not-supported",
        detail: "If-None-Exist is not supported here. Leave it out.")
    }
    let (bytes, resource) = try await FHIRBody.read(call)
    guard resource["resourceType"]?.string == type else {
      throw issue(.badRequest, "resourceType", "Send a Communication to this address.")
    }
    guard let patient = subject(resource) else {
      throw issue(
        .unprocessableContent, "Communication.subject",
        "The subject must be written as Patient/id.")
    }
    // Members write messages, so they can't post here.
    switch ChatStanding.of(signedIn.actor, patient: PatientID(patient)) {
    case .acting, .observer: break
    case .member, nil: throw Failure.notFound
    }
    let authorization = try call.authorize(.create, type, of: PatientID(patient))
    guard
      try await call.environment.database.read({
        try PeopleQueries.exists(PatientID(patient), in: $0)
      })
    else { throw Failure.notFound }
    let (status, sent) = try check(resource, at: call.now)
    let (id, now) = (call.environment.newIdentifier(), call.now)
    let body = stamped(resource, id: id, at: now)
    let communications = Communications(accounts: call.environment.accounts)
    let location = "\(call.baseURL)\(path)/\(id)"
    // Answers stored with a key are not encrypted.
    let isMinimal =
      call.request.headers[.idempotencyKey] != nil
      || call.request.headers[.prefer]?.contains("return=minimal") ?? false
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      try communications.keep(
        body, id: id, status: status, sent: sent, authorization, at: now, in: writer)
      return WrittenAnswer(
        status: 201, mediaType: FHIRMedia.type, location: location, etag: "W/\"1\"",
        lastModified: HTTPDate.text(milliseconds: now.milliseconds),
        body: isMinimal ? [] : Array(body.utf8))
    }
  }

  private static func subject(_ resource: JSONValue) -> String? {
    let parts =
      resource["subject"]?["reference"]?.string?
      .split(separator: "/", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, parts[0] == "Patient",
      FHIRIdentifierText.isValidResourceID(String(parts[1]))
    else { return nil }
    return String(parts[1])
  }

  /// Checks the status and the time sent; a mistake is reported with its element.
  private static func check(_ resource: JSONValue, at now: Timestamp) throws -> (String, Timestamp)
  {
    guard let status = resource["status"]?.string, states.contains(status) else {
      throw issue(
        .unprocessableContent, "Communication.status",
        "The status must be a code from event-status.")
    }
    for part in resource["payload"]?.array ?? [] {
      let contents = ["contentString", "contentAttachment", "contentReference"]
        .compactMap { part[$0] }
      guard contents.count == 1 else {
        throw issue(
          .unprocessableContent, "Communication.payload",
          "Each payload must have exactly one content.")
      }
    }
    guard let text = resource["sent"] else { return (status, now) }
    guard let date = text.string.flatMap(FHIRDateTime.init), let sent = date.epochMilliseconds
    else {
      throw issue(
        .unprocessableContent, "Communication.sent", "sent must be a date and time with an offset.")
    }
    return (status, Timestamp(milliseconds: sent))
  }

  private static func stamped(_ resource: JSONValue, id: String, at now: Timestamp) -> String {
    var resource = resource
    resource["id"] = .string(id)
    var meta = resource["meta"] ?? .object(JSONObject())
    meta["versionId"] = "1"
    meta["lastUpdated"] = .string(
      FHIRDateTime.instantText(milliseconds: now.milliseconds, offsetMinutes: 0))
    resource["meta"] = meta
    return resource.text
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
