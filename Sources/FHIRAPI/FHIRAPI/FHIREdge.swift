// SPDX-License-Identifier: Apache-2.0

import FHIR
import FHIRXML
import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// Gives each answer below `/fhir` the format that the client wants, errors included, and lets browser apps of
/// other sites read it, and call the decision support services, if the operator allows their origin.
package struct FHIREdge: EdgePart {
  /// The bytes below which compression gains nothing: they fit into one packet.
  private static let smallest = 1_200
  /// The compression level: a higher one costs time for each answer and gains little.
  private static let level: Int32 = 1

  /// Creates the part.
  package init() {}

  /// Answers the question that a browser asks before an app of another site may call (a preflight).
  package func answer(_ call: Call) -> Response? {
    guard call.request.method == .options, Self.servesApps(call),
      call.request.headers[.accessControlRequestMethod] != nil, Self.allowedOrigin(call) != nil
    else { return nil }
    return Response(
      status: .noContent,
      headers: [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
        .accessControlAllowHeaders: """
        Accept, Authorization, Content-Type, DPoP, Idempotency-Key, If-Match, \
        If-Modified-Since, If-None-Exist, If-None-Match, Prefer
        """,
        .accessControlMaxAge: "3600",
      ])
  }

  /// Returns the answer in the wanted format, compressed if that is safe, with the fields for other origins.
  package func finish(_ response: Response, to call: Call) async -> Response {
    guard Self.servesApps(call) else { return response }
    var response = response
    if Self.isFHIR(call), let bytes = await converted(response, for: call) {
      response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes.body))
      response.headers[.contentType] = "\(bytes.mediaType); charset=utf-8"
      if bytes.isCompressed {
        response.headers[.contentEncoding] = "gzip"
        response.headers.append(HTTPField(name: .vary, value: "Accept-Encoding"))
      }
    }
    allowOrigin(call, in: &response)
    return response
  }

  private struct Converted {
    var body: [UInt8]
    var mediaType: String
    var isCompressed = false
  }

  /// Returns the body in another form; nil if it should be sent as it is.
  private func converted(_ response: Response, for call: Call) async -> Converted? {
    guard response.headers[.contentType]?.hasPrefix(FHIRFormat.json.mediaType + ";") == true,
      response.headers[.contentEncoding] == nil, response.body.contentLength != 0,
      // The content of a Binary is answered as it was stored.
      response.headers[.contentDisposition] == nil
    else { return nil }
    let format = FHIRMedia.wanted(by: call) ?? .json
    let isPretty = call.queryValue("_pretty") == "true"
    let isCompressed = Self.mayCompress(call) && response.body.contentLength ?? 0 >= Self.smallest
    guard format != .json || isPretty || isCompressed,
      let bytes = await BodyCollector.bytes(of: response)
    else { return nil }
    var result = Converted(body: bytes, mediaType: FHIRFormat.json.mediaType)
    if format != .json || isPretty {
      // A list of resources may be larger than a posted one.
      let limits = JSONLimits(maximumDepth: 512, maximumBytes: .max)
      guard let value = try? JSONValue(parsing: bytes, limits: limits) else { return nil }
      switch format {
      case .json: result.body = value.prettyBytes
      case .xml: result.body = ResourceXML.write(value, isPretty: isPretty)
      }
      result.mediaType = format.mediaType
    }
    if isCompressed, let packed = Gzip.compressed(result.body, level: Self.level) {
      result.body = packed
      result.isCompressed = true
    }
    return result
  }

  /// Returns true if the length of a compressed answer reveals nothing (BREACH).
  ///
  /// The attack makes a browser send its cookie with requests of the attacker's choice. A bearer token is never
  /// sent without the app that has it.
  private static func mayCompress(_ call: Call) -> Bool {
    call.request.headers[.authorization] != nil
      && Gzip.isAccepted(call.request.headers[.acceptEncoding])
  }

  /// Adds the fields with which a browser shows the answer to the app; cookies are never allowed.
  private func allowOrigin(_ call: Call, in response: inout Response) {
    guard !call.environment.settings.crossOrigins.isEmpty else { return }
    response.headers.append(HTTPField(name: .vary, value: "Origin"))
    guard let origin = Self.allowedOrigin(call) else { return }
    response.headers[.accessControlAllowOrigin] = origin
    response.headers[.accessControlExposeHeaders] =
      "Content-Location, ETag, Last-Modified, Location, Retry-After, WWW-Authenticate"
  }

  private static func allowedOrigin(_ call: Call) -> String? {
    guard let origin = call.request.headers[.origin],
      call.environment.settings.crossOrigins.contains(origin)
    else { return nil }
    return origin
  }

  /// Returns true for the FHIR API, and for the addresses at which browser apps get and end their tokens and learn how
  /// the pages look.
  private static func servesApps(_ call: Call) -> Bool {
    let path = call.request.uri.path
    return isFHIR(call) || path.hasPrefix("/.well-known/")
      || appPaths.contains(path)
  }

  /// The addresses outside the FHIR API that browser apps call.
  private static let appPaths: Set<String> = [
    "/oauth/introspect", "/oauth/jwks", "/oauth/revoke", "/oauth/smart-style.json",
    "/oauth/token",
  ]

  private static let bases = ["/fhir".utf8, CDSService.base.utf8]

  private static func isFHIR(_ call: Call) -> Bool {
    let path = call.request.uri.path.utf8
    return bases.contains { base in
      path.starts(with: base)
        && (path.count == base.count
          || path[path.index(path.startIndex, offsetBy: base.count)] == UInt8(ascii: "/"))
    }
  }
}

/// Collects the body of an answer in memory.
private final class BodyCollector: ResponseBodyWriter {
  private var collected: [UInt8] = []

  /// Returns the whole body; nil if it cannot be written.
  static func bytes(of response: Response) async -> [UInt8]? {
    let collector = BodyCollector()
    do {
      try await response.body.write(collector)
    } catch {
      return nil
    }
    return collector.collected
  }

  func write(_ buffer: ByteBuffer) async throws {
    collected.append(contentsOf: buffer.readableBytesView)
  }

  func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
