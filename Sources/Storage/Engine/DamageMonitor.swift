// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization

/// Remembers that the engine found damaged data, whichever read found it and however the error was handled.
///
/// Answers from a damaged database can be incomplete without an error, so none are trusted until a check of
/// the whole database finds no damage.
final class DamageMonitor: Sendable {
  private let found = Mutex<StorageError?>(nil)
  private let logger: Logger

  init(logger: Logger) {
    self.logger = logger
  }

  var damage: StorageError? { found.withLock { $0 } }

  /// Records an error if it reports damaged data.
  func look(at error: StorageError) {
    guard case .corrupt = error else { return }
    let isFirst = found.withLock { found in
      defer { found = found ?? error }
      return found == nil
    }
    if isFirst {
      logger.critical("\(error.description) See docs/operate.md, A damaged database.")
    }
  }

  /// Forgets the damage, after a check of all data found none.
  func clear() {
    found.withLock { $0 = nil }
  }
}
