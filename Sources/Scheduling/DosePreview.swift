// SPDX-License-Identifier: Apache-2.0

/// The change of a dose when its rule or its zone changes.
public enum DoseChange: Hashable, Sendable {
  /// The same dose at another instant.
  case moved(OccurrenceID, from: Instant, to: Instant)
  /// A dose that there was not before.
  case added(OccurrenceID, Instant)
  /// A dose that there will not be.
  case removed(OccurrenceID, Instant)

  /// The instant by which it is sorted: the new one, else the old one.
  public var instant: Instant {
    switch self {
    case .moved(_, _, let to): to
    case .added(_, let instant), .removed(_, let instant): instant
    }
  }
}

/// Says before a change which doses it will move.
public enum DosePreview {
  /// The doses that differ between two lists of the same plan, by their identities, in time.
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

  /// The doses of a list that a change of the clock moves, each with the reasons that did it.
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
