// SPDX-License-Identifier: Apache-2.0
import Identifiers
import People
import Scheduling
import Storage

/// Creates and updates the rows of doses that are not yet due.
struct DoseProjection: Sendable {
  /// The time ahead for which rows must exist, in milliseconds.
  static let horizonMilliseconds: Int64 = 48 * 3_600_000
  /// The step by which rows are extended, in milliseconds: four times a day.
  static let strideMilliseconds: Int64 = 6 * 3_600_000

  let patient: PatientID
  let plan: PlanID
  let now: Timestamp

  var horizon: Timestamp {
    now.adding(milliseconds: Self.horizonMilliseconds + Self.strideMilliseconds)
  }

  /// Adds missing rows up to the horizon, including those from an outage.
  func extend(_ row: inout PlanRow, _ timeline: PlanTimeline, in writer: any SQLWriter)
    throws(StorageError)
  {
    let from = max(row.plannedThrough, row.activeFrom)
    if from < horizon {
      // Only doses with a row can have been moved, so doses beyond the rows follow the rules. A dose that was
      // moved and taken before a journey has passed, even if the rules give it again.
      let come = try MovedDoses.come(plan, patient: patient, before: row.era, by: now, in: writer)
      for dose in timeline.doses(from: Instant(from), until: Instant(horizon))
      where !come.contains(dose.occurrence) {
        try DoseStore.insert(
          DoseProjectionRow(dose, era: row.era, in: timeline), plan: plan, patient: patient,
          in: writer)
      }
    }
    row.plannedThrough = reach(timeline, atLeast: max(row.plannedThrough, horizon))
  }

  /// Cancels all doses that are not yet due.
  func cancel(_ reason: DoseStateReason, in writer: any SQLWriter) throws(StorageError) {
    let rows = try DoseStore.planned(plan, patient: patient, dueAfter: now, in: writer)
    for row in rows where row.isPutOff || row.isProjection && row.state != .cancelled {
      try DoseStore.update(row.cancelled(reason), plan: plan, patient: patient, in: writer)
    }
  }

  /// Plans all future doses anew; doses that are due or answered stay as they are.
  ///
  /// - Parameter reason: the reason stored with doses that are withheld or cancelled.
  func remake(
    _ row: inout PlanRow, _ timeline: PlanTimeline, reason: DoseStateReason,
    consequences: Consequences, in writer: any SQLWriter
  ) throws(StorageError) {
    let rows = try DoseStore.planned(plan, patient: patient, dueAfter: now, in: writer)
    let gap = try MinimumGap.load(
      timeline.minimumGapMilliseconds, plan: plan, patient: patient, now: now,
      rows: rows.filter { !($0.isPutOff && timeline.dose($0.occurrence) == nil) }, in: writer)
    let moves = try MovedDoses.load(plan, patient: patient, dueAfter: now, in: writer)
    let gone = try gone(row, timeline, moves, known: rows, in: writer)
    let moved = MoveCarryover(
      now: now, era: row.era, horizon: horizon, timeline: timeline, rows: rows, moves: moves,
      gone: gone
    ).kept()
    try MovedDoses.keep(
      moved, of: moves, plan: plan, patient: patient, era: row.era, consequences: consequences,
      in: writer)
    let difference = ProjectionDifference(
      now: now, era: row.era, horizon: horizon, timeline: timeline, gap: gap, reason: reason,
      rows: rows, moved: moved, gone: gone)
    for change in difference.changes() {
      switch change {
      case .insert(let new):
        try DoseStore.insert(new, plan: plan, patient: patient, in: writer)
      case .update(let changed):
        try DoseStore.update(changed, plan: plan, patient: patient, in: writer)
      case .cancel(let old):
        try DoseStore.update(old.cancelled(reason), plan: plan, patient: patient, in: writer)
      case .delete(let old):
        try DoseStore.delete(old, plan: plan, patient: patient, in: writer)
      }
    }
    row.plannedThrough = reach(timeline, atLeast: horizon)
  }

  /// Returns the future doses in the rules that have already passed under another time: they do not come
  /// again or replace other doses.
  private func gone(
    _ row: PlanRow, _ timeline: PlanTimeline, _ moves: [MovedDose], known: [DoseProjectionRow],
    in reader: any SQLReader
  ) throws(StorageError) -> Set<OccurrenceID> {
    let known = Set(known.filter { $0.era == row.era }.map(\.occurrence))
    let first = Instant(now).adding(milliseconds: 1)
    let given = Set(
      timeline.doses(from: first, until: Instant(horizon)).map(\.occurrence)
        + moves.map(\.occurrence))
    var gone: Set<OccurrenceID> = []
    for occurrence in given where !known.contains(occurrence) {
      // A dose that was already due may have had the same identity at another time: keep it.
      let exists = try DoseStore.exists(
        occurrence, era: row.era, plan: plan, patient: patient, in: reader)
      // A dose that was moved to a time before the journey does not come again.
      let came = try MovedDoses.hasCome(
        occurrence, plan: plan, patient: patient, before: row.era, by: now, in: reader)
      if exists || came { gone.insert(occurrence) }
    }
    return gone
  }

  private func reach(_ timeline: PlanTimeline, atLeast instant: Timestamp) -> Timestamp {
    let last = Instant(instant).adding(milliseconds: -1)
    return timeline.next(after: last) == nil ? PlanRow.complete : instant
  }
}

extension Instant {
  /// Converts a timestamp to an instant of the scheduler.
  package init(_ timestamp: Timestamp) { self.init(milliseconds: timestamp.milliseconds) }
}

extension Timestamp {
  /// Converts an instant of the scheduler to a timestamp.
  package init(_ instant: Instant) { self.init(milliseconds: instant.milliseconds) }
}
