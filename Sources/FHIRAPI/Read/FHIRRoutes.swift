// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Localization
import Records
import Storage
import Web

/// `/fhir`: the FHIR R4 API, as described by `/fhir/metadata`.
package enum FHIRRoutes {
  /// All routes below `/fhir`; only the metadata can be read without signing in.
  package static let all: [Route] =
    [.open(.get, "/fhir/metadata", as: .fhir, metadata)]
    + FHIRType.stored.flatMap { type -> [Route] in
      [
        .fhir(.get, "/fhir/\(type.rawValue)") { call, signedIn in
          try await FHIRSearch(type: type, call: call, signedIn: signedIn).response()
        },
        .fhir(.get, "/fhir/\(type.rawValue)/:id") { call, _ in
          try await read(type, call)
        },
        .fhir(.get, "/fhir/\(type.rawValue)/:id/_history/:version") { call, _ in
          // A version that is not a number does not exist.
          guard let version = Int64(try call.parameter("version")) else { throw Failure.notFound }
          return try await read(type, call, version: version)
        },
      ]
    } + FHIRWrite.routes + FHIRAdministrationWrite.routes + FHIRDispenseWrite.routes
    + FHIRAuditRoutes.all
    + GrantMirrorRoutes.all
    + FHIRObservationRoutes.all
    + FHIRCommunicationRoutes.all

  private static func metadata(_ call: Call) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    return JSONResponse.make(
      CapabilityStatement.json(baseURL: call.baseURL), mediaType: FHIRMedia.type)
  }

  /// Reads the current resource, or one version of it.
  private static func read(
    _ type: FHIRType, _ call: Call, version: Int64? = nil
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else { throw Failure.notFound }
    let environment = call.environment
    let found = try await environment.database.read { reader in
      guard let patient = try environment.records.patient(of: type.rawValue, id: id, in: reader)
      else { throw Failure.notFound }
      let authorization = try call.authorize(.read, type.rawValue, of: patient)
      let records = environment.records
      let record =
        if let version {
          try records.read(
            type.rawValue, id, version: version, authorization: authorization, in: reader)
        } else {
          try records.read(type.rawValue, id, authorization: authorization, in: reader)
        }
      return (authorization, record)
    }
    try await environment.audit(found.0, count: 1, at: call.now)
    let answer = FHIRAnswer(record: found.1, baseURL: call.baseURL)
    if FHIRMedia.names(found.1.version, in: call.request.headers[.ifNoneMatch]) {
      var headers = HTTPFields()
      headers[.eTag] = answer.etag
      headers[.lastModified] = answer.lastModified
      headers[.cacheControl] = "no-store"
      return Response(status: .notModified, headers: headers)
    }
    var written = answer.written(status: 200)
    // A version that is requested by its number is returned unchanged.
    if type == .medicationRequest, version == nil,
      let language = SentenceLanguage.negotiate(
        acceptLanguage: call.request.headers[.acceptLanguage]),
      let body = GeneratedDosageText.added(to: found.1.body, in: language)
    {
      written.body = body
    }
    return written.response
  }
}
