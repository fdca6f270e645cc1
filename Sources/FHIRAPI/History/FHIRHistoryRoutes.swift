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
      try await versions(.resource(type, try call.parameter("id")), call, signedIn)
    }
  }

  private static let types = HistoryEngine.types.map { type -> Route in
    .fhir(.get, "/fhir/\(type.rawValue)/_history") { call, signedIn in
      try await versions(.type(type), call, signedIn)
    }
  }

  private static let system = Route.fhir(.get, "/fhir/_history") { call, signedIn in
    try await versions(.system, call, signedIn)
  }

  private static func versions(
    _ scope: HistoryEngine.Scope, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let engine = HistoryEngine(
      scope: scope, caller: FHIRCaller(call: call, signedIn: signedIn))
    let request = try engine.request(engine.caller.query)
    let page = try await call.environment.database.read { try engine.page(request, in: $0) }
    try await engine.audit(page)
    return JSONResponse.make(
      bytes: engine.bundle(request, page).bytes, mediaType: FHIRMedia.type)
  }
}

/// The Bundle of a page of versions, written around the bytes of the resources.
struct HistoryBundle {
  let caller: FHIRCaller
  let address: String
  let request: HistoryRequest
  let page: HistoryFinder.Page

  /// The JSON of the Bundle.
  var bytes: [UInt8] {
    var links = [SearchBundle.link("self", address, request.used)]
    if let next = page.next {
      let cursor = HistoryRequest.seal(caller, address).seal(next)
      links.append(SearchBundle.link("next", address, request.used + [("_cursor", cursor)]))
    }
    var head: JSONValue = ["resourceType": "Bundle", "type": "history"]
    if let total = page.total {
      head["total"] = .number(JSONNumber(total))
    } else if page.next == nil, request.after == nil {
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
    return bytes
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
