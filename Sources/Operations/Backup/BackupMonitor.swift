// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Synchronization
import Web

/// The state of the backups, kept in memory because every page asks for it.
package final class BackupMonitor: Sendable {
  /// Creates a monitor that knows of no backup yet.
  package init() {}

  private struct State {
    var last: BackupRun?
    var lastGood: BackupRun?
    /// The last attempts of this process, recorded or not.
    var lastHere: BackupRun?
    var lastGoodHere: BackupRun?
    /// Attempts that could not be recorded yet, in order.
    var waiting: [BackupRun] = []
    var since: Timestamp?
    /// The reason that the schedule could not be followed, if there was no attempt.
    var fault: (at: Timestamp, trouble: String)?
    var fileIsThere = true
    /// The time of the last good backup of each kind.
    var made: [BackupRun.Kind: Timestamp] = [:]
    /// The number of failed attempts of each kind since the start.
    var failures: [BackupRun.Kind: Int] = [:]

    mutating func count(_ run: BackupRun) {
      if run.trouble == nil {
        made[run.kind] = max(made[run.kind] ?? run.finished, run.finished)
      } else {
        failures[run.kind, default: 0] += 1
      }
    }
  }

  /// The most attempts that wait to be recorded.
  private static let mostWaiting = 20
  private let state = Mutex(State())

  /// Reads the record, and checks that the last file is unchanged.
  func refresh(_ environment: ServerEnvironment) async throws {
    let kind: BackupRun.Kind? = environment.settings.backups == nil ? nil : .schedule
    let (last, scheduled, byCommand) = try await environment.database.read { reader in
      (
        try BackupLog.last(kind, in: reader), try BackupLog.lastGood(.schedule, in: reader),
        try BackupLog.lastGood(.command, in: reader)
      )
    }
    let good = kind == .schedule ? scheduled : Self.later(scheduled, byCommand)
    let now = environment.now()
    // An attempt that could not be recorded is known only here.
    let (lastHere, goodHere) = state.withLock { ($0.lastHere, $0.lastGoodHere) }
    let latest = Self.later(last, lastHere)
    let latestGood = Self.later(good, goodHere)
    let isThere = latestGood.map(Self.isThere) ?? true
    state.withLock { state in
      state.last = latest
      state.lastGood = latestGood
      state.since = state.since ?? now
      state.fileIsThere = isThere
      for run in [scheduled, byCommand].compactMap(\.self) { state.count(run) }
    }
  }

  private static func later(_ recorded: BackupRun?, _ known: BackupRun?) -> BackupRun? {
    guard let recorded, let known else { return recorded ?? known }
    return known.finished > recorded.finished ? known : recorded
  }

  /// Records the start of the schedule.
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

  /// Counts an attempt that does not affect the health of the schedule.
  func count(_ run: BackupRun) {
    state.withLock { $0.count(run) }
  }

  /// Returns the time of the last good backup of a kind; nil if none is known.
  func lastMade(_ kind: BackupRun.Kind) -> Timestamp? { state.withLock { $0.made[kind] } }

  /// Returns the number of failed attempts of a kind since the start.
  func failures(_ kind: BackupRun.Kind) -> Int { state.withLock { $0.failures[kind] ?? 0 } }

  /// Notes an attempt at once, even if it can't be recorded.
  func note(_ run: BackupRun) {
    state.withLock { state in
      state.count(run)
      state.last = run
      state.lastHere = run
      if run.trouble == nil {
        state.lastGood = run
        state.lastGoodHere = run
        state.fileIsThere = true
      }
    }
  }

  /// Keeps an attempt that could not be recorded, until it can be.
  func keep(_ run: BackupRun) {
    state.withLock { $0.waiting = Array(($0.waiting + [run]).suffix(Self.mostWaiting)) }
  }

  /// Notes that a waiting attempt has been recorded.
  func recorded(_ run: BackupRun) {
    state.withLock { state in state.waiting.removeAll { $0.id == run.id } }
  }

  /// The attempts that could not be recorded yet.
  var waiting: [BackupRun] { state.withLock { $0.waiting } }

  var last: BackupRun? { state.withLock { $0.last } }
  /// The last attempt of this process; nil before the first.
  var lastHere: BackupRun? { state.withLock { $0.lastHere } }

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

extension BackupMonitor: FeatureValue {
  /// A monitor that knows of no backup.
  package static let absent = BackupMonitor()
}

extension ServerEnvironment {
  /// The known state of the backups.
  package var backups: BackupMonitor { features[BackupMonitor.self] }
}
