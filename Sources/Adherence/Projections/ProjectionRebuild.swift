// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import People
import Plans
import Scheduling
import Statistics
import Storage
import Supply
import TimeZones

/// The rebuilding of projections from the facts, within one transaction.
///
/// Rows that already match the facts stay unchanged byte for byte, and no reminder is sent again.
package struct ProjectionRebuild {
  /// The number of corrections of each kind.
  package struct Result: Sendable, Hashable {
    /// Doses whose state did not match their answers.
    package internal(set) var doses = 0
    /// Intakes without an answer or record.
    package internal(set) var intakesRemoved = 0
    /// Intakes that were missing.
    package internal(set) var intakesAdded = 0
    /// Plans whose future doses did not match their rules.
    package internal(set) var plans = 0
    /// Plans that could not be planned before, and give doses from now on.
    package internal(set) var plansBegun = 0
    /// Balances and counts of stocks that did not match their ledgers.
    package internal(set) var stocks = 0

    /// Months whose statistics did not match their doses.
    package internal(set) var statistics = 0

    /// True if nothing had to be corrected.
    package var isUnchanged: Bool { self == Result() }
  }

  private let now: Timestamp
  private let zones: ZoneCatalog
  private let writer: any SQLWriter

  private init(now: Timestamp, zones: ZoneCatalog, writer: any SQLWriter) {
    self.now = now
    self.zones = zones
    self.writer = writer
  }

  /// Corrects everything that the facts determine; ``ProjectionCheck`` still finds the rest.
  package static func perform(
    now: Timestamp, zones: ZoneCatalog, in writer: any SQLWriter
  ) throws(PlanError) -> Result {
    try planning {
      let rebuild = ProjectionRebuild(now: now, zones: zones, writer: writer)
      var result = Result()
      result.doses = try rebuild.doses()
      result.intakesRemoved = try rebuild.removeIntakes()
      result.intakesAdded = try rebuild.addIntakes()
      result.plansBegun = try rebuild.unplanned()
      result.plans = try rebuild.dosesToCome()
      result.statistics = try MonthlyRollup.remake(now: now, zones: zones, in: writer)
      result.stocks = try StockProjection.rebuild(in: writer)
      return result
    }
  }

  // MARK: Doses

  private func doses() throws -> Int {
    var sql: SQLText = "SELECT \(WrongDoseRow.columns) FROM"
    sql.append(" ")
    sql.append(contentsOf: ProjectionSQL.lastAnswers)
    sql.append(" WHERE ")
    sql.append(contentsOf: ProjectionSQL.dosesAreWrong)
    let rows = try writer.query(dynamic: sql, [])
    for row in rows { try putRight(row.read(WrongDoseRow.self)) }
    return rows.count
  }

  private func putRight(_ row: ColumnReader<WrongDoseRow.Column>) throws(StorageError) {
    let action = try row.optionalText(.action).flatMap(AnswerAction.init(rawValue:))
    let at = try row.optionalTimestamp(.at)
    var state = try open(reason: row.optionalText(.stateReason), was: row.text(.state))
    var answer = try row.optionalText(.answer)
    var laterUntil: Timestamp?
    var answeredAt: Timestamp?
    switch action {
    case .taken, .skipped, .refused:
      state = action?.rawValue ?? state
      answeredAt = at
    case .later:
      let minutes = try row.optionalInteger(.minutes) ?? 0
      laterUntil = try max(at ?? now, row.timestamp(.due)).adding(milliseconds: minutes * 60_000)
    case .undo, nil:
      answer = nil
    }
    try DoseStore.restore(
      DoseStore.Outcome(
        state: state, answer: answer, answeredAt: answeredAt, laterUntil: laterUntil),
      of: DoseKey(
        patient: try row.id(.patient), plan: try row.id(.plan), era: try row.integer(.era),
        occurrence: try row.text(.occurrence)), in: writer)
  }

  /// Returns the state of a dose without an answer: the old one if it never had an answer, otherwise by its
  /// reason.
  private func open(reason: String?, was state: String) -> String {
    if let stored = DoseState.Stored(rawValue: state), !stored.isAnswered { return state }
    switch reason.flatMap(DoseStateReason.init(rawValue:)) {
    case .edit, .zoneChange: return DoseState.Stored.withheld.rawValue
    case .stopped, .paused, .unplanned, nil: return DoseState.Stored.open.rawValue
    }
  }

  // MARK: Intakes

  private func removeIntakes() throws(StorageError) -> Int {
    var count = 0
    while true {
      let rows: [ProjectionFaultRow] = try writer.query(
        dynamic: ProjectionSQL.intakesUnfounded, [SQLValue(ProjectionCheck.limit)]
      ).decode()
      for row in rows {
        try AnswerStore.uncount(AdministrationID(row.id), patient: row.patient, in: writer)
      }
      count += rows.count
      if rows.count < ProjectionCheck.limit { return count }
    }
  }

  private func addIntakes() throws -> Int {
    var count = 0
    while true {
      let rows: [ProjectionFaultRow] = try writer.query(
        dynamic: ProjectionSQL.intakesMissing, [SQLValue(ProjectionCheck.limit)]
      ).decode()
      var added = 0
      for row in rows
      where try RebuiltIntake.insert(
        administration: AdministrationID(row.id), patient: row.patient, in: writer)
      {
        added += 1
      }
      count += added
      if rows.count < ProjectionCheck.limit || added == 0 { return count }
    }
  }

  // MARK: Future doses

  /// Reads plans that could not be planned again, in case an upgrade or a zone file now allows it.
  private func unplanned() throws(PlanError) -> Int {
    var progress = PlanRereading.Progress()
    while !progress.isDone {
      progress = try PlanRereading.readAgain(
        after: progress, limit: ProjectionCheck.limit, now: now, zones: zones, consequences: .all,
        in: writer)
    }
    return progress.begun
  }

  private func dosesToCome() throws -> Int {
    var count = 0
    for row in try PlanStore.ringing(in: writer) {
      let (patient, plan) = (row.patient, row.plan)
      guard let person = try PeopleRows.load(patient, in: writer),
        var snapshot = try PlanSnapshot.load(plan, patient: patient, in: writer)
      else { continue }
      let change = PlanChange(now: now, zones: zones, consequences: .all, writer: writer)
      try change.settle(&snapshot, rhythm: person.rhythm)
      let before = try DoseStore.planned(plan, patient: patient, dueAfter: now, in: writer)
      try change.follow(snapshot, person: person, reason: .edit)
      let after = try DoseStore.planned(plan, patient: patient, dueAfter: now, in: writer)
      if before == after {
        // Checking is not a change.
        try PlanStore.restore(changed: row.changed, of: plan, patient: patient, in: writer)
      } else {
        count += 1
      }
    }
    return count
  }
}

/// A dose `d` whose state contradicts its last answer `a`.
enum WrongDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, plan, era, occurrence, due, stateReason, answer, action, at, minutes, state
  }

  static let columns = SQLColumns<Column>(
    of: "d",
    [.answer: "a.answer", .action: "a.action", .at: "a.at", .minutes: "a.minutes"])
}
