// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Scheduling
import Storage

/// Says a message in a person's language: what, when, and what was answered.
package struct CaregiverMessageText: Sendable {
  package let localizer: Localizer
  /// The zone of the person whom it is about.
  package let zone: Zone
  package let now: Timestamp

  package init(localizer: Localizer, zone: Zone, now: Timestamp) {
    self.localizer = localizer
    self.zone = zone
    self.now = now
  }

  /// The message; the medicine is named where it is known.
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

  /// A minute of the day as a time.
  package func time(minute: Int) -> String {
    localizer.time(hour: minute / 60, minute: minute % 60)
  }

  /// The time on the person's clock; with the day where that is not today's.
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
