// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Everything that follows the commit of a Bundle: what follows each change, and the audit of reads.
final class BundleAftermath: Sendable {
  private let results = Mutex<[BundleResult]>([])

  /// Keeps the results of the last run of a transaction, which may run more than once.
  func take(_ results: [BundleResult]) {
    self.results.withLock { $0 = results }
  }

  /// Follows the results after the commit.
  func follow(_ write: FHIRWriteContext) async throws {
    let results = results.withLock { $0 }
    let changes = WriteAftermath()
    changes.take(results.compactMap(\.change))
    try await changes.follow(write)
    for case .read(let answer) in results { try await answer.audit(write) }
  }
}
