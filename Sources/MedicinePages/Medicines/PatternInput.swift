// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Scheduling
import Web

/// The input for cycles, steps, separate amounts, and hours between or since doses.
struct PatternInput: Sendable, Hashable {
  /// One step of a rising or tapering dose.
  struct StepRow: Sendable, Hashable {
    var days = ""
    var amount = ""
    var times: [MedicineInput.TimeRow] = []

    var isEmpty: Bool {
      ([days, amount] + times.map(\.text)).allSatisfy { TypedText.trimmed($0).isEmpty }
    }
  }

  /// A time with its amount and weekdays.
  struct EntryRow: Sendable, Hashable {
    var time = MedicineInput.TimeRow(slot: nil, text: "")
    var amount = ""
    /// FHIR codes; if they are empty in all rows, the times apply every day.
    var weekdays: [String] = []

    var isEmpty: Bool {
      TypedText.trimmed(time.text).isEmpty && TypedText.trimmed(amount).isEmpty
    }
  }

  /// The number of rows of a form, and of times in a step.
  static let rows = 12
  static let openRows = 4
  static let timesOfStep = 4

  /// The tablets that make up one dose, such as `1 x 5 + 1 x 2.5`.
  var mix = ""
  var daysOn = ""
  var daysOff = ""
  var cycleTimes: [MedicineInput.TimeRow] = []
  var hasPlacebo = false
  var steps: [StepRow] = []
  var entries: [EntryRow] = []
  var count = ""
  var gap = ""
  var from = ""
  var until = ""
  var spreadSlots: [Int] = []
  var hours = ""
  var first = ""
  var wakingFrom = ""
  var wakingUntil = ""

  init() {}

  /// Creates the input from a posted form.
  init(form body: FormBody) {
    func typed(_ name: String) -> String { body.raw(name) ?? "" }
    mix = typed("dose-mix")
    daysOn = typed("cycle-on")
    daysOff = typed("cycle-off")
    cycleTimes = MedicineInput.rows(body, "cycle-time")
    hasPlacebo = typed("cycle-break") == "placebo"
    let amounts = body.all("step-amount")
    let stepTimes = MedicineInput.rows(body, "step-time", most: Self.rows * Self.timesOfStep)
    for (index, days) in body.all("step-days").prefix(Self.rows).enumerated() {
      let begin = index * Self.timesOfStep
      steps.append(
        StepRow(
          days: days, amount: index < amounts.count ? amounts[index] : "",
          times: Array(stepTimes.dropFirst(begin).prefix(Self.timesOfStep))))
    }
    let entryAmounts = body.all("entry-amount")
    for (index, row) in MedicineInput.rows(body, "entry-time").prefix(Self.rows).enumerated() {
      entries.append(
        EntryRow(
          time: row, amount: index < entryAmounts.count ? entryAmounts[index] : "",
          weekdays: body.all("entry-weekday-\(index + 1)").filter { Weekday(code: $0) != nil }))
    }
    count = typed("spread-count")
    gap = typed("spread-gap")
    from = typed("spread-from")
    until = typed("spread-until")
    spreadSlots = body.all("spread-slot").compactMap { Int($0) }
    hours = typed("interval-hours")
    first = typed("interval-first")
    wakingFrom = typed("waking-from")
    wakingUntil = typed("waking-until")
  }

  /// True if any part of the waking hours is given.
  var hasWaking: Bool {
    !TypedText.trimmed(wakingFrom).isEmpty || !TypedText.trimmed(wakingUntil).isEmpty
  }

  /// True if a row's amount is a mix of tablets.
  var hasMix: Bool {
    (steps.map(\.amount) + entries.map(\.amount)).contains { DoseMix(typed: $0) != nil }
  }

  // MARK: From a draft

  /// Fills in a stored schedule and returns its kind.
  mutating func take(_ schedule: DraftSchedule, localizer: Localizer) -> MedicineInput.Kind? {
    switch schedule {
    case .cycle(let cycle):
      daysOn = String(cycle.daysOn)
      daysOff = String(cycle.daysOff)
      cycleTimes = MedicineInput.rows(cycle.times)
      hasPlacebo = cycle.hasPlacebo
      return .cycle
    case .steps(let found):
      steps = found.map { step in
        StepRow(
          days: step.days.map { String($0) } ?? "",
          amount: MedicineInput.typed(step.amount, localizer),
          times: MedicineInput.rows(step.times))
      }
      return .steps
    case .varying(let found):
      let isDaily = found.allSatisfy { $0.weekdays.count == 7 }
      entries = found.map { entry in
        EntryRow(
          time: MedicineInput.rows([entry.time])[0],
          amount: MedicineInput.typed(entry.amount, localizer),
          weekdays: isDaily
            ? [] : Weekday.allCases.filter(entry.weekdays.contains).map(\.code))
      }
      return .varying
    case .spread(let spread):
      count = String(spread.count)
      gap = String(spread.gapHours)
      from = MedicineInput.text(spread.window.from)
      until = MedicineInput.text(spread.window.until)
      spreadSlots = spread.slots
      return .spread
    case .afterIntake(let interval):
      hours = String(interval.hours)
      first = MedicineInput.text(interval.first)
      wakingFrom = interval.waking.map { MedicineInput.text($0.from) } ?? ""
      wakingUntil = interval.waking.map { MedicineInput.text($0.until) } ?? ""
      return .afterIntake
    case .times, .everyHours, .everyDays, .meals, .asNeeded: return nil
    }
  }

  // MARK: To a draft

  /// Returns the typed schedule; nil with issues if it is unreadable.
  func schedule(_ kind: MedicineInput.Kind) -> MedicineInput.TypedSchedule? {
    switch kind {
    case .cycle: return cycle
    case .steps: return typedSteps
    case .varying: return typedEntries
    case .spread: return spread
    case .afterIntake: return interval
    case .times, .weekdays, .everyHours, .everyDays, .meals, .asNeeded: return nil
    }
  }

  private static let standIn = DraftSchedule.times(
    [DraftTime(time: .midnight)], weekdays: Set(Weekday.allCases))

  private var cycle: MedicineInput.TypedSchedule {
    var (times, issues) = MedicineInput.read(cycleTimes, field: "cycle-time")
    let on = TypedText.wholeNumber(daysOn)
    let off = TypedText.wholeNumber(daysOff)
    if on == nil { issues.append(.number(field: "cycle-on")) }
    if off == nil { issues.append(.number(field: "cycle-off")) }
    guard let on, let off else { return (Self.standIn, issues) }
    return (
      .cycle(DraftCycle(daysOn: on, daysOff: off, times: times, hasPlacebo: hasPlacebo)), issues
    )
  }

  private var typedSteps: MedicineInput.TypedSchedule {
    var found: [DraftStep] = []
    for row in steps where !row.isEmpty {
      let (times, issues) = MedicineInput.read(row.times, field: "step-amount")
      if !issues.isEmpty { return (Self.standIn, issues) }
      let days = TypedText.wholeNumber(row.days)
      if days == nil, !TypedText.trimmed(row.days).isEmpty {
        return (Self.standIn, [.number(field: "step-amount")])
      }
      if TypedText.isAmbiguousNumber(row.amount) {
        return (Self.standIn, [.ambiguousNumber(field: "step-amount")])
      }
      found.append(DraftStep(days: days, amount: TypedText.trimmed(row.amount), times: times))
    }
    return (.steps(found), [])
  }

  private var typedEntries: MedicineInput.TypedSchedule {
    var found: [DraftEntry] = []
    let filled = entries.filter { !$0.isEmpty }
    // If other rows have days, a row without days does not mean every day.
    if filled.contains(where: \.weekdays.isEmpty), !filled.allSatisfy(\.weekdays.isEmpty) {
      return (Self.standIn, [.daysMissing(field: "entry-amount")])
    }
    for row in filled {
      guard let time = TypedText.clockTime(row.time.text) else {
        return (Self.standIn, [.time(field: "entry-amount")])
      }
      if TypedText.isAmbiguousNumber(row.amount) {
        return (Self.standIn, [.ambiguousNumber(field: "entry-amount")])
      }
      let weekdays = Set(row.weekdays.compactMap { Weekday(code: $0) })
      found.append(
        DraftEntry(
          time: DraftTime(slot: row.time.slot, time: time),
          amount: TypedText.trimmed(row.amount),
          weekdays: weekdays.isEmpty ? Set(Weekday.allCases) : weekdays))
    }
    return (.varying(found), [])
  }

  private var spread: MedicineInput.TypedSchedule {
    var issues: [MedicineIssue] = []
    let number = TypedText.wholeNumber(count)
    let hours = TypedText.wholeNumber(gap)
    if number == nil || hours == nil { issues.append(.number(field: "spread-count")) }
    let begin = TypedText.clockTime(from)
    let end = TypedText.clockTime(until)
    if begin == nil { issues.append(.time(field: "spread-from")) }
    if end == nil { issues.append(.time(field: "spread-until")) }
    guard let number, let hours, let begin, let end else { return (Self.standIn, issues) }
    return (
      .spread(
        DraftSpread(
          count: number, gapHours: hours, window: DayWindow(from: begin, until: end),
          slots: spreadSlots)), []
    )
  }

  private var interval: MedicineInput.TypedSchedule {
    var issues: [MedicineIssue] = []
    let every = TypedText.wholeNumber(hours)
    let start = TypedText.clockTime(first)
    if every == nil { issues.append(.number(field: "interval-hours")) }
    if start == nil { issues.append(.time(field: "interval-first")) }
    var waking: DayWindow?
    if hasWaking {
      if let begin = TypedText.clockTime(wakingFrom), let end = TypedText.clockTime(wakingUntil) {
        waking = DayWindow(from: begin, until: end)
      } else {
        issues.append(.time(field: "waking-from"))
      }
    }
    guard issues.isEmpty, let every, let start else { return (Self.standIn, issues) }
    return (.afterIntake(DraftInterval(hours: every, first: start, waking: waking)), [])
  }
}

extension MedicineInput.Kind {
  /// True if each row has an amount.
  var statesAmounts: Bool { self == .steps || self == .varying }
}
