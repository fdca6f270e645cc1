// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Observations
import Records
import Storage
import Web

/// The earlier versions of Observations that were sent.
enum FHIRObservationHistory {
  private static let type = FHIRType.observation.rawValue

  /// Returns all versions, the latest first.
  static func history(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (id, versions) = try await versions(call)
    let base = "\(call.baseURL)/fhir/\(type)/\(id)"
    let entries = versions.map { version -> JSONValue in
      let method = version.body == nil ? "DELETE" : version.version == 1 ? "POST" : "PUT"
      let etag = "W/\"\(version.version)\""
      let status = version.body == nil ? "204" : version.version == 1 ? "201" : "200"
      var entry: JSONValue = [
        "fullUrl": .string(base),
        "request": ["method": .string(method), "url": .string("\(type)/\(id)")],
        "response": [
          "status": .string(status), "etag": .string(etag),
          "lastModified": .string(
            FHIRDateTime.instantText(
              milliseconds: version.changed.milliseconds, offsetMinutes: 0)),
        ],
      ]
      entry["resource"] = version.body.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
      return entry
    }
    let bundle: JSONValue = [
      "resourceType": "Bundle", "type": "history",
      "total": .number(JSONNumber(entries.count)),
      "link": [["relation": "self", "url": .string("\(base)/_history")]],
      "entry": .array(entries),
    ]
    return JSONResponse.make(bundle, mediaType: FHIRMedia.type)
  }

  /// Returns one version.
  static func version(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (_, versions) = try await versions(call)
    guard let number = Int64(try call.parameter("version")),
      let version = versions.first(where: { $0.version == number })
    else { throw Failure.notFound }
    guard let body = version.body else { throw RecordsError.gone }
    return WrittenAnswer(
      status: 200, mediaType: FHIRMedia.type, etag: "W/\"\(version.version)\"",
      lastModified: HTTPDate.text(milliseconds: version.changed.milliseconds),
      body: Array(body.utf8)
    ).response
  }

  /// A calculated day's value has no history.
  private static func versions(_ call: Call) async throws -> (String, [ObservationVersion]) {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else { throw Failure.notFound }
    let (authorization, versions) = try await call.environment.database.read { reader in
      guard
        let patient = try ObservationRows.patient(of: id, in: reader)
          ?? ObservationVersions.patient(ofDeleted: id, in: reader)
      else { throw Failure.notFound }
      return (
        try call.authorize(.read, type, of: patient),
        try ObservationVersions.all(id, patient: patient, in: reader)
      )
    }
    guard !versions.isEmpty else { throw Failure.notFound }
    try await call.environment.audit(authorization, count: versions.count, at: call.now)
    return (id, versions)
  }
}
