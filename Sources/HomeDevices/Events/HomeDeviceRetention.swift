// SPDX-License-Identifier: Apache-2.0

import Storage

/// Deletes what devices reported long ago; the answers that they gave are kept.
package enum HomeDeviceRetention {
  /// The days for which events are kept.
  package static let days = 180

  /// Deletes events that were received before the retention period, and returns their number, at most `limit`; call
  /// again while it is reached.
  package static func forget(
    at now: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try HomeDeviceStore.deleteEvents(
      receivedBefore: now.adding(milliseconds: -Int64(days) * 24 * 3_600_000), limit: limit,
      in: writer)
  }
}
