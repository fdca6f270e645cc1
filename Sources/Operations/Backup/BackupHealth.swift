// SPDX-License-Identifier: Apache-2.0

import Storage

/// The state of the backups, which says whether the data would survive the loss of this machine's
/// disk.
package enum BackupHealth: Sendable, Hashable {
  /// No backups are scheduled; the last one by command, if there is one.
  case unscheduled(last: Timestamp?)
  /// The last backup is recent and its file is in place.
  case fine(last: Timestamp)
  /// The first backup is being made, or will be soon.
  case awaited
  /// The last attempt made no usable backup.
  case failed(at: Timestamp, trouble: String)
  /// The file of the last backup is gone or has another size.
  case lost(last: Timestamp)
  /// A backup was due and is missing.
  case old(last: Timestamp?)

  /// The longest time a backup can take before it counts as missing, in milliseconds.
  private static let patience: Int64 = 3_600_000

  /// Judges the record.
  ///
  /// - Parameters:
  /// - last: The last scheduled attempt; without a schedule, the last good one of any kind.
  /// - lastGood: The last good scheduled one.
  /// - every: The milliseconds between two; nil without a schedule.
  /// - since: The start of the schedule.
  /// - fileIsThere: True if the file of the last good one was found unchanged.
  static func judge(
    last: BackupRun?, lastGood: BackupRun?, every: Int64?, since: Timestamp, fileIsThere: Bool,
    now: Timestamp
  ) -> BackupHealth {
    guard let every else { return .unscheduled(last: lastGood?.finished) }
    if let last, let trouble = last.trouble { return .failed(at: last.finished, trouble: trouble) }
    // A backup takes a while, and a server that was off makes an overdue one when it starts.
    let due = lastGood.map { max($0.finished.adding(milliseconds: every), since) } ?? since
    let isLate = due.adding(milliseconds: min(every, patience)) < now
    let isLongAgo = lastGood.map { good in
      good.finished.adding(milliseconds: every).adding(milliseconds: every) < now
    }
    if isLate || isLongAgo == true { return .old(last: lastGood?.finished) }
    guard let good = lastGood else { return .awaited }
    if good.bytes == 0 || good.rows == 0 {
      return .failed(at: good.finished, trouble: "empty")
    }
    return fileIsThere ? .fine(last: good.finished) : .lost(last: good.finished)
  }

  /// True if the operator must act: the latest backup failed, is lost, or is missing.
  package var needsCare: Bool {
    switch self {
    case .unscheduled, .fine, .awaited: false
    case .failed, .lost, .old: true
    }
  }
}
