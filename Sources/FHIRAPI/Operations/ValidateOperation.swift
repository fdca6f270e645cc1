// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Web

/// `$validate`: checks a resource without storing it.
enum ValidateOperation {
  static let routes: [Route] = FHIRType.allCases.flatMap { type -> [Route] in
    [
      .fhir(.post, "/fhir/\(type.rawValue)/$validate") { call, signedIn in
        try await answer(type, id: nil, call, signedIn)
      },
      .fhir(.post, "/fhir/\(type.rawValue)/:id/$validate") { call, signedIn in
        try await answer(type, id: try call.parameter("id"), call, signedIn)
      },
    ]
  }

  private static let names: Set<String> = ["resource", "mode", "profile"]

  /// The use that the resource is checked for.
  private enum Mode: String {
    case create, update, delete, profile
  }

  private static func answer(
    _ type: FHIRType, id: String?, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    var arguments = try OperationArguments(query: call.request.uri.query ?? "", taking: names)
    let body: JSONValue
    do {
      body = try await OperationBody.resource(of: call)
    } catch let failure as Failure where failure.status == .unprocessableContent {
      // XML that can be read, with elements that R4 does not define.
      return outcome(failure.issues)
    }
    var resource: JSONValue? = body
    if body["resourceType"]?.string == "Parameters" {
      try arguments.take(body, names)
      resource = try arguments.resource("resource")
    }
    let mode = try mode(arguments)
    try checkProfile(arguments, type)
    if mode == .delete { return outcome(try await deletion(type, id, call, signedIn)) }
    guard let resource else {
      throw OperationFault.bad("resource", .required, "Send the resource to check.")
    }
    return outcome(issues(in: resource, type, id: mode == .create ? nil : id, mode))
  }

  private static func outcome(_ issues: [FHIRIssue]) -> Response {
    JSONResponse.make(OperationOutcomeBuilder.json(issues), mediaType: FHIRMedia.type)
  }

  private static func mode(_ arguments: OperationArguments) throws -> Mode? {
    guard let text = try arguments.text("mode") else { return nil }
    guard let mode = Mode(rawValue: text) else {
      throw OperationFault.bad("mode", .value, "mode must be create, update, delete or profile.")
    }
    return mode
  }

  /// Refuses other profiles than the base type's own, because they are not checked here.
  private static func checkProfile(_ arguments: OperationArguments, _ type: FHIRType) throws {
    guard let profile = try arguments.text("profile") else { return }
    let address = profile.prefix { $0 != "|" }
    guard address == "http://hl7.org/fhir/StructureDefinition/\(type.rawValue)" else {
      throw OperationFault.bad(
        "profile", .notSupported,
        "Only the profile of the base type is checked here. Leave the profile out.")
    }
  }

  private static func issues(
    in resource: JSONValue, _ type: FHIRType, id: String?, _ mode: Mode?
  ) -> [FHIRIssue] {
    guard let known = type.resourceType else { return [] }
    var issues = ResourceValidator.issues(in: resource, expecting: known)
    if let id, resource["id"]?.string != id {
      issues.append(
        FHIRIssue(
          code: .value, expression: "\(type.rawValue).id",
          diagnostics: "The id must match the id in the address."))
    }
    if mode == .update, resource["id"] == nil, id == nil {
      issues.append(
        FHIRIssue(
          code: .required, expression: "\(type.rawValue).id",
          diagnostics: "An update needs the id of the resource."))
    }
    if mode == .create || mode == .update, case .readOnly(let source) = type.writing {
      issues.append(
        FHIRIssue(
          code: .notSupported, expression: type.rawValue,
          diagnostics: "\(type.rawValue) is derived from \(source); it is read-only."))
    }
    return issues
  }

  /// Returns the reasons against deleting a resource, which exists for those who may read it.
  private static func deletion(
    _ type: FHIRType, _ id: String?, _ call: Call, _ signedIn: SignedIn
  ) async throws -> [FHIRIssue] {
    guard let id else {
      throw OperationFault.bad("mode", .required, "Name the resource to delete in the address.")
    }
    guard type.isDeletable else {
      return [
        FHIRIssue(
          code: .notSupported, expression: type.rawValue,
          diagnostics: "A \(type.rawValue) cannot be deleted here.")
      ]
    }
    let resources = OperationResources(caller: FHIRCaller(call: call, signedIn: signedIn))
    guard let found = try await resources.find(type, id) else {
      return [
        FHIRIssue(
          code: .notFound, expression: "\(type.rawValue).id",
          diagnostics: "There is no such resource, or you do not have access to it.")
      ]
    }
    let actor = signedIn.actor
    let isAllowed: Bool
    if let patient = found.patient {
      let decision = decide(
        actor: actor, action: .delete, patient: patient, resource: type.rawValue,
        purpose: actor.purpose(with: patient))
      isAllowed = if case .allow = decision { true } else { false }
    } else {
      isAllowed = actor.isSystem && actor.isWithinApp(.delete, type.rawValue)
    }
    guard !isAllowed else { return [] }
    return [
      FHIRIssue(
        code: .forbidden, expression: type.rawValue,
        diagnostics: "Your access does not include deleting it.")
    ]
  }
}
