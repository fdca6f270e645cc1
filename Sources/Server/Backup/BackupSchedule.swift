// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// Backups that the server makes by itself.
package struct BackupSchedule: Sendable {
  package let folder: String
  /// Milliseconds between two of them.
  package let every: Int64
  /// How many are kept.
  package let keep: Int
  let secret: BackupSecret

  package init(folder: String, every: Int64, keep: Int, secret: BackupSecret) {
    self.folder = folder
    self.every = every
    self.keep = keep
    self.secret = secret
  }

  private static let beginning = "regimen-"
  private static let ending = ".backup"

  /// Where the backup of a moment goes: names sort by time.
  func path(at now: Timestamp) -> String {
    "\(folder)/\(Self.beginning)\(Self.stamp(now))\(Self.ending)"
  }

  /// Removes the oldest files that this schedule made until as many are left as are kept, and what
  /// was left over from a backup that was broken off.
  func forgetOld() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix(Self.beginning) }
    let whole = names.filter { $0.hasSuffix(Self.ending) }.sorted()
    let broken = names.filter { $0.hasSuffix(Self.ending + ".part") }
    for name in whole.dropLast(keep) + broken {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }

  /// Such as `20261121T143000Z`.
  private static func stamp(_ now: Timestamp) -> String {
    let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
    return date.formatted(
      Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted))
  }
}
