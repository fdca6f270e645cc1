// SPDX-License-Identifier: Apache-2.0

import Dosing
import Localization
import Plans
import Scheduling
import Statistics
import Storage

/// The doses that a spoken question is about: those of the local day, or of a part of it.
package struct VoiceDay: Sendable, Hashable {
  /// A dose that waits for an answer.
  package struct Due: Sendable, Hashable {
    /// The dose.
    package let id: DoseID
    /// The version of its row.
    package let version: Int64
    /// The medicine's name.
    package let medicine: String
    /// The local time at which it was due, `20:00`.
    package let time: String

    /// Creates a due dose.
    package init(id: DoseID, version: Int64, medicine: String, time: String) {
      self.id = id
      self.version = version
      self.medicine = medicine
      self.time = time
    }

    /// The dose with its version, as a question keeps it.
    package var key: String { "\(id.text) \(version)" }
  }

  /// The part of the day; nil for all of it.
  package var part: DayPart?
  /// The doses that wait for an answer, in order of time.
  package var due: [Due]
  /// The number of planned doses.
  package var planned: Int
  /// The number of doses taken.
  package var taken: Int
  /// The local time of the next dose; nil if none comes within a day.
  package var next: String?

  /// Creates a day from its values.
  package init(
    part: DayPart? = nil, due: [Due] = [], planned: Int = 0, taken: Int = 0, next: String? = nil
  ) {
    self.part = part
    self.due = due
    self.planned = planned
    self.taken = taken
    self.next = next
  }

  /// Computes the day, or a part of it, from what Today lists.
  package init(_ day: TodayDoses, part: DayPart?, now: Timestamp, localizer: Localizer) {
    func local(_ moment: Timestamp) -> LocalDateTime {
      day.zone.local(at: Instant(milliseconds: moment.milliseconds))
    }
    func text(_ moment: Timestamp) -> String {
      let time = local(moment).time
      return localizer.time(hour: time.hour, minute: time.minute)
    }
    let today = local(now).date
    let asked = day.doses.filter { dose in
      part.map { DayPart(hour: local(dose.due).time.hour) == $0 } ?? true
    }
    let ofToday = asked.filter { local($0.due).date == today && $0.state != .cancelled }
    let ahead = day.doses.filter { $0.state == .scheduled || $0.state == .later }
    self.init(
      part: part,
      due: asked.filter { $0.state == .due }.map { dose in
        Due(
          id: dose.id, version: dose.version, medicine: dose.medicineName, time: text(dose.due))
      },
      planned: part == nil ? day.progress.planned : ofToday.count,
      taken: part == nil
        ? day.progress.taken : ofToday.count(where: { $0.state == .taken }),
      next: ahead.map { $0.laterUntil ?? $0.due }.filter { $0 > now }.min().map(text))
  }
}
