// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// The rule that the first answer wins, as a pure function of an alert and an answer.
enum AlertRule {
  enum Refusal: Sendable, Hashable {
    case answered, cancelled
    case minutesOutOfRange(maximum: Int)
    case missingMinutes
  }

  enum Step: Sendable, Hashable {
    /// The alert already is in the requested state.
    case unchanged
    case change(Alert)
    case refuse(Refusal)
  }

  static func step(
    _ answer: AlertAnswer, by name: String, on alert: Alert, at now: Timestamp
  ) -> Step {
    guard alert.state != .cancelled else { return .refuse(.cancelled) }
    var next = alert
    next.version += 1
    next.changed = now
    switch answer.action {
    case .done, .declined:
      let state: Alert.State = answer.action == .done ? .done : .declined
      guard alert.state == .open else {
        return alert.state == state ? .unchanged : .refuse(.answered)
      }
      next.state = state
      next.answered = now
      next.answeredBy = name
    case .later:
      guard alert.state == .open else { return .refuse(.answered) }
      guard let minutes = answer.minutes else { return .refuse(.missingMinutes) }
      let maximum = maximumMinutes(alert, at: now)
      guard (1...max(maximum, 1)).contains(minutes), maximum > 0 else {
        return .refuse(.minutesOutOfRange(maximum: maximum))
      }
      next.ringsFrom = max(now, alert.due).adding(milliseconds: Int64(minutes) * 60_000)
      next.generation += 1
    case .undo:
      guard alert.state.isAnswered else { return .unchanged }
      next.state = .open
      next.answered = nil
      next.answeredBy = nil
      next.ringsFrom = max(now, alert.due)
      next.generation += 1
    }
    return .change(next)
  }

  /// Returns the longest whole number of minutes that ends before the alert does.
  static func maximumMinutes(_ alert: Alert, at now: Timestamp) -> Int {
    maximumMinutes(due: alert.due, ends: alert.ends, at: now)
  }

  static func maximumMinutes(due: Timestamp, ends: Timestamp, at now: Timestamp) -> Int {
    let room = ends.milliseconds.subtractingClamped(max(now, due).milliseconds)
      .subtractingClamped(1)
    return room < 60_000 ? 0 : Int(clamping: room / 60_000)
  }
}

extension Alert {
  /// Returns the minutes by which the alert can be postponed now: the source's own value, then 1 to
  /// 4 hours, as far as they end before the alert does.
  ///
  /// Empty for an alert that is not open.
  package func laterChoices(snooze: Int, at now: Timestamp) -> [Int] {
    guard state == .open else { return [] }
    let maximum = AlertRule.maximumMinutes(self, at: now)
    return Array(Set([snooze, 60, 120, 180, 240])).sorted().filter { $0 <= maximum }
  }
}
