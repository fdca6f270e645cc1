// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Logging
import NIOCore

/// The context that Hummingbird carries along with one request.
package struct RegimenContext: RequestContext {
  /// Hummingbird's own part: the path parameters, the logger and the request's identifier.
  package var coreContext: CoreRequestContextStorage
  /// The peer's address; nil without a socket, as in tests.
  package let peer: SocketAddress?
  /// The identifier of the request in the log and in its answer; nil before the edge has read it.
  package internal(set) var trace: TraceID?

  /// Creates the context of a request that arrived on the source's channel.
  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress
  }

  /// The identifier of the request for people who look for it in the log.
  package var reference: String { trace?.text ?? "none" }

  /// Sets the identifier and adds it to every log line of the request.
  mutating func follow(_ trace: TraceID) {
    self.trace = trace
    logger[metadataKey: "trace_id"] = .string(trace.text)
  }

  /// True unless the peer is a program on a Unix socket, or there is no socket.
  var hasPeerAddress: Bool {
    switch peer {
    case .v4, .v6: true
    case .unixDomainSocket, nil: false
    }
  }

  /// The peer's IP address; nil for a Unix socket.
  var peerAddress: NetworkAddress? { peer?.ipAddress.flatMap { NetworkAddress($0) } }
}
