// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// The timing of one reminder's steps: its escalation policy, and the quiet hours that hold steps
/// back.
package struct EscalationTiming: Sendable {
  var escalation = EscalationPolicy.standard
  var quiet: QuietHours?
  /// True if one of the medicines cannot wait for the end of the quiet hours.
  var isCritical = false
  var zone = Zone.utc

  /// The standard timing: push, push again, ntfy or else push, mail; no quiet hours.
  static let standard = EscalationTiming()

  /// The delay, in milliseconds, beyond which a late step moves the ones after it.
  static let tolerance: Int64 = 30_000
  /// The delay, in milliseconds, beyond which a late step is no longer sent.
  static let patience: Int64 = 3_600_000

  func count(_ kind: ReminderKind) -> Int {
    kind.handler.climbs ? escalation.steps.count : 1
  }

  /// Returns the time of a step by its minutes, without quiet hours.
  func unheld(_ step: Int, started: Timestamp) -> Timestamp {
    let index = min(max(step, 0), escalation.steps.count - 1)
    let minutes = escalation.steps.indices.contains(index) ? escalation.steps[index].minutes : 0
    return started.adding(milliseconds: Int64(minutes) * 60_000)
  }

  /// Returns the time of a step: those after the first wait for the end of the quiet hours.
  func moment(_ step: Int, started: Timestamp) -> Timestamp {
    let moment = unheld(step, started: started)
    guard step > 0, !isCritical, let quiet else { return moment }
    return quietEnd(quiet, at: moment) ?? moment
  }

  /// Returns the end of the quiet hours that hold back steps after the first at an instant; nil if
  /// they can be sent.
  package func held(at moment: Timestamp) -> Timestamp? {
    guard !isCritical, let quiet else { return nil }
    return quietEnd(quiet, at: moment)
  }

  /// Returns the same timing with the policy fixed for a reminder's generation, if there is one.
  func following(_ row: ReminderRow, at now: Timestamp) -> EscalationTiming {
    guard let fixed = row.escalation else { return self }
    let elapsed = now.milliseconds.subtractingClamped(row.started.milliseconds)
    var timing = self
    timing.escalation = fixed.joined(
      from: escalation, fired: row.step,
      elapsedMinutes: Int(clamping: max(0, elapsed.addingClamped(59_999)) / 60_000))
    return timing
  }

  /// Returns the end of the quiet hours that contain an instant; nil if none do.
  private func quietEnd(_ quiet: QuietHours, at moment: Timestamp) -> Timestamp? {
    let local = zone.local(at: Instant(moment))
    let minute = local.time.secondsOfDay / 60
    let spansMidnight = quiet.from > quiet.until
    let isQuiet =
      spansMidnight
      ? minute >= quiet.from || minute < quiet.until : (quiet.from..<quiet.until).contains(minute)
    guard isQuiet, let end = ClockTime(secondsOfDay: quiet.until * 60) else { return nil }
    let date = spansMidnight && minute >= quiet.from ? local.date.adding(days: 1) : local.date
    guard let result = zone.instant(of: date, at: end) else { return nil }
    // If the clock is set back in the night, the end may already have passed once.
    let instant = Timestamp(result.instant)
    return instant > moment ? instant : nil
  }
}
