// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Synchronization

/// What is known of the backups, kept in memory: every page asks.
package final class BackupWatch: Sendable {
  private struct State {
    var last: BackupRun?
    var lastGood: BackupRun?
    var since: Timestamp?
    /// The reason that the schedule could not be followed, if that did not count as a try.
    var fault: (at: Timestamp, trouble: String)?
    var fileIsThere = true
  }

  private let state = Mutex(State())

  /// Reads the record, and looks whether the last file is as it was written.
  func refresh(_ environment: ServerEnvironment) async throws {
    let kind: BackupRun.Kind? = environment.settings.backups == nil ? nil : .schedule
    let (last, good) = try await environment.database.read { reader in
      (try BackupLog.last(kind, in: reader), try BackupLog.lastGood(kind, in: reader))
    }
    let now = environment.now()
    let isThere = good.map(Self.isThere) ?? true
    state.withLock { state in
      // What could not be written down, for want of space, is known here alone.
      if let known = state.last, known.trouble != nil, known.finished > last?.finished ?? .distant {
        // Kept.
      } else {
        state.last = last
      }
      state.lastGood = good
      state.since = state.since ?? now
      state.fileIsThere = isThere
    }
  }

  /// Records the time from which the schedule is followed.
  func begin(at now: Timestamp) {
    state.withLock { $0.since = now }
  }

  /// Records that the schedule could not be followed.
  func failed(at now: Timestamp, trouble: String) {
    state.withLock { $0.fault = (now, trouble) }
  }

  /// Records that the schedule was followed, or that nothing was due.
  func followed() {
    state.withLock { $0.fault = nil }
  }

  /// Takes note of a try at once, whether or not it can be written down.
  func note(_ run: BackupRun) {
    state.withLock { state in
      state.last = run
      if run.trouble == nil {
        state.lastGood = run
        state.fileIsThere = true
      }
    }
  }

  var last: BackupRun? { state.withLock { $0.last } }

  func health(_ settings: ServerSettings, now: Timestamp) -> BackupHealth {
    state.withLock { state in
      if let fault = state.fault { return .failed(at: fault.at, trouble: fault.trouble) }
      return BackupHealth.judge(
        last: state.last, lastGood: state.lastGood, every: settings.backups?.every,
        since: state.since ?? now, fileIsThere: state.fileIsThere, now: now)
    }
  }

  private static func isThere(_ run: BackupRun) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: run.place)
    return (attributes?[.size] as? NSNumber)?.int64Value == run.bytes
  }
}

extension Timestamp {
  /// Before every other.
  fileprivate static let distant = Timestamp(milliseconds: .min)
}
