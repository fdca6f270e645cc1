// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// A dose with its medicine's name and the answer in force: the row behind each ``Dose``.
package enum DoseRow: SQLRowType {
  /// The columns that a ``Dose`` is made of.
  package enum Column: Int, SQLColumn {
    case plan, era, occurrence, due, onTimeUntil, lateUntil, nextDue
    case amountValue, amountUnit, amountCode, state, stateReason, laterUntil, version
    case medicineName
    case answer, action, at, recorded, byName, reason, answerAmountValue, answerAmountUnit
  }

  /// The columns of `doses d`, with the medicine's name from `plans p` and the answer in force from
  /// `answers a`.
  package static let columns = SQLColumns<Column>(
    of: "d",
    [
      .medicineName: "COALESCE(p.shown_name, p.medicine_name)", .answer: "a.answer",
      .action: "a.action", .at: "a.at", .recorded: "a.recorded", .byName: "a.by_name",
      .reason: "a.reason", .answerAmountValue: "a.amount_value",
      .answerAmountUnit: "a.amount_unit",
    ])

  /// The tables that the columns come from.
  package static let tables: SQLText = """
    doses d
    JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
    LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
    """
}

/// The columns that identify a dose, which every table about doses has under the alias `d`.
package struct DoseIDRow: SQLReadableRow {
  /// The columns of the key, without the patient.
  package enum Column: Int, SQLColumn {
    case plan, era, occurrence
  }

  /// The columns under the alias `d`.
  package static let columns = SQLColumns<Column>(of: "d")

  /// The plan of the dose.
  package let plan: PlanID
  /// The era of the plan, counted from 1.
  package let era: Int64
  /// The occurrence in the form that it is stored in.
  package let occurrence: String

  /// Reads the columns of a row.
  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    plan = try row.id(.plan)
    era = try row.integer(.era)
    occurrence = try row.text(.occurrence)
  }

  /// The identity; nil if this program does not know the form of the occurrence.
  package var dose: DoseID? {
    OccurrenceID(text: occurrence).map { DoseID(plan: plan, era: era, occurrence: $0) }
  }
}

extension Dose {
  /// Creates a dose from its row, with its state at `now`.
  ///
  /// - Throws: `StorageError` if the occurrence or the stored state is not one that this program
  ///   knows.
  package init(
    _ row: ColumnReader<DoseRow.Column>, patient: PatientID, now: Timestamp
  ) throws(StorageError) {
    guard let occurrence = OccurrenceID(text: try row.text(.occurrence)) else {
      throw row.unexpected(.occurrence)
    }
    self.init(
      id: DoseID(
        plan: try row.id(.plan), era: try row.integer(.era), occurrence: occurrence),
      patient: patient,
      medicineName: try row.text(.medicineName),
      due: try row.timestamp(.due),
      onTimeUntil: try row.timestamp(.onTimeUntil),
      lateUntil: try row.timestamp(.lateUntil),
      nextDue: try row.optionalTimestamp(.nextDue),
      amount: Amount(
        column: try row.optionalText(.amountValue), unit: try row.optionalText(.amountUnit),
        code: try row.optionalText(.amountCode)),
      stored: try row.named(.state),
      stateReason: try row.optionalText(.stateReason),
      laterUntil: try row.optionalTimestamp(.laterUntil),
      version: try row.integer(.version),
      answer: try DoseAnswer(row),
      now: now)
  }
}

extension DoseAnswer {
  fileprivate init?(_ row: ColumnReader<DoseRow.Column>) throws(StorageError) {
    guard let id: AnswerID = try row.optionalID(.answer) else { return nil }
    self.init(
      id: id,
      action: try row.named(.action),
      at: try row.timestamp(.at),
      recorded: try row.timestamp(.recorded),
      by: try row.text(.byName),
      reason: try row.optionalText(.reason),
      amount: Amount(
        column: try row.optionalText(.answerAmountValue),
        unit: try row.optionalText(.answerAmountUnit), code: nil))
  }
}
