// SPDX-License-Identifier: Apache-2.0

import Localization
import Presentation
import Reminders
import Scheduling

/// Formats the times and sounds of alarms.
struct AlarmText: Sendable {
  let words: DoseFormatter
  /// The names of the person's own sounds, by id.
  var ownSounds: [String: String] = [:]

  var localizer: Localizer { words.localizer }

  func time(_ alarm: Alarm) -> String { words.time(alarm.draft.times.time) }

  /// Returns `Every day`, `Monday and Friday` or `Once, on 2 March 2026`, with the last day if
  /// there is one.
  func days(_ times: AlarmTimes) -> String {
    guard times.isRepeating else {
      return localizer.text("alarms.once", ["date": .text(words.date(times.starts, .short))])
    }
    let days =
      times.days.count == Weekday.allCases.count
      ? localizer.text("alarms.every-day")
      : localizer.capitalized(
        localizer.list(
          Weekday.allCases.filter(times.days.contains).map { localizer.weekday($0.rawValue) }))
    var parts = [days]
    if times.starts > words.today {
      parts.append(
        localizer.text("alarms.from", ["date": .text(words.date(times.starts, .short))]))
    }
    if let ends = times.ends {
      parts.append(localizer.text("alarms.until", ["date": .text(words.date(ends, .short))]))
    }
    return parts.joined(separator: " · ")
  }

  func sound(_ name: String) -> String {
    ownSounds[name] ?? localizer.text("alarms.sound", ["sound": .text(name)])
  }

  func minutes(_ minutes: Int) -> String {
    localizer.text(
      "alarms.minutes", ["minutes": .number(minutes), "hours": .number(minutes / 60)])
  }
}
