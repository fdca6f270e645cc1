// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// Reads a date and a time of day entered by a person, in the patient's zone.
package enum LocalMoment {
  /// Returns the entered instant; nil if both fields are empty.
  ///
  /// The current minute is read as the exact current time. A local time that occurs twice means the
  /// first.
  ///
  /// - Throws: A mistake in either field, or `timeSkipped` for a local time skipped by a clock
  ///   change.
  package static func read(
    date: String?, time: String?, zone: Zone, now: Timestamp
  ) throws(AnswerMistake) -> Timestamp? {
    if date == nil, time == nil { return nil }
    guard let date else { throw .dateMissing }
    guard let time else { throw .timeMissing }
    guard let day = CivilDate(text: date) else { throw .dateWrong }
    guard let clock = ClockTime(text: time) else { throw .timeWrong }
    let present = zone.local(at: Instant(milliseconds: now.milliseconds))
    if present.date == day, present.time.hour == clock.hour, present.time.minute == clock.minute,
      clock.second == 0
    {
      return now
    }
    guard let found = zone.instant(of: day, at: clock) else { throw .dateSkipped }
    if found.shift == .gap { throw .timeSkipped }
    return Timestamp(milliseconds: found.instant.milliseconds)
  }

  /// Returns a decimal typed with a comma or point in the form used by FHIR, not yet checked.
  package static func decimal(_ text: String) -> String {
    text.replacing(",", with: ".").replacing(" ", with: "")
  }
}
