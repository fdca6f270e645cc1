// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The address that the server found itself listening on, once it does.
package final class ListeningAddress: Sendable {
  package init() {}

  private let address = Mutex<String?>(nil)

  /// For example `http://127.0.0.1:8080`; nil before the server listens.
  package var current: String? { address.withLock { $0 } }

  package func set(_ text: String) {
    address.withLock { $0 = text }
  }
}
