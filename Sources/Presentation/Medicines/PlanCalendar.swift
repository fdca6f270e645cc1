// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Identifiers
import Localization
import People
import Plans
import Scheduling
import Storage

/// The amounts of a medicine by day before it is saved: one row per week, from the Monday before
/// the first dose.
package struct PlanCalendar: Sendable, Hashable {
  /// The first counted day; earlier days of its week stay empty.
  let first: CivilDate
  let days: Int
  /// The amounts of each day in order; a day without doses has none.
  let amounts: [CivilDate: [Amount]]

  private static let mostDays = 84

  static func read(
    _ plan: Plan, patient: PatientID, days: Int, first: Timestamp?, clock: MedicineClock,
    context: CommandContext, in reader: any SQLReader
  ) throws -> PlanCalendar? {
    guard let first else { return nil }
    let days = min(max(days, 1), mostDays)
    let listing = try DoseQueries.listing(
      patient: patient, from: first, until: clock.startOfDay(first, days: days), now: context.now,
      zones: context.zones, in: reader)
    var amounts: [CivilDate: [Amount]] = [:]
    for dose in listing.doses where dose.plan == plan.id && dose.state != .cancelled {
      guard let amount = dose.amount else { continue }
      amounts[clock.day(of: dose.due), default: []].append(amount)
    }
    return PlanCalendar(first: clock.day(of: first), days: days, amounts: amounts)
  }

  /// The weeks, each with its seven days; nil for days outside the calendar.
  var weeks: [[CivilDate?]] {
    let monday = first.adding(days: 1 - first.weekday.rawValue)
    let last = first.adding(days: days - 1)
    var weeks: [[CivilDate?]] = []
    var day = monday
    while day <= last {
      weeks.append(
        (0..<7).map { offset in
          let date = day.adding(days: offset)
          return date >= first && date <= last ? date : nil
        })
      day = day.adding(days: 7)
    }
    return weeks
  }

  /// Returns the calendar as a table that scrolls sideways.
  package func markup(_ clock: MedicineClock) -> Markup {
    let localizer = clock.localizer
    let caption = localizer.text("patterns.calendar")
    return """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table plan-calendar"><caption>\(caption)</caption><thead><tr>\
      \(each: Weekday.allCases, { day in
        "<th scope=\"col\">\(localizer.capitalized(localizer.weekday(day.rawValue, .short)))</th>"
      })</tr></thead><tbody>\
      \(each: weeks, { week in
        "<tr>\(each: week, { day in cell(day, clock) })</tr>" as Markup
      })</tbody></table></div>
      """
  }

  private func cell(_ day: CivilDate?, _ clock: MedicineClock) -> Markup {
    guard let day else { return "<td></td>" }
    let words = MedicineFormatter(localizer: clock.localizer)
    let date = clock.text(day, .short)
    let amounts = amounts[day] ?? []
    let spoken =
      amounts.isEmpty
      ? clock.localizer.text("patterns.no-dose")
      : amounts.map { words.amount($0) }.joined(separator: " + ")
    return "<td><span class=\"small muted\">\(date)</span><br>\(spoken)</td>"
  }
}
