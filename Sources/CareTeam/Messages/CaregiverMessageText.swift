// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Scheduling
import Storage

/// The sentences of messages in a person's language: the event, its time, and the answer.
package struct CaregiverMessageText: Sendable {
  /// The texts in that language.
  package let localizer: Localizer
  /// The time zone of the patient.
  package let zone: Zone
  /// The time that decides which day is today.
  package let now: Timestamp

  /// Creates the sentences for one language and time zone.
  package init(localizer: Localizer, zone: Zone, now: Timestamp) {
    self.localizer = localizer
    self.zone = zone
    self.now = now
  }

  /// Returns the sentence of a message, which names the medicine if it is known.
  package func text(_ shown: ShownCaregiverMessage) -> String {
    let notice = shown.notice
    let detail = notice.detail
    let said = localizer.text(
      MessageKey("caregiver-messages.topic.\(notice.topic.rawValue)"),
      [
        "due": .text(moment(detail.due ?? notice.happened)),
        "date": .text(day(zone.date(at: Instant(detail.due ?? notice.happened)))),
        "medicine": .text(shown.medicine ?? "none"),
        "reason": .text(detail.reason ?? "none"), "by": .text(detail.by ?? "none"),
        "count": .number(notice.topic == .more ? notice.more : detail.count ?? 1),
        "days": .number(detail.days ?? 1), "time": .text(time(minute: detail.minute ?? 0)),
      ])
    guard notice.more > 0, notice.topic != .more else { return said }
    return said + " " + localizer.text("caregiver-messages.more", ["count": .number(notice.more)])
  }

  /// Returns a minute of the day as a time.
  package func time(minute: Int) -> String {
    localizer.time(hour: minute / 60, minute: minute % 60)
  }

  /// Returns a time on the patient's clock, with the day if it is not today.
  package func moment(_ instant: Timestamp) -> String {
    let local = zone.local(at: Instant(instant))
    let time = time(minute: local.time.secondsOfDay / 60)
    let date = local.date
    guard date != zone.date(at: Instant(now)) else { return time }
    return localizer.text("reminders.time-on-day", ["time": .text(time), "day": .text(day(date))])
  }

  private func day(_ date: CivilDate) -> String {
    localizer.date(
      LocalDay(
        year: date.year, month: date.month, day: date.day, isoWeekday: date.weekday.rawValue),
      .short)
  }
}
