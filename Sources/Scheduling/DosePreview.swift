// SPDX-License-Identifier: Apache-2.0

/// A change of a dose when its rule or zone changes.
public enum DoseChange: Hashable, Sendable {
  /// The same dose at another instant.
  case moved(OccurrenceID, from: Instant, to: Instant)
  /// A new dose.
  case added(OccurrenceID, Instant)
  /// A dose that no longer exists.
  case removed(OccurrenceID, Instant)

  /// The instant to sort by: the new one, or the old one for a removed dose.
  public var instant: Instant {
    switch self {
    case .moved(_, _, let to): to
    case .added(_, let instant), .removed(_, let instant): instant
    }
  }
}

/// Previews which doses a change will move.
public enum DosePreview {
  /// Returns the doses that differ between two lists of the same plan, matched by identifier and in chronological
  /// order.
  public static func changes(from old: [Occurrence], to new: [Occurrence]) -> [DoseChange] {
    var earlier: [OccurrenceID: Instant] = [:]
    for occurrence in old { earlier[occurrence.id] = occurrence.instant }
    var changes: [DoseChange] = []
    for occurrence in new {
      guard let before = earlier.removeValue(forKey: occurrence.id) else {
        changes.append(.added(occurrence.id, occurrence.instant))
        continue
      }
      if before != occurrence.instant {
        changes.append(.moved(occurrence.id, from: before, to: occurrence.instant))
      }
    }
    for occurrence in old where earlier[occurrence.id] != nil {
      changes.append(.removed(occurrence.id, occurrence.instant))
    }
    return changes.sorted { $0.instant < $1.instant }
  }

  /// Returns the doses that a clock change moves, each with the reasons for its move.
  public static func movedByClock(
    _ occurrences: [Occurrence], of rule: TimingRule, in zone: Zone,
    rhythm: DailyRhythm = DailyRhythm()
  ) -> [(occurrence: Occurrence, reasons: [DoseReason])] {
    occurrences.compactMap { occurrence in
      let reasons = rule.reasons(for: occurrence, in: zone, rhythm: rhythm)
        .filter { $0.isOfClockChange }
      return reasons.isEmpty ? nil : (occurrence, reasons)
    }
  }
}
