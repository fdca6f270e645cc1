// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

extension DayStatistics {
  /// Returns the number of consecutive days, up to and including a given day, on which every dose was taken.
  ///
  /// A day without doses ends the streak, as does one outside the range.
  package func coveredDays(endingOn day: CivilDate) -> Int {
    var count = 0
    var date = day
    while date >= first, date <= last, isCovered(date) {
      count += 1
      date = date.adding(days: -1)
    }
    return count
  }
}

extension StatisticsQueries {
  /// The lengths in days of the ranges that are read one after another; the last one is the longest streak
  /// that is counted.
  private static let streakLengths = [14, 90, 366]

  /// Returns the number of consecutive days, up to and including today, on which a patient took every dose;
  /// at most a year.
  ///
  /// Reads further back only while every day was covered.
  package static func coveredDays(
    patient: PatientID, zone: Zone, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Int {
    let today = zone.date(at: Instant(now))
    var count = 0
    for length in streakLengths {
      let found = try Self.days(
        from: today.adding(days: 1 - length), to: today, patient: patient, zone: zone, now: now,
        in: reader)
      count = found.coveredDays(endingOn: today)
      if count < length { break }
    }
    return count
  }
}
