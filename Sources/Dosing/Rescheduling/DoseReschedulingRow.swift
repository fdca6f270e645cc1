// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// A complete row of `dose_reschedulings`.
struct DoseReschedulingRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, era, occurrence, taken, decision, decided, account
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let late: DoseID
  let taken: Timestamp
  let decision: ReschedulingDecision
  let decided: Timestamp
  let account: AccountID

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(late.plan)
    case .era: .integer(late.era)
    case .occurrence: .text(late.occurrence.text)
    case .taken: SQLValue(taken)
    case .decision: .text(decision.rawValue)
    case .decided: SQLValue(decided)
    case .account: .text(account)
    }
  }
}

/// The columns of a ``DoseReschedulingRows/Decided``.
enum DecidedRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case decision, taken
  }

  static let columns = SQLColumns<Column>()
}

/// A new row of `rescheduled_doses`.
struct NewRescheduledDoseRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, lateEra, lateOccurrence, era, occurrence, due, was, wasMoved
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let late: DoseID
  let move: DoseReschedulingRows.Move

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(late.plan)
    case .lateEra: .integer(late.era)
    case .lateOccurrence: .text(late.occurrence.text)
    case .era: .integer(move.dose.era)
    case .occurrence: .text(move.dose.occurrence.text)
    case .due: SQLValue(move.due)
    case .was: SQLValue(move.was)
    case .wasMoved: SQLValue(move.wasMoved)
    }
  }
}

/// The columns of a ``DoseReschedulingRows/Move``.
enum RescheduledDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case era, occurrence, due, was, wasMoved
  }

  static let columns = SQLColumns<Column>()
}

/// A dose that was taken late and waits for a decision.
enum LateDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence
  }

  static let columns = SQLColumns<Column>(of: "d")
}

/// An intake or a due dose near a time to which a dose may return.
struct NearDoseRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case era, occurrence
  }

  static let columns = SQLColumns<Column>()

  /// The era; nil, like the occurrence, for an intake without a dose.
  let era: Int64?
  let occurrence: String?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    era = try columns.optionalInteger(.era)
    occurrence = try columns.optionalText(.occurrence)
  }
}
