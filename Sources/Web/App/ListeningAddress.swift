// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The address that the server listens on, known once it does.
package final class ListeningAddress: Sendable {
  /// Creates the address of a server that does not listen yet.
  package init() {}

  private let address = Mutex<String?>(nil)

  /// The address, for example `http://127.0.0.1:8080`; nil before the server listens.
  package var current: String? { address.withLock { $0 } }

  /// Records the address, without a slash at the end.
  package func set(_ text: String) {
    address.withLock { $0 = text }
  }
}
