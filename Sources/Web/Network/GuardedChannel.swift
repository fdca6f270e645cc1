// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A channel of Hummingbird's with ``LastRequest`` and a ``ConnectionGuard`` after its request
/// decoder.
package struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
  /// Hummingbird's channel.
  package let base: Base
  /// The count of open connections that each connection is entered in.
  package let ledger: ConnectionLedger

  /// Creates the channel around another one.
  package init(base: Base, ledger: ConnectionLedger) {
    self.base = base
    self.ledger = ledger
  }

  /// Sets up the channel for a new connection and adds both handlers.
  package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let reader = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandlers(
        LastRequest(), ConnectionGuard(ledger: ledger), position: .after(reader))
      return value
    }
  }

  /// Passes a connection on to Hummingbird's channel.
  package func handle(value: Base.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
