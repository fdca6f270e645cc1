// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// Reads the bodies of requests that write.
enum FHIRBody {
  /// A resource with the bytes that it was sent as.
  struct Sent: Sendable {
    let bytes: [UInt8]
    let resource: JSONValue
  }

  /// Returns the resource of a request; throws the failure 400 for one of another type.
  static func resource(of call: Call, _ type: ResourceType) async throws -> Sent {
    let format = try FHIRContent.format(of: call)
    let bytes = try await BodyReader.bytes(of: call)
    let resource = try FHIRContent.resource(bytes, as: format)
    try check(resource, type)
    return Sent(bytes: bytes, resource: resource)
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

  /// Returns the patch of a request with the bytes of its body; throws the failure 415 for any other
  /// form.
  static func patch(of call: Call) async throws -> (bytes: [UInt8], patch: ResourcePatch) {
    let field = call.request.headers[.contentType] ?? ""
    let type = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    let format = FHIRFormat(contentType: field)
    guard type == jsonPatch || format != nil && type != "application/json" else {
      throw Failure(
        .unsupportedMediaType, code: FHIRIssueCode.notSupported.rawValue,
        detail: """
          Send a JSON Patch as \(jsonPatch), or a FHIRPath Patch as a Parameters resource in \
          \(FHIRFormat.json.mediaType) or \(FHIRFormat.xml.mediaType).
          """,
        headers: [
          .acceptPatch: """
            \(jsonPatch), \(FHIRFormat.json.mediaType), \(FHIRFormat.xml.mediaType)
            """
        ])
    }
    let bytes = try await BodyReader.bytes(of: call)
    let document = try FHIRContent.resource(bytes, as: format ?? .json)
    return (bytes, try patch(document, isFHIR: format != nil))
  }

  /// Returns the patch in a document; throws the failure 400 with what is wrong in it.
  static func patch(_ document: JSONValue, isFHIR: Bool) throws -> ResourcePatch {
    do throws(PatchProblem) {
      guard isFHIR else { return .json(try JSONPatch(parsing: document)) }
      return .fhirPath(try FHIRPathPatch(parsing: document))
    } catch {
      throw Failure(
        .badRequest, code: error.code.rawValue, detail: error.diagnostics, issues: [error.issue])
    }
  }

  // MARK: Bundles

  /// Returns the Bundle of a route with its own allowance; throws the failure 400 for another type.
  static func bundle(of call: Call, limits: JSONLimits) async throws -> Sent {
    let format = try FHIRContent.format(of: call)
    let collected = CollectedBytes()
    try await BodyReader.pieces(of: call) { await collected.append($0) }
    let bytes = await collected.bytes
    let bundle = try FHIRContent.resource(bytes, as: format, limits: limits)
    try check(bundle, .bundle)
    return Sent(bytes: bytes, resource: bundle)
  }

  private actor CollectedBytes {
    private(set) var bytes: [UInt8] = []

    func append(_ piece: ArraySlice<UInt8>) { bytes.append(contentsOf: piece) }
  }
}
