// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// The clock of a participant, which counts days from the one on which they joined.
struct StudyClock: Sendable {
  private static let day: Int64 = 86_400_000
  private static let minute: Int64 = 60_000
  private let zone: Zone
  private let first: Int64
  /// The instant from which data belongs to the study.
  let from: Timestamp
  /// The instant from which it no longer does.
  let until: Timestamp

  /// Creates the clock of a participant.
  ///
  /// Data belongs to the study from joining until the study's days are over, the person withdrew or the study was
  /// closed, whatever comes first.
  init(
    _ participant: StudyParticipant, days: Int, closed: Timestamp?, now: Timestamp, zone: Zone
  ) {
    self.zone = zone
    from = participant.joined
    let end = participant.joined.adding(milliseconds: Int64(days) * Self.day)
    until = [end, participant.withdrawn ?? now, closed ?? now, now].min() ?? now
    let local = Self.local(participant.joined, zone)
    first = Self.floor(local, Self.day)
  }

  /// The full days that have passed.
  var days: Int { Int(max(0, (until.milliseconds - from.milliseconds) / Self.day)) }

  /// Returns the day and the minute of the day of an instant, by the participant's clock.
  func place(of instant: Timestamp) -> (day: Int, minute: Int) {
    let local = Self.local(instant, zone)
    let day = Self.floor(local, Self.day)
    return (Int(day - first), Int((local - day * Self.day) / Self.minute))
  }

  private static func local(_ instant: Timestamp, _ zone: Zone) -> Int64 {
    let offset = zone.offsetSeconds(at: Instant(milliseconds: instant.milliseconds))
    return instant.milliseconds + Int64(offset) * 1000
  }

  private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
    value >= 0 ? value / unit : -((unit - 1 - value) / unit)
  }
}
