// SPDX-License-Identifier: Apache-2.0
import Scheduling

extension PlanTimeline {
  /// Returns the reasons for a dose's time, in the order in which the rules applied; nil if the
  /// rules give no such dose.
  package func reasons(for id: OccurrenceID) -> (due: Instant, reasons: [DoseReason])? {
    for part in parts {
      guard let window = window(of: id, in: part) else { continue }
      let found = part.occurrences(from: window.lowerBound, until: window.upperBound)
        .first { $0.id == id }
      if let found {
        return (found.instant, part.reasons(for: found, in: zone, rhythm: rhythm))
      }
    }
    return nil
  }
}

extension PlanTimelinePart {
  /// The reasons of an occurrence of this part.
  fileprivate func reasons(
    for occurrence: Occurrence, in zone: Zone, rhythm: DailyRhythm
  ) -> [DoseReason] {
    // A dose counted from an intake is not in the rules of the Timing.
    if chain != nil { return [] }
    let pattern: TimingPattern
    var id = occurrence.id
    switch (rule.pattern, occurrence.id) {
    case (.calendar(let days, let times), .slot(let date, let slot)):
      pattern = .calendar(days, times)
      // A Timing numbers its times; a plan uses slots that survive edits.
      guard let time = slots.first(where: { $0.id == slot })?.time,
        let place = times.firstIndex(of: time)
      else { return [] }
      id = .slot(date: date, slot: place)
    case (.elapsed(let every, let times), .running(let number)):
      pattern = .elapsed(everyMilliseconds: every, times: times)
      id = .running(number - rule.firstNumber)
    case (.calendar(let days, let times), _): pattern = .calendar(days, times)
    case (.elapsed(let every, let times), _):
      pattern = .elapsed(everyMilliseconds: every, times: times)
    case (.instants(let instants), _): pattern = .instants(instants)
    }
    let timingRule = TimingRule(
      pattern: pattern, anchor: TimingAnchor(instant: rule.anchor, date: rule.anchorDate),
      hasDefaultTimes: rule.hasDefaultTimes)
    return timingRule.reasons(
      for: Occurrence(id: id, instant: occurrence.instant, shift: occurrence.shift), in: zone,
      rhythm: rhythm)
  }
}
