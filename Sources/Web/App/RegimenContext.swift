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

  /// Creates the context of a request that arrived on the source's channel.
  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress
  }

  /// The peer's IP address; nil for a Unix socket.
  var peerAddress: NetworkAddress? { peer?.ipAddress.flatMap { NetworkAddress($0) } }
}
