// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// Reads a date and a time of day that a person typed, in the patient's zone.
package enum LocalMoment {
  /// The instant meant; nil when both fields are empty.
  ///
  /// The minute that it is now means now. A wall time that a clock change skipped is a mistake of
  /// the one who typed it; one that came twice means the first.
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

  /// A decimal as people type it, with comma or point, as FHIR writes it.
  package static func decimal(_ text: String) -> String {
    text.replacing(",", with: ".").replacing(" ", with: "")
  }
}
