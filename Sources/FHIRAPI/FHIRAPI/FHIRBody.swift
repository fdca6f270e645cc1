// SPDX-License-Identifier: Apache-2.0

import FHIR
import FHIRXML
import HTTPTypes
import Hummingbird
import Web

/// Reads resources that clients send, in either format.
enum FHIRBody {
  /// Returns the body as it was sent, and as the JSON form of the resource.
  static func read(_ call: Call) async throws -> (bytes: [UInt8], resource: JSONValue) {
    let format = try format(of: call)
    let bytes = try await BodyReader.bytes(of: call)
    return (bytes, try resource(bytes, as: format))
  }

  /// Returns the format of a body; throws the failure 415 for other media types.
  static func format(of call: Call) throws -> FHIRFormat {
    guard let format = FHIRFormat(contentType: call.request.headers[.contentType] ?? "") else {
      throw Failure(
        .unsupportedMediaType, code: FHIRIssueCode.notSupported.rawValue,
        detail: "Send the body as application/fhir+json or application/fhir+xml.")
    }
    return format
  }

  /// Returns the JSON form of a resource.
  ///
  /// - Throws: ``Failure`` 413 for too large a resource, 400 if it cannot be read, and 422 if XML has elements
  ///   that R4 does not define.
  static func resource(
    _ bytes: [UInt8], as format: FHIRFormat, limits: JSONLimits = .standard
  ) throws -> JSONValue {
    switch format {
    case .json: return try JSONValue(parsing: bytes, limits: limits)
    case .xml:
      let value: JSONValue
      do throws(XMLProblem) {
        value = try ResourceXML.read(bytes, maximumBytes: limits.maximumBytes)
      } catch {
        throw failure(of: error)
      }
      // The limits of JSON hold for what is stored, too.
      return try JSONValue(parsing: value.bytes, limits: limits)
    }
  }

  private static func failure(of problem: XMLProblem) -> Failure {
    let issue = problem.issue
    let status: HTTPResponse.Status =
      switch issue.code {
      case .tooLong: .contentTooLarge
      case .tooCostly: .badRequest
      default: issue.expression == nil ? .badRequest : .unprocessableContent
      }
    return Failure(
      status, code: issue.code.rawValue, detail: Failure.summary(of: [issue]), issues: [issue])
  }
}
