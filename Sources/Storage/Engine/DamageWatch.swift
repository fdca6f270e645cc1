// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization

/// Remembers that the engine met damaged data, whoever asked for them and whatever became of the error.
///
/// What a damaged database answers may be incomplete without an error, so nothing of it is trusted until a check
/// of all of it finds it whole.
final class DamageWatch: Sendable {
  private let found = Mutex<StorageError?>(nil)
  private let logger: Logger

  init(logger: Logger) {
    self.logger = logger
  }

  var damage: StorageError? { found.withLock { $0 } }

  /// Notes an error where it says that data are damaged.
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

  /// A check of all data found them whole.
  func clear() {
    found.withLock { $0 = nil }
  }
}
