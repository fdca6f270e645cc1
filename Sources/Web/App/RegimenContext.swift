// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Logging
import NIOCore

/// What Hummingbird carries along with one request.
package struct RegimenContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// The peer's address; nil where there is no socket (tests without one).
  package let peer: SocketAddress?

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress
  }

  /// The peer's IP address; nil for a Unix socket.
  var peerAddress: NetworkAddress? { peer?.ipAddress.flatMap { NetworkAddress($0) } }
}
