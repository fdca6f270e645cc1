// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage
import TimeZones

/// Moves one future dose: once, or together with those that follow it.
package enum DoseMover {
  /// The interval within which a dose can be moved.
  package struct Room: Sendable, Hashable {
    /// The earliest time to which the dose can be moved: at least a minute from now, and the plan's gap away
    /// from earlier doses and intakes.
    package let earliest: Timestamp
    /// The latest time to which the dose can be moved; nil if nothing follows.
    package let latest: Timestamp?
    /// True if the following doses at this time of day can move with it: it is the next one at its time, and
    /// the schedule form can express the plan.
    package let mayFollow: Bool
  }

  /// Returns the interval between a dose's neighbours; nil if it cannot be moved.
  package static func room(
    of dose: DoseID, patient: PatientID, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> Room? {
    try planning {
      guard let found = try Found(dose, patient: patient, zones, now: now, in: reader) else {
        return nil
      }
      return found.room
    }
  }

  /// Moves only this dose; its neighbours and the rules stay as they are.
  ///
  /// - Throws: `notMovable`, `moveOutOfRange`, `notFound`, `notAuthorized`.
  package static func once(
    _ dose: DoseID, patient: PatientID, to due: Timestamp, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PlanError) {
    try planning {
      let authorization = try PlanCommands.authorize(.update, patient: patient, context)
      guard
        let found = try Found(dose, patient: patient, context.zones, now: context.now, in: writer)
      else { throw PlanError.notMovable }
      try found.check(due)
      try MovedDoses.insert(dose, patient: patient, to: due, context: context, in: writer)
      try PlanCommands.change(context, writer)
        .follow(found.snapshot, person: found.person, reason: .edit)
      writer.audit(
        AuditEntry(
          at: context.now, actor: context.actor.accountID, kind: .answer, patient: patient,
          resource: "Dose", resourceID: dose.text, version: nil,
          purpose: context.purpose.rawValue, outcome: .success))
      _ = authorization
    }
  }

  /// Moves this dose and all that follow at its time of day by editing the plan itself.
  ///
  /// - Throws: `notMovable`, `moveOutOfRange`, or any error of editing the plan.
  package static func following(
    _ dose: DoseID, patient: PatientID, to due: Timestamp, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PlanError) {
    try planning {
      _ = try PlanCommands.authorize(.update, patient: patient, context)
      guard
        let found = try Found(dose, patient: patient, context.zones, now: context.now, in: writer),
        found.room.mayFollow
      else { throw PlanError.notMovable }
      try found.check(due)
      guard let draft = found.draft(movedTo: due) else { throw PlanError.notMovable }
      try MovedDoses.forget(dose, patient: patient, in: writer)
      _ = try PlanCommands.edit(
        dose.plan, draft, ifVersion: nil, context: context, in: writer)
    }
  }

  /// A future dose with everything that decides where it may go.
  private struct Found {
    let dose: DoseID
    let snapshot: PlanSnapshot
    let person: Person
    let zone: Zone
    let due: Timestamp
    private(set) var room: Room

    init?(
      _ dose: DoseID, patient: PatientID, _ zones: ZoneCatalog, now: Timestamp,
      in reader: any SQLReader
    ) throws {
      guard let row = try PlanStore.load(dose.plan, patient: patient, in: reader), row.isRinging,
        row.era == dose.era,
        let stored = try DoseStore.one(dose, patient: patient, now: now, in: reader),
        stored.state == .scheduled, stored.due < row.plannedThrough,
        let person = try PeopleRows.load(patient, in: reader)
      else { return nil }
      let snapshot = try PlanSnapshot.load(row, in: reader)
      guard
        let timeline = try snapshot.timeline(zones: zones, rhythm: person.rhythm).timeline,
        // The times of such doses depend only on intakes.
        !timeline.followsIntakes, let planned = timeline.dose(dose.occurrence)
      else { return nil }
      self.dose = dose
      self.snapshot = snapshot
      self.person = person
      zone = timeline.zone
      due = stored.due
      let gap = max(timeline.minimumGapMilliseconds ?? 0, 60_000)
      var earliest = now.adding(milliseconds: 60_000)
      // The neighbours at their current times, moved or not, and the intakes.
      let rows = try DoseStore.planned(
        dose.plan, patient: patient, dueAfter: now.adding(milliseconds: -13 * 3_600_000),
        in: reader
      ).filter { $0.occurrence != dose.occurrence && $0.state != .cancelled }
      let taken = try reader.query(
        "SELECT taken FROM intakes WHERE patient = $1 AND taken > $2 AND plan = $3",
        [.text(patient), SQLValue(now.adding(milliseconds: -gap)), .text(dose.plan)]
      ).values(as: Timestamp.self)
      for moment in taken { earliest = max(earliest, moment.adding(milliseconds: gap)) }
      let ruled = Timestamp(planned.due)
      // Neighbours in the order of the plan: one that was moved past this dose's own time still comes after
      // it.
      var following: [Timestamp] = []
      for row in rows {
        let place =
          row.era == dose.era
          ? timeline.dose(row.occurrence).map { Timestamp($0.due) } ?? row.due : row.due
        if place < ruled {
          earliest = max(earliest, row.due.adding(milliseconds: gap))
        } else {
          following.append(row.due)
        }
      }
      let next =
        ([timeline.next(after: planned.due).map { Timestamp($0) }] + following)
        .compactMap(\.self).min()
      let latest = next.map { $0.adding(milliseconds: -gap) }
      room = Room(earliest: earliest, latest: latest, mayFollow: false)
      guard earliest <= latest ?? earliest else { return nil }
      if case .slot(_, let slot) = dose.occurrence, case .slot(let date, _) = dose.occurrence {
        let isNext = !rows.contains { row in
          guard row.due > now, case .slot(let other, slot) = row.occurrence else { return false }
          return other < date
        }
        room = Room(
          earliest: earliest, latest: latest, mayFollow: isNext && draft(movedTo: due) != nil)
      }
    }

    func check(_ due: Timestamp) throws {
      guard due >= room.earliest, due <= room.latest ?? due else {
        throw PlanError.moveOutOfRange(earliest: room.earliest, latest: room.latest)
      }
    }

    /// Returns the plan with the dose's time of day moved to an instant; nil if the form cannot express the
    /// plan, if the dose is tied to a meal, or if it would move to another day.
    func draft(movedTo due: Timestamp) -> PlanDraft? {
      guard case .slot(let date, let slot) = dose.occurrence else { return nil }
      let local = zone.local(at: Instant(due))
      guard local.date == date,
        var draft = PlanDraft(
          medicationRequest: snapshot.request.json, slots: snapshot.slots, zone: zone,
          start: snapshot.row.anchorDate, policy: snapshot.row.policy)
      else { return nil }
      var isFound = false
      func moved(_ times: [DraftTime]) -> [DraftTime] {
        times.map { time in
          guard time.slot == slot else { return time }
          isFound = true
          return DraftTime(slot: slot, time: local.time)
        }
      }
      switch draft.schedule {
      case .times(let times, let weekdays):
        draft.schedule = .times(moved(times), weekdays: weekdays)
      case .everyDays(let days, let times):
        draft.schedule = .everyDays(days, times: moved(times))
      case .cycle(var cycle):
        cycle.times = moved(cycle.times)
        draft.schedule = .cycle(cycle)
      case .varying(let entries):
        draft.schedule = .varying(
          entries.map { entry in
            var entry = entry
            entry.time = moved([entry.time])[0]
            return entry
          })
      case .steps, .spread, .meals, .everyHours, .afterIntake, .asNeeded: return nil
      }
      return isFound ? draft : nil
    }
  }
}
