// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The address that the server listens on.
package final class ListeningAddress: Sendable {
  /// Creates the address of a server that is not listening yet.
  package init() {}

  private let address = Mutex<String?>(nil)

  /// The address, for example `http://127.0.0.1:8080`; nil before the server listens.
  package var current: String? { address.withLock { $0 } }

  /// Records the address, without a slash at the end.
  package func set(_ text: String) {
    address.withLock { $0 = text }
  }
}
