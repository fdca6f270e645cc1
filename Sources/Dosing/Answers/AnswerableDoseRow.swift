// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The columns of an ``AnswerableDose``.
enum AnswerableDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence, due, onTimeUntil, lateUntil, nextDue
    case amountValue, amountUnit, amountCode, state, stateReason, laterUntil, version, reminder
    case medicineName, shownName, ingredients, minimumGap, status, unplannedReason, planEra, kind
    case statisticsThrough, statisticsZone
    case zone
    case answer, action, at, recorded, byName, reason, answerAmountValue, answerAmountUnit
    case answerVersion, administration
    case eventPlan, eventEra, eventOccurrence, eventAction, eventAdministration
    case nextLook, hasWarning, hasLimits, mayNotify, mayUseSites
    case patient
  }

  static let columns = SQLColumns<Column>(
    of: "d",
    [
      .medicineName: "p.medicine_name", .shownName: "p.shown_name",
      .ingredients: "p.ingredients", .minimumGap: "p.minimum_gap", .status: "p.status",
      .unplannedReason: "p.unplanned_reason", .planEra: "p.era", .kind: "p.kind",
      .statisticsThrough: "p.statistics_through", .statisticsZone: "p.statistics_zone",
      .zone: "u.zone",
      .answer: "a.answer", .action: "a.action", .at: "a.at", .recorded: "a.recorded",
      .byName: "a.by_name", .reason: "a.reason", .answerAmountValue: "a.amount_value",
      .answerAmountUnit: "a.amount_unit", .answerVersion: "a.dose_version",
      .administration: "a.administration", .eventPlan: "e.plan", .eventEra: "e.era",
      .eventOccurrence: "e.occurrence", .eventAction: "e.action",
      .eventAdministration: "e.administration", .nextLook: "m.next_look",
      .hasWarning: PossibleConsequences.warning(of: "d.patient"),
      .hasLimits: PossibleConsequences.limits(of: "d.patient"),
      .mayNotify: PossibleConsequences.subscription,
      .mayUseSites: PossibleConsequences.sites(of: "d.patient"),
    ])

  /// The tables that the columns come from, except for the event's answer `e`.
  static let tables: SQLText = """
    doses d
    JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
    LEFT JOIN people u ON u.patient = d.patient
    LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
    LEFT JOIN message_checks m ON m.patient = d.patient
    """

  static func key(_ row: SQLRow) throws(StorageError) -> DoseID {
    let row = row.read(Self.self)
    guard let occurrence = OccurrenceID(text: try row.text(.occurrence)) else {
      throw row.unexpected(.occurrence)
    }
    return DoseID(plan: try row.id(.plan), era: try row.integer(.era), occurrence: occurrence)
  }
}

extension AnswerableDose {
  /// Reads a dose from its rows: one, or one for each pack of its stock.
  init(_ rows: ArraySlice<SQLRow>, patient: PatientID) throws(StorageError) {
    guard let first = rows.first else {
      throw .unexpectedValue(column: 0, expected: .text)
    }
    let row = first.read(AnswerableDoseRow.self)
    id = try AnswerableDoseRow.key(first)
    self.patient = patient
    due = try row.timestamp(.due)
    onTimeUntil = try row.timestamp(.onTimeUntil)
    lateUntil = try row.timestamp(.lateUntil)
    nextDue = try row.optionalTimestamp(.nextDue)
    let planned = Amount(
      column: try row.optionalText(.amountValue), unit: try row.optionalText(.amountUnit),
      code: try row.optionalText(.amountCode))
    amount = planned
    storedState = try row.named(.state)
    stateReason = try row.optionalText(.stateReason)
    laterUntil = try row.optionalTimestamp(.laterUntil)
    version = try row.integer(.version)
    medicine = Medicine(
      plan: id.plan, name: try row.text(.medicineName),
      shownName: try row.optionalText(.shownName), ingredients: try row.text(.ingredients))
    minimumGap = try row.optionalInteger(.minimumGap)
    let status = try row.text(.status)
    let isPlanned = try row.optionalText(.unplannedReason) == nil
    planEnded =
      if status == "on-hold" {
        .paused
      } else if status != "active" {
        .stopped
      } else if !isPlanned {
        .unplanned
      } else if try row.integer(.planEra) != id.era {
        .edit
      } else {
        nil
      }
    zone = try row.optionalText(.zone)
    inForce = try AnswerInForce(row, planned: planned)
    earlierEvent = try EarlierEvent(row)
    reminder = try row.optionalID(.reminder)
    closedMonths = ClosedMonths(
      before: try row.integer(.statisticsThrough), zone: try row.text(.statisticsZone))
    possible = PossibleConsequences(
      hasLimits: try row.bool(.hasLimits), hasWarning: try row.bool(.hasWarning),
      nextLook: .read(try row.optionalTimestamp(.nextLook)),
      mayFollowIntake: try row.text(.kind) == "elapsed" && status == "active" && isPlanned,
      stock: .read(try CountingStock(rows, after: AnswerableDoseRow.self)),
      mayNotify: try row.bool(.mayNotify), mayUseSites: try row.bool(.mayUseSites))
  }
}

extension AnswerInForce {
  fileprivate init?(
    _ row: ColumnReader<AnswerableDoseRow.Column>, planned: Amount?
  ) throws(StorageError) {
    guard let answer = try row.optionalID(.answer) as AnswerID?,
      let version = try row.optionalInteger(.answerVersion)
    else { return nil }
    var amount = Amount(
      column: try row.optionalText(.answerAmountValue),
      unit: try row.optionalText(.answerAmountUnit), code: nil)
    if let planned, planned.isSameQuantity(as: amount) { amount = planned }
    self.init(
      id: answer, action: try row.named(.action), at: try row.timestamp(.at),
      recorded: try row.timestamp(.recorded), by: try row.text(.byName),
      reason: try row.optionalText(.reason), amount: amount, doseVersion: version,
      administration: try row.optionalID(.administration))
  }
}

extension EarlierEvent {
  fileprivate init?(_ row: ColumnReader<AnswerableDoseRow.Column>) throws(StorageError) {
    guard let action = try row.optionalText(.eventAction) else { return nil }
    self.init(
      plan: try row.optionalID(.eventPlan), era: try row.optionalInteger(.eventEra),
      occurrence: try row.optionalText(.eventOccurrence), action: action,
      administration: try row.optionalID(.eventAdministration))
  }
}
