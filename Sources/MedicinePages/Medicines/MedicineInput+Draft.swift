// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Scheduling
import Web

extension MedicineInput {
  /// The form as a draft, with all mistakes that must be corrected.
  struct Reading: Sendable, Hashable {
    let draft: PlanDraft
    let issues: [MedicineIssue]
  }

  /// Reads the form for a person with this time zone and daily routine.
  func read(today: CivilDate, zone: Zone, rhythm: DailyRhythm) -> Reading {
    var issues: [MedicineIssue] = []
    for (field, text) in [
      ("strength-value", strengthValue), ("dose-value", doseValue), ("most-amount", mostAmount),
    ]
    where TypedText.isAmbiguousNumber(text) {
      issues.append(.ambiguousNumber(field: field))
    }
    let typed = typedSchedule()
    issues += typed.issues
    let (limits, limitIssues) = typedLimits
    issues += limitIssues
    let (rule, ruleIssues) = typedRule
    issues += ruleIssues
    let first = CivilDate(text: TypedText.trimmed(start))
    if first == nil { issues.append(.date(field: "start")) }
    let last = CivilDate(text: TypedText.trimmed(end))
    if last == nil, !TypedText.trimmed(end).isEmpty { issues.append(.date(field: "end")) }
    var draft = draft(
      schedule: typed.schedule, start: first ?? today, end: last, limits: limits)
    draft.missedDoseAdvice = rule
    draft.food = FoodInstruction(rawValue: food)
    fill(&draft)
    // A daily schedule replaces an unreadable one, so that the rest can be checked.
    let isReadable = typed.issues.isEmpty && first != nil
    let refused = draft.issues(today: today, zone: zone, rhythm: rhythm).filter { issue in
      isReadable
        || !(issue.reason == .neverFires || Self.scheduleFields.contains(issue.field)
          // Each row has its own amount, which the replacement lacks.
          || (issue.field == .dose && issue.reason == .missing
            && (schedule?.statesAmounts ?? false)))
    }
    let planned = refused.map { MedicineIssue.draft($0, schedule) }
    let known = Set(issues.map(\.field))
    issues += planned.filter { !known.contains($0.field) }
    let order = Self.fieldOrder
    return Reading(
      draft: draft,
      issues: issues.sorted {
        (order.firstIndex(of: $0.field) ?? order.count)
          < (order.firstIndex(of: $1.field) ?? order.count)
      })
  }

  private static let scheduleFields: Set<DraftField> = [
    .schedule, .times, .weekdays, .hours, .days, .meals, .cycle, .steps, .entries, .spread, .waking,
  ]

  /// The fields in page order.
  private static let fieldOrder = [
    "name", "form", "strength-value", "dose-value", "dose-mix", "dose-unit", "schedule", "time",
    "hours", "first-time", "days", "days-time", "meal", "meal-offset", "meal-days",
    "weekday", "cycle-on",
    "cycle-off", "cycle-time", "step-amount", "entry-amount", "spread-count", "spread-from",
    "spread-until", "interval-hours", "interval-first", "waking-from", "need", "gap", "most-doses",
    "most-days", "most-amount", "after-miss", "after-miss-hours", "start", "end", "instruction",
  ]

  private func draft(
    schedule: DraftSchedule, start: CivilDate, end: CivilDate?, limits: DraftLimits
  ) -> PlanDraft {
    let form = MedicineForm(rawValue: form)
    let hasStrength = !TypedText.trimmed(strengthValue).isEmpty
    let words = TypedText.trimmed(instruction)
    return PlanDraft(
      medicineName: name, form: form, strengthValue: hasStrength ? strengthValue : nil,
      strengthUnit: hasStrength ? strengthUnit : nil, doseValue: doseValue,
      doseUnit: doseUnit.isEmpty ? form?.usualUnit?.rawValue ?? "" : doseUnit,
      schedule: schedule, start: start, end: end, instruction: words.isEmpty ? nil : words,
      policy: draftPolicy, limits: limits)
  }

  /// Fills in the amount; a mix of tablet strengths is counted in the unit of the strength.
  private func fill(_ draft: inout PlanDraft) {
    let words = TypedText.trimmed(pattern.mix)
    if schedule?.statesAmounts ?? false {
      draft.doseValue = ""
    } else if !words.isEmpty {
      draft.mix = words
      if TypedText.trimmed(doseValue).isEmpty, let mix = DoseMix(typed: words) {
        draft.doseValue = mix.total
      }
    }
    let isMixed = !words.isEmpty || (schedule?.statesAmounts ?? false) && pattern.hasMix
    guard isMixed, doseUnit.isEmpty,
      let unit = DoseUnit(code: strengthUnit, text: strengthUnit)
    else { return }
    draft.doseUnit = unit.rawValue
  }

  /// The limits as typed; unreadable numbers are reported at their fields.
  private var typedLimits: (DraftLimits, [MedicineIssue]) {
    var issues: [MedicineIssue] = []
    func whole(_ text: String, _ field: String) -> Int? {
      let typed = TypedText.trimmed(text)
      guard schedule == .asNeeded, !typed.isEmpty else { return nil }
      let number = TypedText.wholeNumber(typed)
      if number == nil { issues.append(.number(field: field)) }
      return number
    }
    let most = TypedText.trimmed(mostAmount)
    let limits = DraftLimits(
      gapHours: whole(gap, "gap"), count: whole(mostDoses, "most-doses"),
      amount: most.isEmpty ? nil : most, days: whole(mostDays, "most-days"))
    return (limits, issues)
  }

  /// The advice for a missed dose; a rule with hours requires them.
  private var typedRule: (MissedDoseAdvice?, [MedicineIssue]) {
    guard schedule != .asNeeded, !missedDoseAdvice.isEmpty else { return (nil, []) }
    let hours = TypedText.wholeNumber(missedDoseAdviceHours)
    if let rule = MissedDoseAdvice(code: missedDoseAdvice, hours: hours) { return (rule, []) }
    return (nil, [.number(field: "after-miss-hours")])
  }

  private var draftPolicy: ZonePolicy {
    if schedule == .everyHours { return .elapsed }
    if schedule == .afterIntake, !pattern.hasWaking { return .elapsed }
    let chosen = ZonePolicy(rawValue: policy) ?? .follow
    return schedule == .afterIntake && chosen == .elapsed ? .follow : chosen
  }

  // MARK: The schedule

  typealias TypedSchedule = (schedule: DraftSchedule, issues: [MedicineIssue])

  private func typedSchedule() -> TypedSchedule {
    let standIn = DraftSchedule.times(
      [DraftTime(time: .midnight)], weekdays: Set(Weekday.allCases))
    switch schedule {
    case nil: return (standIn, [.scheduleMissing])
    case .times, .weekdays:
      var (times, issues) = Self.read(times, field: "time")
      let (days, dayIssues) = chosenDays(everyDay: schedule == .times)
      issues += dayIssues
      return (.times(times, weekdays: days), issues)
    case .everyHours:
      var issues: [MedicineIssue] = []
      let hours = TypedText.wholeNumber(hours)
      if hours == nil { issues.append(.number(field: "hours")) }
      let first = TypedText.clockTime(firstTime)
      if first == nil { issues.append(.time(field: "first-time")) }
      guard let hours, let first else { return (standIn, issues) }
      return (.everyHours(hours, first: first), [])
    case .everyDays:
      var (times, issues) = Self.read(daysTimes, field: "days-time")
      let days = TypedText.wholeNumber(days)
      if days == nil { issues.append(.number(field: "days")) }
      guard let days else { return (standIn, issues) }
      return (.everyDays(days, times: times), issues)
    case .meals:
      let text = TypedText.trimmed(mealOffset)
      let offset = TypedText.wholeNumber(text)
      var issues: [MedicineIssue] =
        offset == nil && !text.isEmpty ? [.number(field: "meal-offset")] : []
      if mealDays == nil { issues.append(.daysMissing(field: "meal-days")) }
      let (days, dayIssues) = chosenDays(everyDay: mealDays != .weekdays)
      issues += dayIssues
      let meals = meals.compactMap { code in
        DayEvent(code: code).map { event in
          DraftMeal(
            slot: mealSlots[code], event: event,
            offsetMinutes: event.allowsOffset ? offset : nil)
        }
      }
      return (.meals(meals, weekdays: days), issues)
    case .asNeeded:
      let words = TypedText.trimmed(need)
      return (.asNeeded(reason: words.isEmpty ? nil : words), [])
    case .cycle, .steps, .varying, .spread, .afterIntake:
      return pattern.schedule(schedule ?? .cycle) ?? (standIn, [])
    }
  }

  /// Returns the chosen weekdays; an empty choice never means every day.
  private func chosenDays(everyDay: Bool) -> (Set<Weekday>, [MedicineIssue]) {
    let ticked = Set(weekdays.compactMap { Weekday(code: $0) })
    guard everyDay else { return (ticked, []) }
    let all = Set(Weekday.allCases)
    return (all, ticked.isEmpty || ticked == all ? [] : [.daysClash])
  }

  /// Returns the rows that are filled in.
  static func read(_ rows: [TimeRow], field: String) -> ([DraftTime], [MedicineIssue]) {
    var times: [DraftTime] = []
    for row in rows where !TypedText.trimmed(row.text).isEmpty {
      guard let time = TypedText.clockTime(row.text) else { return (times, [.time(field: field)]) }
      times.append(DraftTime(slot: row.slot, time: time))
    }
    return (times, [])
  }
}
