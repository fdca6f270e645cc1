// SPDX-License-Identifier: Apache-2.0
import Scheduling
import Storage

/// Compares the rows not yet due with what the rules now give, and says what to change.
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
  /// When doses of the era are due that a person moved.
  var moved: [OccurrenceID: Timestamp] = [:]
  /// Doses that the rules give once more and that have come already.
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
    // Moved to a time that is to come, though its own is over by the clock of another place.
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
    // A dose put off keeps its time while the rules give it, and goes with them.
    for row in rows where row.isPutOff && timeline.dose(row.occurrence) == nil {
      changes.append(.cancel(row))
    }
    return changes
  }

  /// Returns true if the rules put a dose that is still to come into the past: it keeps the time
  /// that it had, this once.
  private func keepsItsTime(_ row: DoseProjectionRow) -> Bool {
    timeline.dose(row.occurrence).map { made($0).due <= now } ?? false
  }

  /// A row of the current era under the rules as they now are, with what it then is.
  ///
  /// - Parameter new: when other doses now come that did not come then before.
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
      // The next one by the hours is nearer than the plan's own distance: this one would crowd it.
      return (row.state == .cancelled ? nil : removed(row), nil)
    }
    if new.due <= now {
      // Its new time is past while its old one was to come: it keeps the old one this once.
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

  /// A row of an earlier era that was not yet due when the era ended.
  private func left(_ row: DoseProjectionRow, open: [Timestamp]) -> Change? {
    guard let dose = timeline.dose(row.occurrence) else { return .cancel(row) }
    // Its counterpart of this era is still to come, or another dose stands in for it.
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

  /// Where the dose after a moved one was moved to as well: its window ends by that.
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

  /// A new row: open, or withheld where it would come too soon.
  ///
  /// A time that the plan already had before stays as it was.
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

  /// The row at its own time, with the window that the rules now give around it.
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
