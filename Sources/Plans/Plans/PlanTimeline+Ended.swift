// SPDX-License-Identifier: Apache-2.0
import Scheduling
import Storage

extension PlanTimeline {
  /// Returns the reason why a plan gets no doses from its rules; nil if it gets some.
  ///
  /// - Parameter isNew: true if it never gave doses; one that did and has run out needs no reason.
  func reasonForNone(from now: Timestamp, isNew: Bool) -> UnplannedReason? {
    let moment = Instant(now)
    guard canFire else {
      return isNew && hasOnlyPastEnd(at: moment) ? .ended(on: lastDay(before: moment)) : .neverFires
    }
    guard isNew, !parts.isEmpty, next(after: moment.adding(milliseconds: -1)) == nil else {
      return nil
    }
    return .ended(on: lastDay(before: moment))
  }

  /// True if the bounds state only an end, which had passed: the start is then the day of arrival.
  private func hasOnlyPastEnd(at now: Instant) -> Bool {
    parts.allSatisfy { part in
      guard let end = part.rule.end?.excludedInstant else { return false }
      return end <= now && end <= part.rule.anchor
    }
  }

  /// Returns the last day of the bounds, or that of the last dose if they are open or still run.
  private func lastDay(before now: Instant) -> CivilDate {
    let ends = parts.compactMap { $0.rule.end?.excludedInstant }
    let end = ends.count == parts.count ? ends.max() : nil
    if let end, end <= now { return zone.date(at: end.adding(milliseconds: -1)) }
    return zone.date(at: last(before: now) ?? now)
  }
}
