// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Web

/// The schedule of automatic backups, with their folder and secret.
package struct BackupSchedule: Sendable {
  /// The path of the folder that receives the backups.
  package let folder: String
  /// The time between two backups, in milliseconds.
  package let every: Int64
  /// The rule for which backups are kept.
  package let retention: BackupRetention
  let secret: BackupSecret

  /// Creates a schedule.
  ///
  /// - Parameter every: The time between two backups, in milliseconds.
  package init(folder: String, every: Int64, retention: BackupRetention, secret: BackupSecret) {
    self.folder = folder
    self.every = every
    self.retention = retention
    self.secret = secret
  }

  private static let beginning = "regimen-"
  private static let ending = ".backup"

  /// Returns the path for a backup: names sort by time.
  func path(at now: Timestamp) -> String {
    "\(folder)/\(Self.beginning)\(Self.stamp(now))\(Self.ending)"
  }

  /// Removes this schedule's files that the rule does not keep, and the remains of an interrupted
  /// backup.
  ///
  /// Other files with similar names stay.
  func forgetOld() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix(Self.beginning) }
    let made = names.compactMap { name in Self.instant(of: name).map { (name, $0) } }
    let kept = retention.kept(of: made.map(\.1))
    let broken = names.filter { $0.hasSuffix(Self.ending + ".part") }
    for name in made.filter({ !kept.contains($0.1) }).map(\.0) + broken {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }

  /// Returns the time in a file name; nil if this schedule does not create such names.
  private static func instant(of name: String) -> Timestamp? {
    guard name.hasPrefix(beginning), name.hasSuffix(ending) else { return nil }
    let stamp = String(name.dropFirst(beginning.count).dropLast(ending.count))
    guard let date = try? Date(stamp, strategy: style) else { return nil }
    let instant = Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    return Self.stamp(instant) == stamp ? instant : nil
  }

  /// Returns a timestamp such as `20261121T143000Z`.
  private static func stamp(_ now: Timestamp) -> String {
    let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
    return date.formatted(style)
  }

  private static let style = Date.ISO8601FormatStyle(
    dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
}

extension ServerSettings {
  /// The schedule of automatic backups; nil if the operator did not set one.
  package var backups: BackupSchedule? {
    get { features[ifSet: BackupSchedule.self] }
    set { features[ifSet: BackupSchedule.self] = newValue }
  }
}
