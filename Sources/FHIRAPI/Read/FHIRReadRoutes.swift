// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Localization
import Storage
import Web

/// Reads of single resources and of their versions.
enum FHIRReadRoutes {
  static let all: [Route] = FHIRType.allCases.flatMap { type -> [Route] in
    [
      .fhir(.get, "/fhir/\(type.rawValue)/:id") { call, signedIn in
        try await read(type, call, FHIRCaller(call: call, signedIn: signedIn))
      },
      .fhir(.get, "/fhir/\(type.rawValue)/:id/_history/:version") { call, signedIn in
        // A version that is not a number does not exist.
        guard let version = Int64(try call.parameter("version")) else { throw Failure.notFound }
        return try await read(
          type, call, FHIRCaller(call: call, signedIn: signedIn), version: version)
      },
    ]
  }

  /// Reads the current resource, or one version of it.
  private static func read(
    _ type: FHIRType, _ call: Call, _ caller: FHIRCaller, version: Int64? = nil
  ) async throws -> Response {
    // The media type of a Binary is known only when it is read.
    if type == .binary {
      try FHIRMedia.checkPretty(call)
    } else {
      try FHIRMedia.checkAccept(call)
    }
    let id = try call.parameter("id")
    let subset = try ResourceSubset(reading: call, of: type)
    let found = try await call.environment.database.readBriefly { reader in
      let resources = ResourceReader(caller: caller)
      if let version { return try resources.version(type, id, version, in: reader) }
      return try resources.current(type, id, in: reader)
    }
    let content = try content(of: found.resource, subset, call)
    if let authorization = found.authorization {
      try await call.environment.audit(authorization, count: 1, at: call.now)
    }
    let resource = found.resource
    let lastModified = HTTPDate.text(milliseconds: resource.lastUpdated.milliseconds)
    if ConditionalRead(call).isMet(by: resource) {
      return Response(
        status: .notModified,
        headers: [
          .eTag: resource.etag, .lastModified: lastModified, .cacheControl: "no-store",
        ])
    }
    if let content {
      return content.response(etag: resource.etag, lastModified: lastModified)
    }
    var body = subset.body(of: resource)
    // A version that is requested by its number is returned unchanged.
    if type == .medicationRequest, version == nil, subset.isWhole,
      let language = SentenceLanguage.negotiate(
        acceptLanguage: call.request.headers[.acceptLanguage]),
      let text = String(validating: body, as: UTF8.self),
      let added = GeneratedDosageText.added(to: text, in: language)
    {
      body = added
    }
    return WrittenAnswer(
      status: 200, mediaType: FHIRMedia.type, etag: resource.etag, lastModified: lastModified,
      body: body
    ).response
  }

  /// Returns the content of a Binary; nil if the resource is wanted, whole or in part.
  private static func content(
    of resource: FoundResource, _ subset: ResourceSubset, _ call: Call
  ) throws -> BinaryContent? {
    guard resource.type == .binary, let json = resource.json else { return nil }
    guard subset.isWhole else {
      try FHIRMedia.checkAccept(call)
      return nil
    }
    let content = BinaryContent(json)
    return try content.isWanted(by: call) ? content : nil
  }
}

/// The conditions of a request under which the client already has what it asks for.
struct ConditionalRead {
  private let tags: String?
  private let time: Int64?

  init(_ call: Call) {
    let headers = call.request.headers
    tags = headers[.ifNoneMatch]
    time = headers[.ifModifiedSince].flatMap(HTTPDate.milliseconds)
  }

  /// Returns true if the client has this version; `If-None-Match` takes precedence over `If-Modified-Since`.
  func isMet(by resource: FoundResource) -> Bool {
    if let tags { return FHIRMedia.names(resource.version, in: tags) }
    guard let time else { return false }
    return resource.lastUpdated.milliseconds / 1_000 <= time / 1_000
  }
}
