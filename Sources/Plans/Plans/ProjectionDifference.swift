// SPDX-License-Identifier: Apache-2.0
import Scheduling
import Storage

/// Compares the rows not yet due with the doses that the rules now give, and returns the changes.
struct ProjectionDifference: Sendable {
  enum Change: Sendable, Hashable {
    case insert(DoseProjectionRow)
    case update(DoseProjectionRow)
    case cancel(DoseProjectionRow)
    case delete(DoseProjectionRow)
  }

  let now: Timestamp
  let era: Int64
  let horizon: Timestamp
  let timeline: PlanTimeline
  let gap: MinimumGap
  let reason: DoseStateReason
  /// The plan's rows due after now.
  let rows: [DoseProjectionRow]
  /// The due times of moved doses of the era.
  var moved: [OccurrenceID: Timestamp] = [:]
  /// Doses in the rules that have already passed under another time.
  var gone: Set<OccurrenceID> = []

  func changes() -> [Change] {
    let current = rows.filter { $0.era == era }
    let earlier = rows.filter { $0.era != era && $0.isProjection && $0.state != .cancelled }
    var changes: [Change] = []
    var open: [Timestamp] = []
    for row in current where row.isProjection && !keepsItsTime(row) {
      let (change, result) = again(row)
      if let change { changes.append(change) }
      if let result, result.state == .open { open.append(result.due) }
    }
    let known = Set(current.map(\.occurrence))
    let first = Instant(now).adding(milliseconds: 1)
    var given = timeline.doses(from: first, until: Instant(horizon))
    // Moved into the future, although its own time has passed by the clock of another place.
    for occurrence in moved.keys where !given.contains(where: { $0.occurrence == occurrence }) {
      if let dose = timeline.dose(occurrence) { given.append(dose) }
    }
    for dose in given where !known.contains(dose.occurrence) && !gone.contains(dose.occurrence) {
      let new = placed(made(dose), unchangedFrom: earlier)
      changes.append(.insert(new))
      if new.state == .open { open.append(new.due) }
    }
    let before = Set(rows.filter { $0.state != .cancelled }.map(\.due))
    let new = open.filter { !before.contains($0) }
    for row in current where row.isProjection && keepsItsTime(row) {
      if let change = again(row, beside: new).change { changes.append(change) }
    }
    for row in earlier {
      if let change = left(row, open: open) { changes.append(change) }
    }
    // A postponed dose keeps its time as long as the rules give it.
    for row in rows where row.isPutOff && timeline.dose(row.occurrence) == nil {
      changes.append(.cancel(row))
    }
    return changes
  }

  /// Returns true if the rules move a future dose into the past; it keeps its old time this once.
  private func keepsItsTime(_ row: DoseProjectionRow) -> Bool {
    timeline.dose(row.occurrence).map { made($0).due <= now } ?? false
  }

  /// Returns a row of the current era under the new rules, with its successor.
  ///
  /// - Parameter new: the times of doses that did not exist before.
  private func again(
    _ row: DoseProjectionRow, beside new: [Timestamp] = []
  ) -> (change: Change?, result: DoseProjectionRow?) {
    let crowds = new.contains {
      abs($0.milliseconds - row.due.milliseconds) < gap.milliseconds
    }
    guard let dose = timeline.dose(row.occurrence) else {
      return (row.state == .cancelled ? nil : .cancel(row), nil)
    }
    var new = made(dose)
    if new.due <= now, timeline.followsIntakes {
      // The next dose counted by hours is closer than the plan's own interval.
      return (row.state == .cancelled ? nil : removed(row), nil)
    }
    if new.due <= now {
      // Its new time has passed but its old one has not: it keeps the old one this once.
      if row.state == .cancelled { return (nil, nil) }
      new = kept(row)
      new.amount = dose.amount
      if crowds {
        new.state = .withheld
        new.stateReason = reason
      }
    } else if row.state == .cancelled || row.due != new.due {
      new = checked(new)
    } else {
      new.state = row.state
      new.stateReason = row.stateReason
    }
    new.version = row.version
    if new == row { return (nil, row) }
    new.version += 1
    return (.update(new), new)
  }

  /// Returns the change of a row of an earlier era that was not yet due when the era ended.
  private func left(_ row: DoseProjectionRow, open: [Timestamp]) -> Change? {
    guard let dose = timeline.dose(row.occurrence) else { return .cancel(row) }
    // Its counterpart in this era is in the future, or another dose replaces it.
    let isReplaced =
      timeline.followsIntakes || made(dose).due > now
      || open.contains { abs($0.milliseconds - row.due.milliseconds) < gap.milliseconds }
    if isReplaced { return removed(row) }
    var new = kept(row)
    new.amount = dose.amount
    if new == row { return nil }
    new.version += 1
    return .update(new)
  }

  private func made(_ dose: PlannedDose) -> DoseProjectionRow {
    DoseProjectionRow(
      dose, era: era, in: timeline, movedTo: moved[dose.occurrence],
      nextMovedTo: moved[dose.occurrence].flatMap { _ in movedNext(of: dose) })
  }

  /// Returns the time to which the dose after a moved one was moved as well, which ends its window.
  private func movedNext(of dose: PlannedDose) -> Timestamp? {
    guard let next = timeline.next(after: dose.due) else { return nil }
    return timeline.doses(from: next, until: next.adding(milliseconds: 1))
      .lazy.compactMap { moved[$0.occurrence] }.first
  }

  /// Returns the change that removes a dose: one that was never changed is deleted, any other
  /// cancelled.
  private func removed(_ row: DoseProjectionRow) -> Change {
    row.version == 1 ? .delete(row) : .cancel(row)
  }

  /// Returns a new row: open, or withheld if it would be too early.
  ///
  /// A time that the plan already had is unchanged.
  private func placed(_ new: DoseProjectionRow, unchangedFrom earlier: [DoseProjectionRow])
    -> DoseProjectionRow
  {
    guard let same = earlier.first(where: { $0.due == new.due }) else { return checked(new) }
    var new = new
    new.state = same.state
    new.stateReason = same.stateReason
    return new
  }

  private func checked(_ row: DoseProjectionRow) -> DoseProjectionRow {
    guard gap.forbids(row.due) else { return row }
    var row = row
    row.state = .withheld
    row.stateReason = reason
    return row
  }

  /// Returns the row at its own time, with the window that the rules now give.
  private func kept(_ row: DoseProjectionRow) -> DoseProjectionRow {
    let dose = PlannedDose(
      occurrence: row.occurrence, due: Instant(row.due), amount: row.amount, shift: .none)
    var kept = DoseProjectionRow(dose, era: row.era, in: timeline)
    kept.state = row.state
    kept.stateReason = row.stateReason
    kept.version = row.version
    return kept
  }
}
