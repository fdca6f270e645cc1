// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans

/// A mistake in the form of a medicine, with its field.
enum MedicineIssue: Sendable, Hashable {
  /// A mistake that the draft reports, with the chosen kind of schedule.
  case draft(DraftIssue, MedicineInput.Kind?)
  /// No kind of schedule is chosen.
  case scheduleMissing
  /// A missing or unreadable time of day.
  case time(field: String)
  /// An unreadable whole number.
  case number(field: String)
  /// A missing or unreadable date.
  case date(field: String)
  /// An ambiguous number: "1,500" is 1.5 in some countries and 1500 in others.
  case ambiguousNumber(field: String)
  /// The days were not chosen.
  case daysMissing(field: String)
  /// "Every day" was chosen, but weekdays were ticked.
  case daysClash

  /// The name of the field.
  var field: String {
    switch self {
    case .scheduleMissing: "schedule"
    case .daysClash: "weekday"
    case .time(let field), .number(let field), .date(let field), .ambiguousNumber(let field),
      .daysMissing(let field):
      field
    case .draft(let issue, let kind): Self.field(of: issue, kind: kind)
    }
  }

  /// Returns how to correct the mistake, in the person's language.
  func message(_ localizer: Localizer) -> String {
    switch self {
    case .draft(let issue, _): issue.text(localizer)
    case .scheduleMissing: localizer.text("medicines.problem.schedule")
    case .time: localizer.text("medicines.problem.time")
    case .number: localizer.text("medicines.problem.number")
    case .date: localizer.text("medicines.problem.date")
    case .ambiguousNumber: localizer.text("medicines.problem.ambiguous")
    case .daysMissing: localizer.text("medicines.problem.days-missing")
    case .daysClash: localizer.text("medicines.problem.days-clash")
    }
  }

  private static func field(of issue: DraftIssue, kind: MedicineInput.Kind?) -> String {
    switch issue.field {
    case .name: "name"
    case .strength: "strength-value"
    case .dose: issue.reason == .unknownUnit ? "dose-unit" : "dose-value"
    case .schedule: "schedule"
    case .times: kind == .everyDays ? "days-time" : kind == .cycle ? "cycle-time" : "time"
    case .weekdays: "weekday"
    case .hours: kind == .afterIntake ? "interval-hours" : "hours"
    case .mix: "dose-mix"
    case .cycle: "cycle-on"
    case .steps: "step-amount"
    case .entries: "entry-amount"
    case .spread: "spread-count"
    case .waking: "waking-from"
    case .days: "days"
    case .meals: issue.reason == .outOfRange ? "meal-offset" : "meal"
    case .start: "start"
    case .end: "end"
    case .instruction: "instruction"
    case .need: "need"
    case .missedDoseAdvice: "after-miss-hours"
    case .gap: "gap"
    case .count: "most-doses"
    case .maximum: "most-amount"
    case .monthlyDays: "most-days"
    }
  }
}
