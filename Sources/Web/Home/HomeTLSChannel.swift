// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// TLS around a channel, with the certificate that counts at the moment of connecting.
///
/// Hummingbird's own keeps one certificate for the server's life.
package struct HomeTLSChannel<Base: ServerChildChannel>: ServerChildChannel {
  package let base: Base
  package let certificates: HomeCertificates

  package init(base: Base, certificates: HomeCertificates) {
    self.base = base
    self.certificates = certificates
  }

  package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(
        NIOSSLServerHandler(context: certificates.context))
    }.flatMap {
      base.setup(channel: channel, logger: logger)
    }
  }

  package func handle(value: Base.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
