// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Connections to one host at one checked address, without another lookup.
///
/// TLS still checks the certificate against the host's name.
final class PinnedClient: Sendable {
  /// Thrown when a request is ended from outside, with the reason.
  private struct Ended: Error {
    let reason: OutboundError
  }

  /// A failed request.
  struct Failure: Error {
    let error: OutboundError
    /// True if the other side may have received part of the request; if not, another address may be tried.
    let hasSent: Bool
  }

  /// The seconds that an idle connection stays open: less than on servers, so that they rarely close it
  /// first.
  static let idleSeconds: Int64 = 20

  let address: IPAddress
  private let client: HTTPClient

  init(
    host: OutboundHost, address: IPAddress, connections: Int, connectSeconds: Int64,
    trustRoots: NIOSSLTrustRoots?
  ) {
    self.address = address
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(connectSeconds)),
      connectionPool: .init(
        idleTimeout: .seconds(Self.idleSeconds),
        concurrentHTTP1ConnectionsPerHostSoftLimit: connections),
      proxy: nil,
      decompression: .disabled)
    configuration.connectionPool.retryConnectionEstablishment = false
    // One request per connection at a time, as the bulkhead counts them.
    configuration.httpVersion = .http1Only
    if let trustRoots {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = trustRoots
      configuration.tlsConfiguration = tls
    }
    if case .name(let name) = host {
      configuration.dnsOverride = [name: address.text]
    }
    client = HTTPClient(
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton),
      configuration: configuration)
  }

  /// Closes the connections once nothing uses them any more.
  deinit {
    client.shutdown { [client] _ in withExtendedLifetime(client) {} }
  }

  /// Sends a request and collects the response, even a redirect.
  func send(
    _ request: OutboundRequest, within deadline: CallDeadline
  ) async throws(Failure) -> OutboundResponse {
    let message: HTTPClient.Request
    do {
      message = try HTTPClient.Request(
        url: request.url.text, method: HTTPMethod(rawValue: request.method),
        headers: HTTPHeaders(request.headers),
        body: request.body.isEmpty ? nil : .byteBuffer(ByteBuffer(bytes: request.body)))
    } catch {
      throw Failure(error: .notAllowed(.malformed), hasSent: false)
    }
    let collector = ResponseCollector(limit: request.responseLimit)
    do throws(OutboundError) {
      return try await deadline.wait { ticket in
        let task = client.execute(request: message, delegate: collector)
        // From here on, the end of the time limit also closes the connection.
        let ended = deadline.watch { reason in
          task.fail(reason: Ended(reason: reason))
          ticket.resume(.failure(reason))
        }
        if let ended { task.fail(reason: Ended(reason: ended)) }
        task.futureResult.whenComplete { result in
          switch result {
          case .success(let response): ticket.resume(.success(response))
          case .failure(is ResponseCollector.LimitReached): ticket.resume(collector.limited)
          case .failure(let error): ticket.resume(.failure(Self.meaning(of: error)))
          }
        }
      }
    } catch {
      throw Failure(error: error, hasSent: collector.hasSent)
    }
  }

  func shutdown() async {
    try? await client.shutdown().get()
  }

  private static func meaning(of error: any Error) -> OutboundError {
    if let ended = error as? Ended { return ended.reason }
    if let error = error as? HTTPClientError {
      switch error {
      case .alreadyShutdown, .cancelled: return .closed
      case .connectTimeout, .tlsHandshakeTimeout, .readTimeout, .writeTimeout, .deadlineExceeded,
        .getConnectionFromPoolTimeout:
        return .timeout
      case .invalidURL, .emptyHost, .emptyScheme: return .notAllowed(.malformed)
      default: return .connection
      }
    }
    if let error = error as? ChannelError, case .connectTimeout = error { return .timeout }
    // The TLS library throws errors of several types, not all of which are public.
    return String(reflecting: type(of: error)).hasPrefix("NIOSSL.") ? .tls : .connection
  }
}
