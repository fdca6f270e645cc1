// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging

/// The first and the last thing that happens to every request: what cannot be served is refused
/// before any of it is read, and every answer carries the headers that protect it.
struct EdgeMiddleware: RouterMiddleware {
  let environment: ServerEnvironment

  func handle(
    _ request: Request, context: RegimenContext,
    next: (Request, RegimenContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    if let failure = refusal(of: request) {
      response = FailureResponse.make(
        failure, surface: surface(of: request), request: request, context: context,
        environment: environment)
    } else {
      do {
        response = try await next(request, context)
      } catch let error as HTTPError {
        response = FailureResponse.make(
          Failure(error.status, code: "not-found", detail: "There is nothing at this address."),
          surface: surface(of: request), request: request, context: context,
          environment: environment)
      }
    }
    protect(&response)
    context.logger.debug(
      "answered",
      metadata: [
        "method": .string(request.method.rawValue),
        "route": .string(context.endpointPath ?? "none"),
        "status": .stringConvertible(response.status.code),
      ])
    return response
  }

  /// What RFC 9112 section 3.2 and our own limits do not let in.
  private func refusal(of request: Request) -> Failure? {
    let close: HTTPFields = [.connection: "close"]
    guard let host = request.head.authority, !host.isEmpty,
      request.headers[values: .host].isEmpty, !host.contains(where: { " ,/\\@".contains($0) })
    else {
      return Failure(
        .badRequest, code: "structure", detail: "Send exactly one Host header.", headers: close)
    }
    guard request.uri.string.utf8.count <= environment.settings.maximumAddress else {
      return Failure(
        .uriTooLong, code: "too-long", detail: "The address is too long.", headers: close)
    }
    if let text = request.headers[.contentLength] {
      guard let length = Int(text), length >= 0 else {
        return Failure(
          .badRequest, code: "structure", detail: "Content-Length is not a number.",
          headers: close)
      }
      if length > environment.settings.maximumBody {
        return BodyReader.tooLarge(limit: environment.settings.maximumBody)
      }
    }
    return nil
  }

  private func surface(of request: Request) -> Route.Surface {
    let path = request.uri.path
    if path.hasPrefix("/fhir") { return .fhir }
    return path.hasPrefix("/api/") || path == "/health" ? .api : .page
  }

  private func protect(_ response: inout Response) {
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.referrerPolicy] = "no-referrer"
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    response.headers[.crossOriginResourcePolicy] = "same-origin"
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] =
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
    if environment.settings.isSecure {
      response.headers[.strictTransportSecurity] = "max-age=31536000; includeSubDomains"
    }
  }
}
