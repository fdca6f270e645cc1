// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A channel with TLS that uses the current certificate for each new connection.
///
/// Hummingbird's own TLS channel keeps one certificate for the server's life.
package struct HomeTLSChannel<Base: ServerChildChannel>: ServerChildChannel {
  /// The channel inside TLS.
  package let base: Base
  /// The source of certificates for new connections.
  package let certificates: HomeCertificates

  /// Creates the channel around another one.
  package init(base: Base, certificates: HomeCertificates) {
    self.base = base
    self.certificates = certificates
  }

  /// Adds TLS to a new connection, then sets up the channel inside.
  package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(
        NIOSSLServerHandler(context: certificates.context))
    }.flatMap {
      base.setup(channel: channel, logger: logger)
    }
  }

  /// Passes a connection on to the channel inside.
  package func handle(value: Base.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
