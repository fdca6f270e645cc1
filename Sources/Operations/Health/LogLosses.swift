// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Web

/// The log lines that could not be written since the start.
package final class LogLosses: Sendable {
  private let state = Mutex((total: 0, isLosing: false))

  /// Creates a counter at zero.
  package init() {}

  /// Records a dropped line.
  package func lost() {
    state.withLock { state in
      state.total += 1
      state.isLosing = true
    }
  }

  /// Records that lines can be written again.
  package func recovered() {
    state.withLock { $0.isLosing = false }
  }

  /// The number of lines dropped since the start.
  package var total: Int { state.withLock { $0.total } }
  /// True while log lines cannot be written.
  package var isLosing: Bool { state.withLock { $0.isLosing } }
}

extension LogLosses: FeatureValue {
  /// A counter that stays at zero.
  package static let absent = LogLosses()
}

extension ServerEnvironment {
  /// The count of log lines that could not be written.
  package var logLosses: LogLosses { features[LogLosses.self] }
}
