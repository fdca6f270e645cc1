// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Configuration
import Operations

/// The operator's retention periods.
enum RetentionOptions {
  /// Reads `REGIMEN_KEEP_REMINDERS`, `REGIMEN_KEEP_CREDENTIALS` and `REGIMEN_KEEP_MESSAGES`, in days.
  static func read(_ reader: ConfigReader) throws -> Retention {
    var retention = Retention()
    if let days = try days("keep.reminders", reader) { retention.reminderDays = days }
    if let days = try days("keep.credentials", reader) { retention.credentialDays = days }
    retention.chatDays = try days("keep.messages", reader)
    return retention
  }

  private static func days(_ key: ConfigKey, _ reader: ConfigReader) throws -> Int? {
    guard let days = try ServeOptions.number(key, reader: reader) else { return nil }
    guard Retention.allowedDays.contains(days) else {
      let (least, most) = (Retention.allowedDays.lowerBound, Retention.allowedDays.upperBound)
      throw ValidationError("\(key) must be a number of days from \(least) to \(most).")
    }
    return days
  }
}
