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
    .fhir(method, "/fhir/Patient/:id/$everything") { call, signedIn in
      try await answer(call, signedIn)
    }
  }

  private static let names: Set<String> = ["_count", "_since", "_type", "start", "end", "_cursor"]
  /// The most shared resources that one page includes.
  private static let mostIncluded = 500

  private static func answer(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    try ResourceReader.check(id)
    let patient = PatientID(id)
    // Says nothing about the arguments to those who may not know the person.
    let reading = try call.authorize(.read, FHIRType.patient.rawValue, of: patient)
    let arguments = try await OperationArguments.read(call, taking: names)
    let request = try EverythingRequest(
      arguments, address: "\(call.baseURL)/fhir/Patient/\(id)/$everything", signedIn)
    let resources = OperationResources(caller: FHIRCaller(call: call, signedIn: signedIn))
    let environment = call.environment
    let page = try await environment.database.read { reader in
      _ = try environment.records.read(
        FHIRType.patient.rawValue, id, authorization: reading, in: reader)
      return try Self.page(request, of: patient, resources, in: reader)
    }
    if page.matches.isEmpty {
      // A page without results is a read of the person.
      try await environment.audit(reading, count: 1, at: call.now)
    } else {
      try await resources.audit(page.matches)
    }
    var bundle = SearchBundle(
      base: resources.caller.base, address: request.address, used: request.used,
      // With more than one page, all of them would have to be counted.
      total: request.place == nil && page.next == nil ? page.matches.count : nil,
      next: page.next.map { request.seal($0, of: patient) })
    let whole = ResourceSubset(summary: nil, elements: [])
    for resource in page.matches { bundle.append(resource, whole, mode: .match) }
    for resource in page.included { bundle.append(resource, whole, mode: .include) }
    return JSONResponse.make(bytes: bundle.bytes, mediaType: FHIRMedia.type)
  }

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
    let types = request.patientTypes
    var place = request.place ?? types.first.map { EverythingPlace(type: $0, after: nil) }
    while let current = place, page.matches.count < request.count {
      let found = try resources.page(
        current.type, of: patient, matching: request.criteria(for: current.type),
        count: request.count - page.matches.count, after: current.after, in: reader)
      page.matches += found.resources
      if let next = found.next {
        place = EverythingPlace(type: current.type, after: next)
      } else {
        let following = types.drop { $0 != current.type }.dropFirst().first
        place = following.map { EverythingPlace(type: $0, after: nil) }
      }
    }
    page.next = place
    page.included = try resources.shared(
      referredToBy: page.matches, atMost: mostIncluded, in: reader
    ).filter { request.includes($0.type) }
    return page
  }
}
