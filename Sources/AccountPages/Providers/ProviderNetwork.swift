// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR
import Foundation
import Outbound
import Web

/// The connection to the configured providers: requests for JSON through the outbound client.
package struct ProviderNetwork: Sendable {
  /// A request to a provider.
  package struct Request: Sendable, Hashable {
    /// The HTTP method.
    package var method = "GET"
    /// The full address.
    package var url: String
    /// The header fields by name.
    package var headers: [String: String] = [:]
    /// The body as text; empty for none.
    package var body = ""
  }

  /// A provider's answer.
  package struct Answer: Sendable {
    /// The HTTP status.
    package let status: Int
    /// The body as JSON; nil if it is not JSON.
    package let body: JSONValue?
    /// The field `Cache-Control`; nil if it is absent.
    package let cacheControl: String?

    /// Creates an answer, in place of a real one in tests.
    package init(status: Int, body: JSONValue?, cacheControl: String? = nil) {
      self.status = status
      self.body = body
      self.cacheControl = cacheControl
    }
  }

  /// Sends a request; throws ``ProviderError/unreachable`` if no answer comes.
  package typealias Send = @Sendable (Request) async throws(ProviderError) -> Answer

  private let perform: Send

  /// Creates a connection that sends requests in the given way.
  package init(_ perform: @escaping Send) {
    self.perform = perform
  }

  /// The size limit of an answer, in bytes.
  private static let maximumBytes = 256 * 1024

  /// Creates a connection that reaches only the hosts that the policy allows; answers over 256 KiB
  /// are refused.
  package init(client: OutboundClient, policy: OutboundPolicy) {
    perform = { request throws(ProviderError) in
      do {
        let response = try await client.send(
          OutboundRequest(
            method: request.method, url: try policy.check(request.url),
            headers: request.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            body: Array(request.body.utf8),
            responseLimit: .refuseBeyond(bytes: Self.maximumBytes)))
        return Answer(
          status: response.status, body: try? JSONValue(parsing: response.body),
          cacheControl: response.header("cache-control"))
      } catch {
        throw ProviderError.unreachable
      }
    }
  }

  func send(_ request: Request) async throws(ProviderError) -> Answer {
    try await perform(request)
  }

  /// Returns a required document.
  func document(_ url: String) async throws(ProviderError) -> JSONValue {
    try await agedDocument(url).body
  }

  /// Returns a required document with the time for which its server lets it be kept, in milliseconds; nil if it does
  /// not say.
  func agedDocument(
    _ url: String
  ) async throws(ProviderError) -> (body: JSONValue, age: Int64?) {
    let answer = try await send(Request(url: url, headers: ["Accept": "application/json"]))
    guard answer.status == 200, let body = answer.body else { throw .unreachable }
    return (body, CacheAge.milliseconds(answer.cacheControl))
  }

  /// Posts a form; a status of 4xx with JSON is the provider's refusal.
  func post(
    _ url: String, _ fields: [(String, String)], authorization: String? = nil
  ) async throws(ProviderError) -> JSONValue {
    var headers = [
      "Accept": "application/json", "Content-Type": FormEncoding.mediaType,
    ]
    headers["Authorization"] = authorization
    let answer = try await send(
      Request(method: "POST", url: url, headers: headers, body: QueryText.encode(fields)))
    if (400..<500).contains(answer.status) { throw .refused }
    guard answer.status == 200, let body = answer.body else { throw .unreachable }
    return body
  }
}

extension QueryText {
  /// Returns an address with additional query parameters.
  static func address(_ base: String, _ fields: [(String, String)]) -> String {
    base + (base.contains("?") ? "&" : "?") + encode(fields)
  }
}
