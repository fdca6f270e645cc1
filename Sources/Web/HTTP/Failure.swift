// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes

/// A request that cannot be done, in one form for all surfaces: pages show it in the person's
/// language, the JSON API as problem+json, FHIR as an OperationOutcome.
package struct Failure: Error, Sendable {
  package var status: HTTPResponse.Status
  /// A short stable word for programs, for example `answered`.
  package var code: String
  /// What happened and what to do, in English, without health data.
  package var detail: String
  /// Places in the request that are wrong.
  package var issues: [FHIRIssue]
  /// Further members of the problem document, for example the dose of a 409.
  package var members: [String: JSONValue]
  package var headers: HTTPFields

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

  package static let notFound = Failure(
    .notFound, code: "not-found", detail: "There is nothing at this address that you may see.")

  package static func badRequest(_ code: String, _ detail: String) -> Failure {
    Failure(.badRequest, code: code, detail: detail)
  }

  package static func unprocessable(_ code: String, _ detail: String) -> Failure {
    Failure(.unprocessableContent, code: code, detail: detail)
  }

  package static let signInNeeded = Failure(
    .unauthorized, code: "login",
    detail: "Send a bearer token (regimen token create) or sign in first.",
    headers: [.wwwAuthenticate: "Bearer"])
}
