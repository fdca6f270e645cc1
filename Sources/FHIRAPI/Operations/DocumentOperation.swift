// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import ReportPages
import Storage
import Web

/// `Composition/:id/$document`: a stored Composition with everything that it refers to, or the report for a visit.
enum DocumentOperation {
  static let routes: [Route] = [HTTPRequest.Method.get, .post].map { method in
    .fhir(method, "/fhir/Composition/:id/$document") { call, signedIn in
      try await answer(call, signedIn)
    }
  }

  /// The start of the id of a patient's visit report; the patient's id follows.
  static let visitReport = "visit-report-"

  private static let names: Set<String> = ["persist", "graph", "start", "end"]
  private static let mostEntries = 1_000

  private static func answer(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    let resources = OperationResources(caller: FHIRCaller(call: call, signedIn: signedIn))
    if let document = try await stored(id, resources) {
      let arguments = try await arguments(call)
      guard try arguments.text("start") == nil, try arguments.text("end") == nil else {
        throw OperationFault.bad(
          "start", .notSupported, "Only the report for a visit has a period. Leave it out.")
      }
      try await resources.audit(document)
      return JSONResponse.make(
        json(document, resources.caller), mediaType: FHIRMedia.type)
    }
    guard id.hasPrefix(visitReport) else { throw Failure.notFound }
    return try await report(id, call, signedIn)
  }

  private static func arguments(_ call: Call) async throws -> OperationArguments {
    let arguments = try await OperationArguments.read(call, taking: names)
    guard try arguments.flag("persist") != true else {
      throw OperationFault.bad(
        "persist", .notSupported, "Documents are not stored. Post the Bundle to /fhir/Bundle.")
    }
    guard try arguments.text("graph") == nil else {
      throw OperationFault.bad("graph", .notSupported, "Graphs are not supported. Leave it out.")
    }
    return arguments
  }

  // MARK: Stored compositions

  /// Returns a stored Composition and what it refers to, as far as the caller may read it; nil if there is none.
  private static func stored(
    _ id: String, _ resources: OperationResources
  ) async throws -> [FoundResource]? {
    try await resources.caller.environment.database.read { reader in
      guard let composition = try resources.find(.composition, id, in: reader) else { return nil }
      var seen: Set = [composition.key]
      let direct = try resources.targets(
        of: [composition], seen: &seen, atMost: mostEntries, in: reader
      ) { _ in true }
      let all = [composition] + direct
      let shared = try resources.shared(
        referredToBy: all, atMost: mostEntries - direct.count, in: reader)
      return all + shared
    }
  }

  private static func json(_ document: [FoundResource], _ caller: FHIRCaller) -> JSONValue {
    let base = caller.base
    let identity = document.first.map {
      ["document", base, $0.id, "\($0.version)", "\(caller.now.milliseconds)"]
    }
    return [
      "resourceType": "Bundle",
      "identifier": [
        "system": "urn:ietf:rfc:3986", "value": .string(DocumentIdentity.urn(identity ?? [])),
      ],
      "type": "document", "timestamp": .string(UTC.text(caller.now)),
      "entry": .array(
        document.compactMap { resource -> JSONValue? in
          guard let json = resource.json else { return nil }
          return [
            "fullUrl": .string("\(base)/\(resource.type.rawValue)/\(resource.id)"),
            "resource": json,
          ]
        }),
    ]
  }

  // MARK: The report for a visit

  private static func report(
    _ id: String, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    let patient = String(id.dropFirst(visitReport.count))
    try ResourceReader.check(patient)
    // The report is a whole, of which no part can be left out for an app.
    guard signedIn.actor.scope.app == nil else { throw DenialReason.scopeNotAllowed }
    // Says nothing about the arguments to those who may not know the person.
    _ = try call.authorize(.read, FHIRType.patient.rawValue, of: PatientID(patient))
    let arguments = try await arguments(call)
    let document = try await VisitReportDocument.json(
      of: PatientID(patient), id: FHIRIdentifierText.isValidResourceID(id) ? id : nil,
      first: try arguments.text("start"), last: try arguments.text("end"), call, signedIn)
    guard let document else {
      throw OperationFault.bad(
        "start", .value,
        "start and end must be dates such as 2026-03-01, in order and at most ten years apart.")
    }
    return JSONResponse.make(document, mediaType: FHIRMedia.type)
  }
}
