// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Storage
import Web

/// `Patient/:id/$summary`: the International Patient Summary.
enum SummaryOperation {
  static let routes: [Route] = [HTTPRequest.Method.get, .post].map { method in
    .fhir(method, "/fhir/Patient/:id/$summary") { call, signedIn in
      try await answer(call, signedIn)
    }
  }

  private static let profiles: Set<String> = [
    "http://hl7.org/fhir/uv/ips/StructureDefinition/Bundle-uv-ips",
    "http://hl7.org/fhir/uv/ips/StructureDefinition/Composition-uv-ips",
  ]

  private static func answer(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    try ResourceReader.check(id)
    let patient = PatientID(id)
    // Says nothing about the arguments to those who may not know the person.
    _ = try call.authorize(.read, FHIRType.patient.rawValue, of: patient)
    let arguments = try await OperationArguments.read(
      call, taking: ["profile", "persist"])
    guard try arguments.flag("persist") != true else {
      throw OperationFault.bad("persist", .notSupported, "Summaries are not stored.")
    }
    if let profile = try arguments.text("profile") {
      guard profiles.contains(String(profile.prefix { $0 != "|" })) else {
        throw OperationFault.bad(
          "profile", .notSupported, "Only the International Patient Summary is supported.")
      }
    }
    let resources = OperationResources(caller: FHIRCaller(call: call, signedIn: signedIn))
    let found = try await call.environment.database.read {
      reader -> (SummaryContent, Language?)? in
      guard let content = try SummaryContent.load(patient, resources, in: reader) else {
        return nil
      }
      return (content, try PeopleQueries.language(patient, in: reader))
    }
    guard let (content, language) = found else { throw Failure.notFound }
    try await resources.audit([content.patient] + content.sections.values.flatMap(\.self))
    let document = SummaryDocument(
      content: content, localizer: language.map { Localizer.of($0) } ?? call.localizer,
      base: resources.caller.base, now: call.now)
    return JSONResponse.make(document.json, mediaType: FHIRMedia.type)
  }
}
