// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// Decides which moved doses keep their time when a plan's rules, zone or kind change.
///
/// A moved dose keeps the chosen instant as long as the same dose is in the future, lies between its
/// neighbours and keeps the gap. Otherwise it returns to the time in the rules: a move never brings two doses
/// together.
struct MoveCarryover: Sendable {
  let now: Timestamp
  let era: Int64
  let horizon: Timestamp
  let timeline: PlanTimeline
  /// The plan's rows due after now.
  let rows: [DoseProjectionRow]
  /// All moved doses due after now, of any era.
  let moves: [MovedDose]
  /// Doses in the rules that have already passed under another time.
  let gone: Set<OccurrenceID>

  /// Returns the due times of the doses that stay moved, by identity in the current era.
  func kept() -> [OccurrenceID: Timestamp] {
    var kept: [OccurrenceID: (ruled: Instant, due: Timestamp)] = [:]
    for move in moves {
      guard isStill(move), let planned = timeline.dose(move.occurrence),
        Timestamp(planned.due) < horizon
      else { continue }
      kept[move.occurrence] = (planned.due, move.due)
    }
    while let crowding = crowding(kept) { kept[crowding] = nil }
    return kept.mapValues(\.due)
  }

  /// Returns true if a move still identifies a dose of the current era.
  private func isStill(_ move: MovedDose) -> Bool {
    if move.era == era { return true }
    // With another interval, a running number identifies another dose.
    if case .running = move.occurrence { return false }
    let isNewEra = !rows.contains { $0.era == era }
    return isNewEra && move.era == era - 1
      && rows.contains {
        $0.era == move.era && $0.occurrence == move.occurrence && $0.isProjection
      }
  }

  private struct Place {
    let occurrence: OccurrenceID
    let ruled: Instant
    let due: Timestamp
    var isMoved = false
  }

  /// Returns a moved dose that is too close to a neighbour or past it.
  private func crowding(
    _ kept: [OccurrenceID: (ruled: Instant, due: Timestamp)]
  ) -> OccurrenceID? {
    guard !kept.isEmpty else { return nil }
    let last = kept.values.map { max($0.ruled, Instant($0.due)) }.max() ?? Instant(now)
    var places = kept.map { Place(occurrence: $0, ruled: $1.ruled, due: $1.due, isMoved: true) }
    for dose in timeline.doses(
      from: Instant(now).adding(milliseconds: 1), until: last.adding(milliseconds: 1))
    where kept[dose.occurrence] == nil && !gone.contains(dose.occurrence) {
      places.append(
        Place(occurrence: dose.occurrence, ruled: dose.due, due: Timestamp(dose.due)))
    }
    if let next = timeline.next(after: last),
      let dose = timeline.doses(from: next, until: next.adding(milliseconds: 1)).first
    {
      places.append(
        Place(occurrence: dose.occurrence, ruled: next, due: Timestamp(next)))
    }
    places.sort { ($0.ruled, $0.occurrence.text) < ($1.ruled, $1.occurrence.text) }
    let gap = max(timeline.minimumGapMilliseconds ?? 0, 60_000)
    for (one, other) in zip(places, places.dropFirst())
    where other.due.milliseconds - one.due.milliseconds < gap && !(stood(one) && stood(other)) {
      if other.isMoved { return other.occurrence }
      if one.isMoved { return one.occurrence }
    }
    return nil
  }

  /// Returns true if the dose already had that time: doses that a person put close together stay there.
  private func stood(_ place: Place) -> Bool {
    rows.contains {
      $0.occurrence == place.occurrence && $0.due == place.due && $0.state != .cancelled
    }
  }
}
