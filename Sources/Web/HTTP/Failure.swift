// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes

/// A request that cannot be fulfilled, in one form for all surfaces.
///
/// Pages show it in the person's language, the JSON API as problem+json, FHIR as an
/// OperationOutcome.
package struct Failure: Error, Sendable {
  /// The HTTP status.
  package var status: HTTPResponse.Status
  /// A short stable word for programs, for example `answered`.
  package var code: String
  /// The problem and its remedy in English, without health data.
  package var detail: String
  /// The places in the request that are wrong; empty if the detail says it all.
  package var issues: [FHIRIssue]
  /// Further members of the problem document, for example the dose of a 409.
  package var members: [String: JSONValue]
  /// Header fields for the answer, such as `Retry-After`.
  package var headers: HTTPFields

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - code: A short stable word for programs.
  ///   - detail: An explanation in English, without health data.
  package init(
    _ status: HTTPResponse.Status, code: String, detail: String, issues: [FHIRIssue] = [],
    members: [String: JSONValue] = [:], headers: HTTPFields = [:]
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.issues = issues
    self.members = members
    self.headers = headers
  }

  /// The failure 404, for everything that is missing or that the sender may not see.
  package static let notFound = Failure(
    .notFound, code: "not-found", detail: "Nothing here, or you do not have access to it.")

  /// Returns the failure 400, for a request that cannot be read.
  package static func badRequest(_ code: String, _ detail: String) -> Failure {
    Failure(.badRequest, code: code, detail: detail)
  }

  /// Returns the failure 422, for a request with a wrong or missing value.
  package static func unprocessable(_ code: String, _ detail: String) -> Failure {
    Failure(.unprocessableContent, code: code, detail: detail)
  }

  /// The failure 401, for a request without a valid session or token.
  package static let signInNeeded = Failure(
    .unauthorized, code: "login",
    detail: "Sign in, or send a bearer token (regimen token create).",
    headers: [.wwwAuthenticate: "Bearer"])
}
