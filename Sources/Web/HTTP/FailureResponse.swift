// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import Hummingbird
import Localization
import Logging

/// Turns errors into answers in the form of their surface.
package enum FailureResponse {
  /// Returns the answer to a stranger on a route that needs a session or token; pages redirect to
  /// the sign-in page.
  static func stranger(at route: Route, call: Call) -> Response {
    switch route.surface {
    case .page:
      let target = call.request.method == .get ? call.request.uri.string : "/"
      let address = "/sign-in?next=\(QueryText.encode(target))"
      // Encoding makes it longer. Better say so than lose the way back.
      guard address.utf8.count <= call.environment.settings.maximumAddress else {
        let failure = Failure(
          .uriTooLong, code: "too-long",
          detail: "The address is too long to return to it. Sign in first, then open it again.")
        return render(failure, surface: route.surface, call: call)
      }
      return Response(
        status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    case .api, .fhir:
      return render(.signInNeeded, surface: route.surface, call: call)
    }
  }

  /// Returns the answer to an error in the form of the surface.
  ///
  /// An error without a failure becomes 500 with the request's identifier; only its type and case
  /// are logged.
  package static func make(_ error: any Error, surface: Route.Surface, call: Call) -> Response {
    if let failure = Failure(mapping: error) {
      if failure.status.code >= 500 { log(error, call: call) }
      return render(failure, surface: surface, call: call)
    }
    log(error, call: call)
    let reference = call.context.reference
    let unknown = Failure(
      .internalServerError, code: "exception",
      detail:
        "Something went wrong on this server (\(reference)). Nothing was saved. Try again.")
    return render(unknown, surface: surface, call: call)
  }

  /// Logs types and codes only: the text of an error may contain what a person typed.
  private static func log(_ error: any Error, call: Call) {
    call.context.logger.error(
      "request failed",
      metadata: [
        "type": .string(String(describing: type(of: error))),
        "case": .string(caseName(of: error)),
        "route": .string(call.context.endpointPath ?? "none"),
      ])
  }

  private static func caseName(of error: any Error) -> String {
    let mirror = Mirror(reflecting: error)
    if let label = mirror.children.first?.label { return label }
    return mirror.displayStyle == .enum ? String(describing: error) : ""
  }

  private static func render(
    _ failure: Failure, surface: Route.Surface, call: Call
  ) -> Response {
    switch surface {
    case .page: ErrorPage.response(failure, call: call)
    case .api: problem(failure, call.context.reference)
    case .fhir: outcome(failure)
    }
  }

  /// Returns the failure as problem+json (RFC 9457), with the request's identifier.
  private static func problem(_ failure: Failure, _ reference: String) -> Response {
    JSONResponse.make(
      problemDocument(failure, reference), status: failure.status, mediaType: problemMediaType,
      headers: failure.headers)
  }

  /// Returns the same problem in a form that can be stored.
  ///
  /// Repetitions of the request get the identifier of the first one, whose log entry is about the problem.
  static func writtenProblem(_ failure: Failure, reference: String) -> WrittenAnswer {
    WrittenAnswer(
      status: Int(failure.status.code), mediaType: problemMediaType,
      body: problemDocument(failure, reference).bytes)
  }

  private static let problemMediaType = "application/problem+json"

  private static func problemDocument(_ failure: Failure, _ reference: String) -> JSONValue {
    var document = JSONObject()
    document["type"] = "about:blank"
    document["title"] = .string(failure.status.reasonPhrase)
    document["status"] = .number(JSONNumber(Int(failure.status.code)))
    document["code"] = .string(failure.code)
    document["detail"] = .string(failure.detail)
    if !failure.issues.isEmpty {
      document["issues"] = .array(
        failure.issues.map { issue in
          [
            "expression": issue.expression.map(JSONValue.string) ?? .null,
            "detail": .string(issue.diagnostics),
          ]
        })
    }
    for (name, value) in failure.members.sorted(by: { $0.key < $1.key }) {
      document[name] = value
    }
    document["trace"] = .string(reference)
    return .object(document)
  }

  private static func outcome(_ failure: Failure) -> Response {
    let issues =
      failure.issues.isEmpty
      ? [
        FHIRIssue(
          severity: .error, code: FHIRIssueCode(rawValue: failure.code) ?? .processing,
          expression: nil, diagnostics: failure.detail)
      ] : failure.issues
    return JSONResponse.make(
      OperationOutcomeBuilder.json(issues), status: failure.status,
      mediaType: "application/fhir+json", headers: failure.headers)
  }
}
