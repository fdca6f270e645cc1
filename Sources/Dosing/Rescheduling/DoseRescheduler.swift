// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Knowledge
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// Moves the future doses if one was taken late and the plan's own rule delays the next one.
///
/// Nothing moves before a person agrees. Moves are rows of `dose_moves`, so they count like any other move.
package enum DoseRescheduler {
  /// A proposal after a dose that was taken late, or the decision about it.
  package struct Proposal: Sendable, Hashable {
    /// The dose that was taken late.
    package let late: Dose
    /// The earliest time of the next dose under the plan's rule.
    package let nextFrom: Timestamp
    /// The rules that were applied, with the moves that they allow.
    package let rescheduling: Rescheduling
    /// The person's decision; nil while it is open.
    package let decision: ReschedulingDecision?
    /// The doses that still have the time to which they were moved because of the late one.
    package let made: [RescheduledDose]
  }

  /// Returns the proposal for a dose that was taken late; nil if its plan delays no dose, or there
  /// is nothing to decide.
  package static func proposal(
    for late: Dose, list: InteractionList, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> Proposal? {
    try proposal(
      for: late, list: list,
      in: PatientSnapshot(of: late.patient, now: now, zones: zones, in: reader))
  }

  private static func proposal(
    for late: Dose, list: InteractionList, in patient: PatientSnapshot
  ) throws(PlanError) -> Proposal? {
    guard late.state == .taken, late.isLate,
      let situation = try ReschedulingReading.situation(of: late, list: list, in: patient),
      case .shift(_, let from) = situation.advice
    else { return nil }
    let rescheduling = Rescheduling(situation)
    return try planning {
      let (name, reader) = (patient.patient, patient.reader)
      let decided = try DoseReschedulingRows.decided(late.id, patient: name, in: reader)
      let made = try standing(late.id, patient: name, now: patient.now, in: reader)
      if decided == nil, rescheduling.verdict == .takeNow { return nil }
      return Proposal(
        late: late, nextFrom: from, rescheduling: rescheduling, decision: decided?.decision,
        made: made)
    }
  }

  /// Returns the open proposals: one for each plan whose last dose was taken late, if no dose has become due
  /// since.
  package static func open(
    patient: PatientID, list: InteractionList, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> [Proposal] {
    try open(of: PatientSnapshot(of: patient, now: now, zones: zones, in: reader), list: list)
  }

  /// Returns the open proposals of a patient whose snapshot is already in use.
  ///
  /// Nothing more is read if no running plan delays doses.
  package static func open(
    of patient: PatientSnapshot, list: InteractionList
  ) throws(PlanError) -> [Proposal] {
    let shifting = try planning { try patient.plans().filter { try shifts($0, of: patient) } }
    if shifting.isEmpty { return [] }
    let plans = Set(shifting.map(\.plan))
    let (now, reader) = (patient.now, patient.reader)
    let lates = try planning {
      try reader.query(
        latesStatement,
        [
          .text(patient.patient), SQLValue(now.adding(milliseconds: -farthest)), SQLValue(now),
          SQLValue(now.adding(milliseconds: -longest)), SQLValue(now),
        ])
    }
    var found: [Proposal] = []
    for row in lates {
      let late: Dose? = try planning {
        let row = row.read(LateDoseRow.self)
        let plan: PlanID = try row.id(.plan)
        guard let occurrence = OccurrenceID(text: try row.text(.occurrence)), plans.contains(plan)
        else { return nil }
        let id = DoseID(plan: plan, era: try row.integer(.era), occurrence: occurrence)
        return try DoseStore.one(id, patient: patient.patient, now: now, in: reader)
      }
      if let late, let proposal = try proposal(for: late, list: list, in: patient) {
        found.append(proposal)
      }
    }
    return found
  }

  private static let latesStatement = SQLStatement(
    """
    SELECT \(LateDoseRow.columns) FROM doses d
    WHERE d.patient = $1 AND d.due > $2 AND d.due <= $3 AND d.state = 'taken'
      AND d.answered_at > d.on_time_until AND d.answered_at > $4
      AND NOT EXISTS (SELECT 1 FROM dose_reschedulings s WHERE s.patient = d.patient
        AND s.plan = d.plan AND s.era = d.era AND s.occurrence = d.occurrence)
      AND NOT EXISTS (SELECT 1 FROM doses n WHERE n.patient = d.patient AND n.plan = d.plan
        AND n.due > d.due AND n.due <= $5 AND n.state <> 'cancelled')
    ORDER BY d.due, d.plan
    """)

  /// Returns true if a plan is active and its own rule delays doses.
  private static func shifts(_ plan: PlanRow, of patient: PatientSnapshot) throws -> Bool {
    // Most prescriptions have no rule, which is visible without parsing them unless letters are escaped.
    guard plan.isRinging,
      patient.mentions(MissedDoseAdvice.url, in: plan) || patient.mentions("\\u", in: plan),
      case .shift? = try MissedDoseAdvice(patient.request(of: plan))
    else { return false }
    return true
  }

  /// The longest hours of a rule, in milliseconds, and the longest time before an intake that a dose may have
  /// been due.
  private static let longest = Int64(MissedDoseAdvice.hours.upperBound) * 3_600_000
  private static let farthest = 4 * longest

  // MARK: Deciding

  /// Records a person's decision, and moves the doses or moves them back.
  ///
  /// Repeating a decision changes nothing. A dose that someone has moved or answered since stays as it is.
  ///
  /// - Parameters:
  ///   - expecting: the time that the person was shown for the next dose.
  ///   - tolerance: the milliseconds by which that time may have changed since.
  /// - Throws: `notMovable` if this is no longer proposed, `notFound`, `notAuthorized`.
  package static func decide(
    _ decision: ReschedulingDecision, for late: DoseID, patient: PatientID,
    expecting: Timestamp? = nil,
    tolerance: Int64 = 0, list: InteractionList, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PlanError) {
    _ = try PlanCommands.authorize(.update, patient: patient, context)
    try planning {
      guard
        let dose = try DoseStore.one(late, patient: patient, now: context.now, in: writer),
        dose.state == .taken, dose.isLate, let taken = dose.answer?.at
      else { throw PlanError.notMovable }
      let decided = try DoseReschedulingRows.decided(late, patient: patient, in: writer)
      if decided?.decision == decision { return }
      switch decision {
      case .moved:
        let moves =
          try ReschedulingReading.rescheduling(
            of: dose, list: list, now: context.now, zones: context.zones, in: writer)?.moves ?? []
        guard let first = moves.first,
          expecting.map({ first.to.isWithin(tolerance, of: $0) }) ?? true
        else { throw PlanError.notMovable }
        try make(moves, for: late, patient: patient, context: context, in: writer)
      case .left:
        try takeBack(late, patient: patient, context: context, in: writer)
      }
      try DoseReschedulingRows.decide(
        decision, for: late, taken: taken, patient: patient, context: context, in: writer)
      audit(late, patient: patient, context, in: writer)
    }
  }

  /// Moves doses back and reopens the question after the answer of a late dose was corrected or taken back.
  static func answerChanged(
    _ late: DoseID, taken: Timestamp?, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) {
    do {
      guard let decided = try DoseReschedulingRows.decided(late, patient: patient, in: writer),
        decided.taken != taken
      else { return }
      try takeBack(late, patient: patient, context: context, in: writer)
      try DoseReschedulingRows.forget(late, patient: patient, in: writer)
      audit(late, patient: patient, context, in: writer)
    } catch let error as StorageError {
      throw .storage(error)
    } catch PlanError.storage(let error) {
      throw .storage(error)
    } catch {
      // A plan that can no longer be read gives no doses, so there is nothing to move back.
      return
    }
  }

  private static func make(
    _ moves: [RescheduledDose], for late: DoseID, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    for move in moves {
      let before = try DoseReschedulingRows.movedTo(move.dose, patient: patient, in: writer)
      try DoseReschedulingRows.insert(
        DoseReschedulingRows.Move(
          dose: move.dose, due: move.to, was: move.from, wasMoved: before != nil),
        for: late, patient: patient, in: writer)
      try MovedDoses.insert(
        move.dose, patient: patient, to: move.to, context: context, in: writer)
      audit(move.dose, patient: patient, context, in: writer)
    }
    try follow(late.plan, patient: patient, context: context, in: writer)
  }

  // MARK: Undoing

  /// Moves back the doses that are still where they were moved to.
  ///
  /// A dose whose earlier time has passed stays. So does one that would be too close to another intake or to
  /// a dose that became due since, together with all that follow it.
  private static func takeBack(
    _ late: DoseID, patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws {
    let moves = try DoseReschedulingRows.moves(for: late, patient: patient, in: writer)
    guard !moves.isEmpty else { return }
    let standing = Set(
      try standing(late, patient: patient, now: context.now, in: writer).map(\.dose))
    var restored: [DoseReschedulingRows.Move] = []
    var staysMoved = false
    for move in moves {
      try DoseReschedulingRows.relink(move, of: late, patient: patient, in: writer)
      guard standing.contains(move.dose), move.was > context.now, !staysMoved else { continue }
      guard try isFree(move.was, for: late, patient: patient, now: context.now, in: writer) else {
        staysMoved = true
        continue
      }
      if move.wasMoved {
        try MovedDoses.insert(
          move.dose, patient: patient, to: move.was, context: context, in: writer)
      } else {
        try MovedDoses.forget(move.dose, patient: patient, in: writer)
      }
      restored.append(move)
      audit(move.dose, patient: patient, context, in: writer)
    }
    try DoseReschedulingRows.forget(late, patient: patient, in: writer)
    guard !restored.isEmpty else { return }
    try follow(late.plan, patient: patient, context: context, in: writer)
    // It rang at its earlier time, so it rings there again, with its question.
    let rows = try DoseStore.planned(
      late.plan, patient: patient, dueAfter: context.now, in: writer)
    for var row in rows where row.state == .withheld && row.isProjection {
      let id = DoseID(plan: late.plan, era: row.era, occurrence: row.occurrence)
      guard restored.contains(where: { $0.dose == id && $0.was == row.due }) else { continue }
      row.state = .open
      row.stateReason = nil
      row.version += 1
      try DoseStore.update(row, plan: late.plan, patient: patient, in: writer)
    }
  }

  /// Returns true if a dose may return to a time: it keeps the plan's gap to all other intakes of the plan
  /// and to open doses that are due.
  private static func isFree(
    _ time: Timestamp, for late: DoseID, patient: PatientID, now: Timestamp,
    in reader: any SQLReader
  ) throws -> Bool {
    let gap: Int64 =
      try reader.first(
        "SELECT minimum_gap FROM plans WHERE patient = $1 AND plan = $2",
        [.text(patient), .text(late.plan)])?.value(as: Int64?.self) ?? 0
    let near = try reader.query(
      nearStatement,
      [
        .text(patient), .text(late.plan), SQLValue(time.adding(milliseconds: -gap)),
        SQLValue(time.adding(milliseconds: gap)), SQLValue(now),
      ]
    ).decode(as: NearDoseRow.self)
    return near.allSatisfy { $0.era == late.era && $0.occurrence == late.occurrence.text }
  }

  private static let nearStatement = SQLStatement(
    """
    SELECT \(NearDoseRow.columns) FROM intakes
    WHERE patient = $1 AND plan = $2 AND taken > $3 AND taken < $4
    UNION ALL
    SELECT \(NearDoseRow.columns) FROM doses
    WHERE patient = $1 AND plan = $2 AND state = 'open' AND due > $3 AND due <= $5
    """)

  /// Returns the doses that are where they were moved to because of a late one, in the future and without an
  /// answer.
  private static func standing(
    _ late: DoseID, patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws -> [RescheduledDose] {
    let moves = try DoseReschedulingRows.moves(for: late, patient: patient, in: reader)
    if moves.isEmpty { return [] }
    let rows = try DoseStore.planned(
      late.plan, patient: patient, dueAfter: now, in: reader)
    return try moves.filter { move in
      guard try DoseReschedulingRows.movedTo(move.dose, patient: patient, in: reader) == move.due
      else {
        return false
      }
      return rows.contains {
        $0.era == move.dose.era && $0.occurrence == move.dose.occurrence && $0.due == move.due
          && $0.isProjection && $0.state == .open
      }
    }.map { RescheduledDose(dose: $0.dose, from: $0.was, to: $0.due) }
  }

  private static func follow(
    _ plan: PlanID, patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws {
    guard let snapshot = try PlanSnapshot.load(plan, patient: patient, in: writer),
      let person = try PeopleRows.load(patient, in: writer)
    else { throw PlanError.notFound }
    try PlanCommands.change(context, writer).follow(snapshot, person: person, reason: .edit)
  }

  private static func audit(
    _ dose: DoseID, patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .answer, patient: patient,
        resource: "Dose", resourceID: dose.text, version: nil,
        purpose: context.purpose.rawValue, outcome: .success))
  }
}

extension Timestamp {
  /// Returns true if another instant is at most some milliseconds away.
  ///
  /// The instant comes from a form and may be anything.
  fileprivate func isWithin(_ tolerance: Int64, of other: Timestamp) -> Bool {
    let (distance, isBeyond) = other.milliseconds.subtractingReportingOverflow(milliseconds)
    return !isBeyond && distance.magnitude <= tolerance.magnitude
  }
}
