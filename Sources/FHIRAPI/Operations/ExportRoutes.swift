// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Presentation
import Storage
import Web

/// `$export`: bulk exports in the background (FHIR Bulk Data Access 2.0).
enum ExportRoutes {
  static let all: [Route] = [
    .fhir(.get, "/fhir/$export") { call, signedIn in
      try await begin(.system, call, signedIn)
    },
    .fhir(.get, "/fhir/Patient/$export") { call, signedIn in
      try await begin(.patients, call, signedIn)
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
    return try await begin(.group(id), call, signedIn)
  }

  private static func begin(
    _ level: ExportRequest.Level, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
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
    let (store, accounts, now) = (environment.exports, environment.accounts, call.now)
    let (id, baseURL) = (environment.newIdentifier(), call.baseURL)
    let seed = environment.random(32)
    let replaced = try await environment.database.write { writer -> [StoredExport]? in
      let job = ExportJob(
        id: id, request: request, account: signedIn.account.id,
        access: try accounts.standingAccess(of: signedIn, in: writer), baseURL: baseURL,
        seed: seed, at: now)
      return try store.add(job.stored, in: writer)
    }
    guard let replaced else {
      throw Failure(
        .tooManyRequests, code: "throttled",
        detail: "Too many exports are waiting. Try again later.",
        headers: [.retryAfter: "60"])
    }
    for old in replaced { ExportJob(old)?.removeFiles(environment.settings) }
    return JSONResponse.make(
      OperationOutcomeBuilder.json([
        FHIRIssue(
          severity: .information, code: .informational,
          diagnostics: "The export begins soon. Ask at the address in Content-Location.")
      ]), status: .accepted, mediaType: FHIRMedia.type,
      headers: [.contentLocation: "\(baseURL)\(path)/\(id)"])
  }

  // MARK: Waiting

  /// Returns the export in the address; throws "not found" unless it is the caller's own.
  private static func job(_ call: Call, _ signedIn: SignedIn) async throws -> ExportJob {
    let (id, store, now) = (
      try call.parameter("job"), call.environment.exports, call.now
    )
    let stored = try await call.environment.database.read { reader in
      try store.find(id, at: now, in: reader)
    }
    guard let stored, stored.account == signedIn.account.id, let job = ExportJob(stored) else {
      throw Failure.notFound
    }
    // An app gets only what was exported within its own scopes.
    if let app = signedIn.actor.scope.app {
      let begun = job.access.app
      guard app.scopes.text == begun?.scopes.text, app.patient == begun?.patient else {
        throw Failure.notFound
      }
    }
    return job
  }

  private static func status(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let job = try await job(call, signedIn)
    switch job.stored.state {
    case .waiting: return waiting("waiting")
    case .running: return waiting("\(job.stored.written) resources")
    case .failed: throw failure(job.trouble ?? .error)
    case .done:
      return JSONResponse.make(
        manifest(job, job.files, call),
        headers: [.expires: HTTPDate.text(milliseconds: job.expires.milliseconds)])
    }
  }

  private static func failure(_ trouble: ExportJob.Trouble) -> Failure {
    switch trouble {
    case .access:
      Failure(
        .internalServerError, code: FHIRIssueCode.forbidden.rawValue,
        detail: """
          The access with which the export began ended before it was made. Delete the export, and \
          begin a new one.
          """)
    case .disk:
      Failure(
        .serviceUnavailable, code: "transient",
        detail: "The server had no room for the files. Delete the export, and try again later.")
    case .error:
      Failure(
        .internalServerError, code: FHIRIssueCode.exception.rawValue,
        detail: "The export failed. Delete it, and begin it again.")
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
    let job = try await job(call, signedIn)
    let store = call.environment.exports
    let isDeleted = try await call.environment.database.write { writer in
      try store.delete(job.id, in: writer)
    }
    guard isDeleted else { throw Failure.notFound }
    job.removeFiles(call.environment.settings)
    return Response(status: .accepted, headers: [.cacheControl: "no-store"])
  }

  // MARK: Files

  private static func download(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let job = try await job(call, signedIn)
    let files = job.stored.state == .done ? job.files : []
    guard let place = Int(try call.parameter("place")), files.indices.contains(place) else {
      throw Failure.notFound
    }
    let (file, cipher, settings) = (files[place], try job.cipher(), call.environment.settings)
    // Access that ended since then, for example because a person was erased, ends for the file, too.
    switch file.reach(of: signedIn.actor) {
    case .whole: break
    case .narrowed:
      throw Failure(
        .forbidden, code: FHIRIssueCode.forbidden.rawValue,
        detail: """
          The file has data that is no longer shared with you. Delete the export, and begin a new \
          one.
          """)
    case .none: throw Failure.notFound
    }
    guard ExportFileReader(file, cipher: cipher, settings) != nil else {
      throw Failure(
        .serviceUnavailable, code: "transient",
        detail: """
          The file is on another server of this installation, or lost. Try again. If that does not \
          help, delete the export, and begin it again.
          """, headers: [.retryAfter: retrySeconds])
    }
    let name = "\(file.type.rawValue).ndjson"
    return HistoryExport.file(name, mediaType: "application/fhir+ndjson") { sink in
      guard let reader = ExportFileReader(file, cipher: cipher, settings) else {
        throw StorageError.file(path: file.name, code: 0)
      }
      while let lines = try reader.next() { try await sink.write(ByteBuffer(string: lines)) }
    }
  }
}

extension HTTPField.Name {
  static let xProgress = HTTPField.Name("X-Progress") ?? .via
}
