// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging

/// The first and last step of every request: refuses what cannot be served before reading it, and
/// adds security headers to every answer.
struct EdgeMiddleware: RouterMiddleware {
  let environment: ServerEnvironment
  let parts: RequestParts
  let allowed: AllowedMethods
  let allowances: BodyAllowances
  /// The counters; nil for the host's own commands.
  let metrics: RequestMetrics?

  func handle(
    _ request: Request, context received: RegimenContext,
    next: (Request, RegimenContext) async throws -> Response
  ) async throws -> Response {
    let began = environment.uptime()
    var context = received
    let trace = trace(of: request)
    context.follow(trace)
    let call = Call(
      stranger: request, context: context, environment: environment, parts: parts)
    var response: Response
    var route: String?
    if let failure = refusal(of: request, context: context) {
      response = FailureResponse.make(failure, surface: surface(of: request), call: call)
    } else if let answer = parts.edge.lazy.compactMap({ $0.answer(call) }).first {
      response = answer
    } else {
      do {
        response = try await next(request, context)
        route = context.endpointPath
      } catch let error as HTTPError {
        response = await unmatched(error.status, call: call)
      }
    }
    for part in parts.edge { response = await part.finish(response, to: call) }
    if request.method == .head { removeBody(of: &response) }
    protect(&response, of: call)
    response.headers[.xRequestID] = trace.text
    metrics?.note(
      request.method, route: route, surface: surface(of: request),
      status: response.status.code, nanoseconds: elapsed(since: began))
    context.logger.debug(
      "answered",
      metadata: [
        "method": .string(request.method.rawValue),
        "route": .string(route ?? "none"),
        "status": .stringConvertible(response.status.code),
      ])
    return response
  }

  /// Returns the identifier that the client or proxy sent, or a random one.
  private func trace(of request: Request) -> TraceID {
    let fields = request.headers[values: .traceparent]
    return fields.first.flatMap { fields.count == 1 ? TraceID(traceparent: $0) : nil }
      ?? TraceID(random: environment.random)
  }

  private func elapsed(since began: UInt64) -> UInt64 {
    let now = environment.uptime()
    return now > began ? now - began : 0
  }

  /// Answers a request without a matching route: either its address accepts other methods, or it
  /// does not exist.
  private func unmatched(_ status: HTTPResponse.Status, call: Call) async -> Response {
    if status == .notFound, RouteTable.methods.contains(call.request.method),
      let entry = allowed.entry(at: call.request.uri.path)
    {
      let failure = Failure(
        .methodNotAllowed, code: "not-supported", detail: "This address accepts \(entry.allow).",
        headers: [.allow: entry.allow])
      return FailureResponse.make(failure, surface: entry.surface, call: call)
    }
    return await nothingHere(status, call: call)
  }

  /// Answers a request for which no route has the address, or none the method.
  private func nothingHere(_ status: HTTPResponse.Status, call: Call) async -> Response {
    var call = call
    // The page keeps a signed-in person signed in; if the session can't be read, it is shown as to
    // a stranger.
    try? await call.identify()
    let isKnownMethod = RouteTable.methods.contains(call.request.method)
    let isFHIR = surface(of: call.request) == .fhir
    let failure =
      isKnownMethod
      ? Failure(
        status, code: isFHIR ? "not-supported" : "not-found",
        detail: isFHIR
          ? "Nothing is served at this address; /fhir/metadata lists the types."
          : "Nothing exists at this address.")
      : Failure(
        .methodNotAllowed, code: "not-supported", detail: "Use GET, HEAD, POST or PUT.",
        headers: [.allow: "GET, HEAD, POST, PUT"])
    return FailureResponse.make(failure, surface: surface(of: call.request), call: call)
  }

  /// Removes the body for HEAD, keeping the length that it would have with GET.
  private func removeBody(of response: inout Response) {
    let length = response.headers[.contentLength]
    response.body = ResponseBody()
    response.headers[.contentLength] = length
  }

  /// Returns the failure of a request that RFC 9112 section 3.2 or a limit of this server forbids;
  /// nil for all others.
  private func refusal(of request: Request, context: RegimenContext) -> Failure? {
    let close: HTTPFields = [.connection: "close"]
    if isPastProxies(request, context: context) {
      return Failure(
        .forbidden, code: "forbidden",
        detail: "Use this server's https address; direct access is off.", headers: close)
    }
    guard let host = request.head.authority, !host.isEmpty,
      request.headers[values: .furtherHost].isEmpty,
      !host.utf8.contains(where: Self.isForeignToHost)
    else {
      return Failure(
        .badRequest, code: "structure", detail: "Send exactly one Host header.", headers: close)
    }
    // Refuses a foreign name for this address (DNS rebinding). Health monitors use no name, and the
    // Unix socket has none.
    if context.hasPeerAddress, request.uri.path != "/health",
      !OwnAddress.isOwn(authority: host, of: environment)
    {
      return Failure(
        .misdirectedRequest, code: "wrong-host",
        detail: "Send the host name of this server's public address.", headers: close)
    }
    guard request.uri.string.utf8.count <= environment.settings.maximumAddress else {
      return Failure(
        .uriTooLong, code: "too-long", detail: "The address is too long. Shorten it.",
        headers: close)
    }
    guard !Self.hasEncodedZero(request.uri.string) else {
      // No text here contains U+0000, and databases truncate or refuse it.
      return .badRequest("value", "Remove %00 from the address.")
    }
    if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
      // Compressed bodies are refused: a few kilobytes can expand to gigabytes.
      return Failure(
        .unsupportedMediaType, code: "media-type", detail: "Send the body uncompressed.",
        headers: close)
    }
    if let text = request.headers[.contentLength] {
      guard let length = Int(text), length >= 0 else {
        return Failure(
          .badRequest, code: "structure", detail: "Content-Length must be a whole number.",
          headers: close)
      }
      let settings = environment.settings
      let allowance = allowances.allowance(for: request.method, at: request.uri.path)
      let limit = allowance?.bytes(settings) ?? settings.maximumBody
      if length > limit { return BodyReader.tooLarge(limit: limit) }
    }
    return nil
  }

  /// Returns true for a byte that no name of a host has: space, comma, slash, backslash and `@`.
  private static func isForeignToHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "\\"),
      UInt8(ascii: "@"):
      true
    default: false
    }
  }

  /// Returns true if a text contains `%00`.
  private static func hasEncodedZero(_ text: String) -> Bool {
    let percent = UInt8(ascii: "%")
    let zero = UInt8(ascii: "0")
    return text.utf8.contains(percent)
      && zip(text.utf8, zip(text.utf8.dropFirst(), text.utf8.dropFirst(2))).contains {
        $0 == percent && $1.0 == zero && $1.1 == zero
      }
  }

  /// Returns true if the client bypassed the proxy and connected to the plain port itself.
  ///
  /// Only `/health` is open to all, since a monitor may run anywhere.
  private func isPastProxies(_ request: Request, context: RegimenContext) -> Bool {
    let settings = environment.settings
    guard !settings.trustedProxies.isEmpty, !settings.servesHTTPS, request.uri.path != "/health"
    else { return false }
    return settings.trustedProxies.isPassedBy(context.peerAddress)
  }

  private func surface(of request: Request) -> Route.Surface {
    let path = request.uri.path
    if path.hasPrefix("/fhir") { return .fhir }
    return path.hasPrefix("/api/") || path == "/health" ? .api : .page
  }

  private func protect(_ response: inout Response, of call: Call) {
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.referrerPolicy] = "no-referrer"
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    response.headers[.crossOriginResourcePolicy] = "same-origin"
    response.headers[.permissionsPolicy] =
      "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] =
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
    // Never with a home's own authority: if it were replaced, no browser could connect any more.
    if call.isSecure, !environment.settings.servesHTTPS,
      StrictTransport.fits(authority: call.request.head.authority)
    {
      response.headers[.strictTransportSecurity] = StrictTransport.value
    }
  }
}
