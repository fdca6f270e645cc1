// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Scheduling
import Storage

/// A row of `heart_rate_warnings`.
struct WarningRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, warning, kind, day, created, method, isMonitored, heartRate, usual, boundary
    case dosesInDoubt, stepsShare, answer, answered, answeredBy, done, doneAt
    case probability, illness, daysRaised, isUnmoved
  }

  static let columns = SQLColumns<Column>()

  let warning: Warning

  init(_ warning: Warning) {
    self.warning = warning
  }

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    guard let day = CivilDate(text: try row.text(.day)) else { throw row.unexpected(.day) }
    let finding = HeartRateFinding(
      heartRate: try row.optionalInteger(.heartRate).map(Thousandths.number),
      usual: try row.optionalInteger(.usual).map(Thousandths.number),
      boundary: try row.optionalInteger(.boundary).map(Thousandths.number),
      dosesInDoubt: Int(try row.integer(.dosesInDoubt)),
      stepsShare: try row.optionalInteger(.stepsShare).map(Thousandths.number),
      illness: try row.optionalInteger(.illness).map(Thousandths.number),
      probability: try row.optionalInteger(.probability).map(Thousandths.number),
      daysRaised: Int(try row.integer(.daysRaised)), isUnmoved: try row.bool(.isUnmoved))
    warning = Warning(
      patient: try row.id(.patient), id: try row.id(.warning), kind: try row.named(.kind),
      day: day, created: try row.timestamp(.created), method: try row.named(.method),
      isMonitored: try row.bool(.isMonitored), finding: finding,
      answer: try row.optionalText(.answer).flatMap(Warning.Answer.init(rawValue:)),
      answered: try row.optionalTimestamp(.answered),
      answeredBy: try row.optionalText(.answeredBy),
      done: try row.optionalText(.done).flatMap(Warning.Done.init(rawValue:)),
      doneAt: try row.optionalTimestamp(.doneAt))
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(warning.patient)
    case .warning: .text(warning.id)
    case .kind: .text(warning.kind.rawValue)
    case .day: .text(warning.day.text)
    case .created: SQLValue(warning.created)
    case .method: .text(warning.method.rawValue)
    case .isMonitored: SQLValue(warning.isMonitored)
    case .heartRate: SQLValue(warning.finding.heartRate.map(Thousandths.of))
    case .usual: SQLValue(warning.finding.usual.map(Thousandths.of))
    case .boundary: SQLValue(warning.finding.boundary.map(Thousandths.of))
    case .dosesInDoubt: SQLValue(warning.finding.dosesInDoubt)
    case .stepsShare: SQLValue(warning.finding.stepsShare.map(Thousandths.of))
    case .answer: SQLValue(warning.answer?.rawValue)
    case .answered: SQLValue(warning.answered)
    case .answeredBy: SQLValue(warning.answeredBy)
    case .done: SQLValue(warning.done?.rawValue)
    case .doneAt: SQLValue(warning.doneAt)
    case .probability: SQLValue(warning.finding.probability.map(Thousandths.of))
    case .illness: SQLValue(warning.finding.illness.map(Thousandths.of))
    case .daysRaised: SQLValue(warning.finding.daysRaised)
    case .isUnmoved: SQLValue(warning.finding.isUnmoved)
    }
  }
}

/// The answer to the warning of a day.
struct WarningAnswerRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case day, answer }

  static let columns = SQLColumns<Column>()

  /// The day; nil for an invalid text.
  let day: CivilDate?
  let answer: Warning.Answer?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    day = CivilDate(text: try row.text(.day))
    answer = try row.optionalText(.answer).flatMap(Warning.Answer.init(rawValue:))
  }
}
