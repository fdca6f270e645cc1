// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A channel of Hummingbird's with ``LastRequest`` and a ``ConnectionGuard`` behind its reader of requests.
package struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
  package let base: Base
  package let ledger: ConnectionLedger

  package init(base: Base, ledger: ConnectionLedger) {
    self.base = base
    self.ledger = ledger
  }

  package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let reader = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandlers(
        LastRequest(), ConnectionGuard(ledger: ledger), position: .after(reader))
      return value
    }
  }

  package func handle(value: Base.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
