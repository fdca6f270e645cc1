// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Records
import Storage
import Web

/// `Patient/:id/$everything`: all resources of a patient that the caller may read, in pages.
enum EverythingOperation {
  static let routes: [Route] = [HTTPRequest.Method.get, .post].map { method in
    .fhir(method, path) { call, signedIn in try await answer(call, signedIn) }
  }

  private static let path = "/fhir/Patient/:id/$everything"
  private static let names: Set<String> = ["_count", "_since", "_type", "start", "end", "_cursor"]
  private static let standardCount = 50
  private static let largestCount = 500
  /// The most shared resources that one page includes.
  private static let mostIncluded = 500

  private static func answer(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else { throw Failure.notFound }
    let patient = PatientID(id)
    // Says nothing about the arguments to those who may not know the person.
    let reading = try call.authorize(.read, FHIRType.patient.rawValue, of: patient)
    let arguments = try await OperationArguments.read(call, taking: names)
    let request = try EverythingRequest(
      arguments, largestCount: largestCount, standardCount: standardCount, signedIn)
    let resources = OperationResources(caller: FHIRCaller(call: call, signedIn: signedIn))
    let environment = call.environment
    let page = try await environment.database.read { reader in
      _ = try environment.records.read(
        FHIRType.patient.rawValue, id, authorization: reading, in: reader)
      return try Self.page(request, of: patient, resources, in: reader)
    }
    try await audit(page.matches, of: patient, resources)
    return bundle(page, request, id: id, arguments, call, signedIn)
  }

  // MARK: Reading

  private struct Page: Sendable {
    var matches: [FoundResource] = []
    var included: [FoundResource] = []
    var next: EverythingPlace?
  }

  private static func page(
    _ request: EverythingRequest, of patient: PatientID, _ resources: OperationResources,
    in reader: any SQLReader
  ) throws -> Page {
    var page = Page()
    let parts = request.parts
    var place = request.place ?? parts.first.map { EverythingPlace(part: $0, after: nil) }
    while let current = place, page.matches.count < request.count {
      guard let number = parts.firstIndex(of: current.part) else { break }
      let following = number + 1 < parts.count ? parts[number + 1] : nil
      let found = try Self.read(
        current, request, count: request.count - page.matches.count, of: patient, resources,
        in: reader)
      page.matches += found.resources
      place =
        if let next = found.next {
          EverythingPlace(part: current.part, after: next)
        } else {
          following.map { EverythingPlace(part: $0, after: nil) }
        }
    }
    page.next = place
    page.included = try resources.shared(
      referredToBy: page.matches, atMost: mostIncluded, in: reader
    ).filter { request.includes($0.type) }
    return page
  }

  private static func read(
    _ place: EverythingPlace, _ request: EverythingRequest, count: Int, of patient: PatientID,
    _ resources: OperationResources, in reader: any SQLReader
  ) throws -> OperationResources.Page {
    let type = place.part.type
    guard let authorization = resources.caller.permission(type, of: patient) else {
      return OperationResources.Page(resources: [])
    }
    return try resources.page(
      place.part, of: patient, matching: request.criteria(for: type), count: count,
      after: place.after, authorization: authorization, in: reader)
  }

  /// Records the read of each type; a page without results is a read of the person.
  private static func audit(
    _ matches: [FoundResource], of patient: PatientID, _ resources: OperationResources
  ) async throws {
    guard !matches.isEmpty else {
      return try await resources.audit(.patient, of: patient, count: 1)
    }
    try await resources.audit(matches)
  }

  // MARK: Writing

  private static func bundle(
    _ page: Page, _ request: EverythingRequest, id: String, _ arguments: OperationArguments,
    _ call: Call, _ signedIn: SignedIn
  ) -> Response {
    let base = "\(call.baseURL)/fhir"
    let address = "\(base)/Patient/\(id)/$everything"
    let used = arguments.arguments.compactMap { argument -> (String, String)? in
      guard argument.name != "_cursor" else { return nil }
      return (argument.name, argument.value?.string ?? argument.value?.text ?? "")
    }
    var links = [link("self", address, used)]
    if let next = page.next {
      let cursor = SearchCursor(credential: signedIn.credential).seal(next.cursor(id))
      links.append(link("next", address, used + [("_cursor", cursor)]))
    }
    var head: JSONValue = [
      "resourceType": "Bundle", "type": "searchset", "link": .array(links),
    ]
    if request.place == nil, page.next == nil {
      head["total"] = .number(JSONNumber(page.matches.count))
    }
    var bytes = head.bytes
    bytes.removeLast()
    var isFirst = true
    for (resource, mode) in page.matches.map({ ($0, "match") })
      + page.included.map({ ($0, "include") })
    {
      bytes.append(contentsOf: (isFirst ? ",\"entry\":[" : ",").utf8)
      isFirst = false
      bytes.append(contentsOf: "{\"fullUrl\":".utf8)
      JSONValue.string("\(base)/\(resource.type.rawValue)/\(resource.id)").write(into: &bytes)
      bytes.append(contentsOf: ",\"resource\":".utf8)
      bytes.append(contentsOf: resource.body)
      bytes.append(contentsOf: ",\"search\":{\"mode\":\"\(mode)\"}}".utf8)
    }
    bytes.append(contentsOf: (isFirst ? "}" : "]}").utf8)
    return JSONResponse.make(bytes: bytes, mediaType: FHIRMedia.type)
  }

  private static func link(
    _ relation: String, _ address: String, _ parameters: [(String, String)]
  ) -> JSONValue {
    let query = parameters.map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }
    let url = query.isEmpty ? address : "\(address)?\(query.joined(separator: "&"))"
    return ["relation": .string(relation), "url": .string(url)]
  }
}
