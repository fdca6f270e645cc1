// SPDX-License-Identifier: Apache-2.0

import Dosing
import Localization
import Web

/// A mistake in a form about a dose or an intake.
package enum AnswerMistake: Error, Sendable, Hashable {
  case dateMissing, dateWrong, dateSkipped
  case timeMissing, timeWrong, timeSkipped
  case futureTime, timeOutOfRange
  case amountWrong
  case reasonTooLong(maximum: Int)
  case minutesMissing
  /// Postponed so often that a reason is required.
  case laterReasonMissing
  case minutesTooLong(maximum: Int)
  case nameMissing
  case nameTooLong(maximum: Int)
  case medicineMissing, medicineUnknown
  case outcomeMissing
  /// The form was already used for something else.
  case formUsed

  /// Creates the mistake in a form that corresponds to an issue of a command.
  package init(_ issue: AnswerIssue) {
    self =
      switch issue {
      case .futureTime: .futureTime
      case .timeOutOfRange: .timeOutOfRange
      case .reasonTooLong(let maximum): .reasonTooLong(maximum: maximum)
      case .missingMinutes: .minutesMissing
      case .minutesOutOfRange(let maximum): .minutesTooLong(maximum: maximum)
      case .badEvent, .eventUsedElsewhere: .formUsed
      case .missingMedicine: .nameMissing
      case .medicineTooLong(let maximum): .nameTooLong(maximum: maximum)
      }
  }

  /// The names of the fields, which differ between the dose page and the entry page.
  package struct Fields: Sendable {
    let date: String
    let time: String
    let reason: String

    /// The field names of the dose page.
    package static let dose = Fields(date: "at-date", time: "at-time", reason: "reason-words")
    /// The field names of the entry page.
    package static let entry = Fields(date: "date", time: "time", reason: "reason")
  }

  /// Returns the field that the mistake belongs to.
  func field(in fields: Fields) -> String {
    switch self {
    case .dateMissing, .dateWrong, .dateSkipped, .timeOutOfRange: fields.date
    case .timeMissing, .timeWrong, .timeSkipped, .futureTime: fields.time
    case .amountWrong: "amount-value"
    case .reasonTooLong: fields.reason
    case .minutesMissing, .minutesTooLong: "minutes"
    case .laterReasonMissing: "later-reason"
    case .nameMissing, .nameTooLong: "name"
    case .medicineMissing, .medicineUnknown: "medicine"
    case .outcomeMissing: "outcome"
    case .formUsed: fields.time
    }
  }

  /// Returns the message for the person who filled in the form.
  package func message(_ localizer: Localizer) -> String {
    switch self {
    case .dateMissing: localizer.text("dose.error.date-missing")
    case .dateWrong: localizer.text("dose.error.date-wrong")
    case .dateSkipped: localizer.text("dose.error.date-skipped")
    case .timeMissing: localizer.text("dose.error.time-missing")
    case .timeWrong: localizer.text("dose.error.time-wrong")
    case .timeSkipped: localizer.text("dose.error.time-skipped")
    case .futureTime: localizer.text("dose.error.future")
    case .timeOutOfRange: localizer.text("dose.error.date-wrong")
    case .amountWrong: localizer.text("dose.error.amount")
    case .reasonTooLong(let maximum):
      localizer.text("dose.error.reason-too-long", ["maximum": .number(maximum)])
    case .laterReasonMissing: localizer.text("escalation.later-reason-missing")
    case .minutesMissing: localizer.text("dose.error.minutes-missing")
    case .minutesTooLong(let maximum):
      localizer.text("dose.error.minutes-too-long", ["maximum": .number(maximum)])
    case .nameMissing: localizer.text("entry.error.name-missing")
    case .nameTooLong(let maximum):
      localizer.text("entry.error.name-too-long", ["maximum": .number(maximum)])
    case .medicineMissing: localizer.text("entry.error.medicine-missing")
    case .medicineUnknown: localizer.text("entry.error.medicine-unknown")
    case .outcomeMissing: localizer.text("entry.error.outcome-missing")
    case .formUsed: localizer.text("dose.error.form-used")
    }
  }
}

extension [AnswerMistake] {
  /// Returns the first message for a field; nil if it has none.
  package func message(
    for field: String, in fields: AnswerMistake.Fields, _ localizer: Localizer
  ) -> String? {
    first { $0.field(in: fields) == field }?.message(localizer)
  }

  /// Returns the lines of the error summary.
  package func summary(in fields: AnswerMistake.Fields, _ localizer: Localizer) -> [FieldError] {
    map { FieldError(field: $0.field(in: fields), message: $0.message(localizer)) }
  }
}
