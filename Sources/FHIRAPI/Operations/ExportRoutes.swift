// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import NIOCore
import Presentation
import Storage
import Web

/// `$export`: bulk exports in the background (FHIR Bulk Data Access 2.0).
enum ExportRoutes {
  static let all: [Route] = [
    .fhir(.get, "/fhir/$export") { call, signedIn in try begin(.system, call, signedIn) },
    .fhir(.get, "/fhir/Patient/$export") { call, signedIn in
      try begin(.patients, call, signedIn)
    },
    .fhir(.get, "/fhir/Group/:id/$export", group),
    .fhir(.get, "\(path)/:job", status),
    .fhir(.delete, "\(path)/:job", cancel),
    .fhir(.get, "\(path)/:job/:place", download),
  ]

  private static let path = "/fhir/$export"
  private static let retrySeconds = "5"

  // MARK: Beginning

  private static func group(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("id")
    let resources = OperationResources(caller: FHIRCaller(call: call, signedIn: signedIn))
    guard try await resources.find(.group, id) != nil else { throw Failure.notFound }
    return try begin(.group(id), call, signedIn)
  }

  private static func begin(
    _ level: ExportRequest.Level, _ call: Call, _ signedIn: SignedIn
  ) throws -> Response {
    try FHIRMedia.checkAccept(call)
    // Read-only tokens export nothing, and whole servers and groups are only for systems. An export begins with the
    // people, so an app needs to read them.
    guard !signedIn.actor.scope.onlyReads, level == .patients || signedIn.actor.isSystem,
      signedIn.actor.isWithinApp(.export, FHIRType.patient.rawValue)
    else { throw DenialReason.scopeNotAllowed }
    let preferences = call.request.headers[.prefer] ?? ""
    guard preferences.contains("respond-async") else {
      throw OperationFault.bad(
        "Prefer", .required, "Exports run in the background. Send Prefer: respond-async.")
    }
    let request = try ExportRequest(level, of: call)
    let environment = call.environment
    guard !environment.disk.isShort else { throw StorageError.diskFull }
    let job = ExportJob(
      id: environment.newIdentifier(), request: request,
      caller: FHIRCaller(call: call, signedIn: signedIn),
      cipher: FieldCipher(keys: try KeyRing.generate(random: environment.random)))
    guard environment.exports.add(job) else {
      throw Failure(
        .tooManyRequests, code: "throttled",
        detail: "Too many exports are waiting. Try again later.",
        headers: [.retryAfter: "60"])
    }
    return JSONResponse.make(
      OperationOutcomeBuilder.json([
        FHIRIssue(
          severity: .information, code: .informational,
          diagnostics: "The export begins soon. Ask at the address in Content-Location.")
      ]), status: .accepted, mediaType: FHIRMedia.type,
      headers: [.contentLocation: "\(call.baseURL)\(path)/\(job.id)"])
  }

  // MARK: Waiting

  private static func job(_ call: Call, _ signedIn: SignedIn) throws -> ExportJob {
    guard
      let job = call.environment.exports.job(
        try call.parameter("job"), of: signedIn.account.id, at: call.now)
    else { throw Failure.notFound }
    // An app gets only what was exported within its own scopes.
    let scope = signedIn.actor.scope
    guard scope.app == nil || scope == job.caller.actor.scope else { throw Failure.notFound }
    return job
  }

  private static func status(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let job = try job(call, signedIn)
    switch job.state {
    case .waiting: return waiting("waiting")
    case .running(let count): return waiting("\(count) resources")
    case .failed:
      throw Failure(
        .serviceUnavailable, code: "transient",
        detail: "The export was stopped. Delete it and start it again.")
    case .done(let files):
      return JSONResponse.make(
        manifest(job, files, call),
        headers: [.expires: HTTPDate.text(milliseconds: job.expires.milliseconds)])
    }
  }

  private static func waiting(_ progress: String) -> Response {
    Response(
      status: .accepted,
      headers: [
        .xProgress: progress, .retryAfter: retrySeconds, .cacheControl: "no-store",
      ])
  }

  private static func manifest(
    _ job: ExportJob, _ files: [ExportFile], _ call: Call
  ) -> JSONValue {
    [
      "transactionTime": .string(UTC.text(job.created)),
      "request": .string(job.request.address), "requiresAccessToken": true,
      "output": .array(
        files.enumerated().map { place, file in
          [
            "type": .string(file.type.rawValue),
            "url": .string("\(call.baseURL)\(path)/\(job.id)/\(place)"),
            "count": .number(JSONNumber(file.count)),
          ]
        }),
      "error": [],
    ]
  }

  private static func cancel(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("job")
    if signedIn.actor.scope.app != nil { _ = try job(call, signedIn) }
    guard call.environment.exports.remove(id, of: signedIn.account.id) else {
      throw Failure.notFound
    }
    return Response(status: .accepted, headers: [.cacheControl: "no-store"])
  }

  // MARK: Files

  private static func download(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let job = try job(call, signedIn)
    let files = job.files
    guard let place = Int(try call.parameter("place")), files.indices.contains(place) else {
      throw Failure.notFound
    }
    let file = files[place]
    let cipher = job.cipher
    // Access that ended since then, for example because a person was erased, ends for the file, too.
    guard file.patients.allSatisfy({ signedIn.actor.mayExport(file.type, of: $0) }),
      ExportFileReader(file, cipher: cipher) != nil
    else { throw Failure.notFound }
    let name = "\(file.type.rawValue).ndjson"
    return HistoryExport.file(name, mediaType: "application/fhir+ndjson") { sink in
      guard let reader = ExportFileReader(file, cipher: cipher) else {
        throw StorageError.file(path: file.path, code: 0)
      }
      while let lines = try reader.next() { try await sink.write(ByteBuffer(string: lines)) }
    }
  }
}

extension HTTPField.Name {
  static let xProgress = HTTPField.Name("X-Progress") ?? .via
}
