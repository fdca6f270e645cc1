// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Scheduling

/// The data about a person's days as stored now.
struct HeartRateInput: Sendable {
  struct Value: Sendable, Hashable {
    var bpm: Double
    var source: String
    /// The hour of the day on the person's clock.
    var hour = 14.0
  }

  struct Day: Sendable, Hashable {
    /// The number of days since 1970.
    var day: Int
    var values: [Value] = []
    var steps: Int?
    /// The dose relative to the usual one.
    var dose: Double = 1
    /// The records of the monitored doses of the 48 hours before the day is judged.
    var doses: MonitoredDoses = .allTaken
    /// The person's answer, if a warning asked on that day.
    var answer: HeartAnswer?
  }

  var days: [Day] = []
  var settings = HeartRateSettings()
  /// The limits, the earliest first.
  var boundaries: [BoundarySetting] = []
  var preferredSource: String?
  var agent = BetaBlocker.other
  var slot = DosingSlot.morning
}

/// The result of judging a person's days.
package struct HeartRateOutcome: Sendable, Hashable {
  /// The verdict on one day.
  package struct Day: Sendable, Hashable {
    /// The days since 1970.
    package let day: Int
    /// True if the method found reason to ask about the day.
    package let isAlert: Bool
    /// The values on which the verdict is based.
    package let finding: HeartRateFinding
  }

  /// The verdicts on all judged days, the earliest first.
  package fileprivate(set) var days: [Day] = []
  /// The limit in force, in beats per minute; nil while there is none.
  package fileprivate(set) var boundary: Double?
  /// Advice to set the limit again or to ask the provider; nil if there is none.
  package fileprivate(set) var advice: BoundaryAdvice?
  /// The number of days still to be known before anything is asked; 0 with a provider's limit.
  package fileprivate(set) var daysToLearn = 0
}

/// Judges all days again from the stored data, so that the order, delay and repetition of values make no
/// difference, and no further state is needed.
enum HeartRateReplay {
  static func run(_ input: HeartRateInput) -> HeartRateOutcome {
    guard let first = input.days.first(where: { !$0.values.isEmpty })?.day else {
      return HeartRateOutcome(
        boundary: input.boundaries.last?.value,
        daysToLearn: input.boundaries.last?.owner == .provider ? 0 : learningDays)
    }
    if input.settings.method == .model { return model(input, first: first) }
    var outcome = HeartRateOutcome()
    var segments = input.boundaries
    // Data from before the first limit was set is judged as if there were none.
    if segments.first.map({ $0.since.daysSinceEpoch > first }) ?? true {
      segments.insert(.none(since: CivilDate(daysSinceEpoch: first)), at: 0)
    }
    for (index, setting) in segments.enumerated() {
      let begin = setting.since.daysSinceEpoch
      let end =
        index + 1 < segments.count ? segments[index + 1].since.daysSinceEpoch : Int.max
      guard begin < end else { continue }
      judge(input, setting, from: begin, to: end, first: first, &outcome)
    }
    return outcome
  }

  private static func judge(
    _ input: HeartRateInput, _ setting: BoundarySetting, from begin: Int, to end: Int, first: Int,
    _ outcome: inout HeartRateOutcome
  ) {
    let isOwn = setting.owner == .own
    let isMoving = input.settings.method == .dynamic && isOwn
    // Start two weeks before it counts, for the average; a person's first limit has no earlier one.
    let start = max(first, begin - learningDays)
    var rule = BoundaryRule(
      isMoving ? .dynamic : .fixed, gap: setting.gap,
      window: ReadingWindow(
        from: Double(input.settings.window.lowerBound),
        to: Double(input.settings.window.upperBound)) ?? .afternoon,
      boundary: setting.value.map { Boundary(value: $0, owner: isOwn ? .own : .provider) },
      convergence: isMoving && setting.value == nil ? .standard : nil,
      preferredSource: input.preferredSource)
    for day in input.days where day.day >= start && day.day < end {
      rule.note(day.doses)
      guard let verdict = try? rule.judge(day.judged(input)) else { continue }
      // A limit that was just set has not been questioned yet.
      if let answer = day.answer, day.day >= begin || answer != .taken { rule.hear(answer) }
      guard day.day >= begin else { continue }
      outcome.days.append(
        .init(day: day.day, isAlert: verdict.isAlert, finding: verdict.finding))
    }
    outcome.boundary = rule.boundary?.value ?? setting.value
    outcome.advice = rule.advice
    // A limit that follows the average comes down automatically.
    if case .reset = rule.advice, isMoving { outcome.advice = nil }
    let known = (input.days.last?.day ?? start) - start
    outcome.daysToLearn = isOwn ? max(0, learningDays - known) : 0
  }

  private static func model(_ input: HeartRateInput, first: Int) -> HeartRateOutcome {
    var outcome = HeartRateOutcome()
    var model = HeartModel(
      budget: input.settings.budget, preferredSource: input.preferredSource)
    for day in input.days where day.day >= first {
      guard let verdict = try? model.judge(day.latest.judged(input)) else { continue }
      if let answer = day.answer { model.hear(answer) }
      outcome.days.append(
        .init(day: day.day, isAlert: verdict.isAlert, finding: verdict.finding))
    }
    let known = (input.days.last?.day ?? first) - first
    outcome.daysToLearn = max(0, learningDays - known)
    return outcome
  }
}

extension HeartRateInput.Day {
  /// The last value of each source only: a watch that calculates several values a day uses much the same
  /// beats, but the model assumes that readings are independent.
  fileprivate var latest: HeartRateInput.Day {
    var day = self
    day.values = Dictionary(grouping: values, by: \.source).values
      .compactMap { $0.max { $0.hour < $1.hour } }.sorted { $0.source < $1.source }
    return day
  }

  fileprivate func judged(_ input: HeartRateInput) -> PatientDay {
    PatientDay(
      day: day, agent: input.agent, slot: input.slot, dose: dose,
      readings: values.map {
        HeartRateReading(hour: $0.hour, bpm: $0.bpm, source: $0.source)
      }, steps: steps)
  }
}
