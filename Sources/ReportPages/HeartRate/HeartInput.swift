// SPDX-License-Identifier: Apache-2.0

import Localization
import Observations
import Presentation
import Scheduling
import Storage
import Web

/// A pulse that the person measured by hand, as typed.
struct HeartInput: Sendable {
  enum Mistake: String, Error, Sendable, CaseIterable {
    case value, date, future

    /// The field that has the mistake.
    var field: String { self == .value ? "value" : "day" }

    func message(_ localizer: Localizer) -> String {
      localizer.text("heart-rate.mistake", ["mistake": .text(rawValue)])
    }
  }

  var value = ""
  /// The date; empty for today.
  var day = ""

  init(now: Timestamp) {}

  init(_ form: FormBody) {
    value = form.text("value") ?? ""
    day = form.text("day") ?? ""
  }

  /// Returns the day's resting value; of two manual values for one day the later one counts.
  func sample(zone: Zone, now: Timestamp, source: String) -> Result<VitalSample, Mistake> {
    let typed = value.replacing(",", with: ".").filter { !$0.isWhitespace }
    guard let number = Double(typed), (20...300).contains(number) else { return .failure(.value) }
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    let day: CivilDate
    if self.day.isEmpty {
      day = today
    } else {
      guard let named = CivilDate(text: self.day), named.year >= 1990 else {
        return .failure(.date)
      }
      day = named
    }
    guard day <= today else { return .failure(.future) }
    let start = zone.startOfDay(day).milliseconds / 1_000
    let at = day == today ? now.milliseconds / 1_000 : start + 12 * 3_600
    return .success(
      VitalSample(
        metric: .restingHeartRate, day: day.text, second: 0, at: at,
        zoneOffset: zone.offsetSeconds(at: Instant(milliseconds: at * 1_000)),
        stamp: now.milliseconds / 1_000, thousandths: Int64((number * 1_000).rounded()),
        source: source))
  }
}

/// The content of the page of heart rate.
struct HeartRatePageModel: Sendable {
  let clock: MedicineClock
  let today: CivilDate
  let sources: [VitalSource]
  let resting: [VitalDayValue]

  /// The preferred source of the resting heart rate.
  var preferred: VitalSource? {
    sources.first { $0.metric == .restingHeartRate && $0.isPreferred }
  }

  /// Returns true if no value has arrived for two days or more.
  func isSilent(_ source: VitalSource, now: Timestamp) -> Bool {
    now.milliseconds / 1_000 - source.last > 2 * 86_400
  }
}
