// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// Reads the bodies of requests that write.
enum WriteBody {
  /// Returns the resource of a request with the bytes that it was sent as; throws the failure 400 for
  /// one of another type.
  static func resource(
    of call: Call, _ type: ResourceType
  ) async throws -> (bytes: [UInt8], resource: JSONValue) {
    let sent = try await FHIRBody.read(call)
    try check(sent.resource, type)
    return sent
  }

  /// Throws the failure 400 for a resource of another type.
  static func check(_ resource: JSONValue, _ type: ResourceType) throws {
    guard let stated = resource["resourceType"]?.string else {
      throw Failure.element(
        .badRequest, .invalid, "resourceType", "Send a FHIR resource with a resourceType.")
    }
    guard stated == type.rawValue else {
      throw Failure.element(
        .badRequest, .invalid, "resourceType", "Send a resource of type \(type.rawValue) here.")
    }
  }

  // MARK: Patches

  private static let jsonPatch = "application/json-patch+json"
  private static let mergePatch = "application/merge-patch+json"

  /// Returns the patch of a request with the bytes of its body; throws the failure 415 for any other
  /// form.
  static func patch(of call: Call) async throws -> (bytes: [UInt8], patch: ResourcePatch) {
    let stated = call.request.headers[.contentType] ?? ""
    let type = stated.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    if type == jsonPatch {
      let bytes = try await BodyReader.bytes(of: call)
      return (bytes, try patch(try JSONValue(parsing: bytes), isFHIR: false))
    }
    if type == mergePatch || type == "application/json" {
      let bytes = try await BodyReader.bytes(of: call)
      let document = try JSONValue(parsing: bytes)
      // Public clients send any of the three forms as plain JSON.
      if type != mergePatch, document.array != nil || document["resourceType"] == "Parameters" {
        return (bytes, try patch(document, isFHIR: document.array == nil))
      }
      return (
        bytes,
        try reading { () throws(PatchProblem) in
          .merge(try MergePatch(parsing: document))
        }
      )
    }
    guard let format = FHIRFormat(contentType: stated), type == format.mediaType else {
      let taken = ([jsonPatch, mergePatch] + FHIRFormat.allCases.map(\.mediaType)).joined(
        separator: ", ")
      throw Failure(
        .unsupportedMediaType, code: FHIRIssueCode.notSupported.rawValue,
        detail: """
          Send a JSON Patch, a merge patch, or a FHIRPath Patch as a Parameters resource: \(taken).
          """,
        headers: [.acceptPatch: taken])
    }
    let sent = try await FHIRBody.read(call)
    return (sent.bytes, try patch(sent.resource, isFHIR: true))
  }

  /// Returns the patch in a document; throws the failure 400 with what is wrong in it.
  static func patch(_ document: JSONValue, isFHIR: Bool) throws -> ResourcePatch {
    try reading { () throws(PatchProblem) in
      guard isFHIR else { return .json(try JSONPatch(parsing: document)) }
      return .fhirPath(try FHIRPathPatch(parsing: document))
    }
  }

  private static func reading(
    _ work: () throws(PatchProblem) -> ResourcePatch
  ) throws -> ResourcePatch {
    do throws(PatchProblem) {
      return try work()
    } catch {
      throw Failure(
        .badRequest, code: error.code.rawValue, detail: error.diagnostics, issues: [error.issue])
    }
  }
}
