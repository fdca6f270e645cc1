// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import Records
import Storage
import Web

/// The versions of one resource, of all resources of a type, and of all types.
enum FHIRHistoryRoutes {
  static let all: [Route] = instances + types + [system]

  private static let instances = FHIRType.allCases.map { type -> Route in
    .fhir(.get, "/fhir/\(type.rawValue)/:id/_history") { call, signedIn in
      try await instance(type, call, FHIRCaller(call: call, signedIn: signedIn))
    }
  }

  private static let served = FHIRType.allCases.filter(\.hasTypeHistory)

  private static let types = served.map { type -> Route in
    .fhir(.get, "/fhir/\(type.rawValue)/_history") { call, signedIn in
      try await versions(
        of: [type], call, FHIRCaller(call: call, signedIn: signedIn),
        at: "\(type.rawValue)/_history")
    }
  }

  private static let system = Route.fhir(.get, "/fhir/_history") { call, signedIn in
    try await versions(
      of: served, call, FHIRCaller(call: call, signedIn: signedIn), at: "_history")
  }

  private static func instance(
    _ type: FHIRType, _ call: Call, _ caller: FHIRCaller
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    try ResourceReader.check(id)
    let address = "\(caller.base)/\(type.rawValue)/\(id)/_history"
    let request = try HistoryRequest(caller, address: address)
    let page = try await caller.environment.database.read { reader in
      try HistoryFinder(caller: caller).versions(of: type, id, request, in: reader)
    }
    if let authorization = page.authorization {
      try await caller.environment.audit(
        authorization, count: page.versions.count, at: caller.now)
    }
    return HistoryBundle(caller: caller, address: address, request: request, page: page).response
  }

  private static func versions(
    of types: [FHIRType], _ call: Call, _ caller: FHIRCaller, at path: String
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let address = "\(caller.base)/\(path)"
    let request = try HistoryRequest(caller, address: address)
    let page = try await caller.environment.database.read { reader in
      try HistoryFinder(caller: caller).versions(of: types, request, in: reader)
    }
    for (type, versions) in Dictionary(grouping: page.versions, by: \.type) {
      let patients = Set(versions.compactMap(\.patient))
      guard !patients.isEmpty, case .allow(let authorization) = caller.search(type) else {
        continue
      }
      try await caller.environment.readAudit.note(
        authorization, patients: patients, count: versions.count, at: caller.now,
        in: caller.environment.database)
    }
    return HistoryBundle(caller: caller, address: address, request: request, page: page).response
  }
}

/// The Bundle of a page of versions, written around the bytes of the resources.
struct HistoryBundle {
  let caller: FHIRCaller
  let address: String
  let request: HistoryRequest
  let page: HistoryFinder.Page

  /// The Bundle as an answer.
  var response: Response {
    var links = [SearchBundle.link("self", address, request.used)]
    if let next = page.next {
      let cursor = HistoryRequest.seal(caller, address).seal(next)
      links.append(SearchBundle.link("next", address, request.used + [("_cursor", cursor)]))
    }
    var head: JSONValue = ["resourceType": "Bundle", "type": "history"]
    if page.next == nil, request.after == nil {
      head["total"] = .number(JSONNumber(page.versions.count))
    }
    head["link"] = .array(links)
    var bytes = head.bytes
    if !page.versions.isEmpty {
      bytes.removeLast()
      bytes.append(contentsOf: ",\"entry\":[".utf8)
      for (index, version) in page.versions.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(version, to: &bytes)
      }
      bytes.append(contentsOf: "]}".utf8)
    }
    return JSONResponse.make(bytes: bytes, mediaType: FHIRMedia.type)
  }

  private func append(_ version: FoundResource, to bytes: inout [UInt8]) {
    let (type, id) = (version.type.rawValue, version.id)
    let method =
      switch version.operation {
      case .create: "POST"
      case .update: "PUT"
      case .delete: "DELETE"
      }
    let status =
      switch version.operation {
      case .create: "201"
      case .update: "200"
      case .delete: "204"
      }
    let entry: JSONValue = [
      "fullUrl": .string("\(caller.base)/\(type)/\(id)"),
      "request": [
        "method": .string(method),
        "url": .string(version.operation == .create ? type : "\(type)/\(id)"),
      ],
      "response": [
        "status": .string(status), "etag": .string(version.etag),
        "lastModified": .string(
          FHIRDateTime.instantText(
            milliseconds: version.lastUpdated.milliseconds, offsetMinutes: 0)),
      ],
    ]
    entry.write(into: &bytes)
    guard !version.isDeleted else { return }
    bytes.removeLast()
    bytes.append(contentsOf: ",\"resource\":".utf8)
    version.append(to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }
}
