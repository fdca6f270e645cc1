// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans

/// Something in the form of a medicine that must be put right, with the field it belongs to.
enum MedicineIssue: Sendable, Hashable {
  /// What the plan itself refuses, with the kind of schedule that was chosen.
  case draft(DraftIssue, MedicineInput.Kind?)
  /// No kind of schedule is chosen.
  case scheduleMissing
  /// A time of day that cannot be read, or that is missing.
  case time(field: String)
  /// A whole number that cannot be read.
  case number(field: String)
  /// A day that cannot be read, or that is missing.
  case date(field: String)
  /// "1,500" is one and a half to some and fifteen hundred to others.
  case ambiguousNumber(field: String)
  /// The days were not chosen.
  case daysMissing(field: String)
  /// Every day was chosen, but weekdays were ticked.
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

  /// What to put right, in a person's language.
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
