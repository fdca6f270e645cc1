// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization
import People
import Scheduling

extension PlanDraft {
  /// The maximum number of days of a cycle, and of all steps together, that the form accepts.
  private static let longestDays = 365
  private static let mostSteps = 20
  private static let mostEntries = 24

  /// The first day of each step; empty if there are no steps.
  var stepStarts: [CivilDate] {
    guard case .steps(let steps) = schedule else { return [] }
    var starts: [CivilDate] = []
    var first = start
    for step in steps {
      starts.append(first)
      first = first.adding(days: max(step.days ?? 1, 1))
    }
    return starts
  }

  /// The last day of the plan, as entered or as the end of its last step; nil if it is open-ended.
  package var lastDay: CivilDate? {
    guard case .steps(let steps) = schedule, !steps.isEmpty,
      steps.allSatisfy({ $0.days != nil })
    else { return end }
    let last = start.adding(days: steps.reduce(0) { $0 + max($1.days ?? 1, 1) } - 1)
    return end.map { min($0, last) } ?? last
  }

  /// The errors in mixed tablets, cycles, steps, amounts and hours.
  var patternIssues: [DraftIssue] {
    switch schedule {
    case .times, .everyHours, .everyDays, .meals, .asNeeded: mixIssues
    case .cycle(let cycle): mixIssues + issues(of: cycle)
    case .steps(let steps): issues(of: steps)
    case .varying(let entries): issues(of: entries)
    case .spread(let spread): mixIssues + issues(of: spread)
    case .afterIntake(let interval): mixIssues + issues(of: interval)
    }
  }

  private var mixIssues: [DraftIssue] {
    guard let mix, !DraftText.trimmed(mix).isEmpty else { return [] }
    guard let found = DoseMix(typed: mix) else { return [DraftIssue(.mix, .notANumber)] }
    if let issue = unitIssue { return [issue] }
    guard let typed = DraftText.decimal(doseValue), Amount.decimal(typed) != nil,
      !found.makes(typed)
    else { return [] }
    return [DraftIssue(.mix, PlanClash(one: .dose(amount(typed)), other: .mix(found)))]
  }

  /// The error if the unit of the dose counts pieces, which cannot be made up of strengths.
  private var unitIssue: DraftIssue? {
    guard DoseUnit(rawValue: doseUnit) != nil, let one = Measure(amount("1")) else {
      return DraftIssue(.dose, .unknownUnit)
    }
    return one.isCounted ? DraftIssue(.mix, .unknownUnit) : nil
  }

  private func amount(_ value: String) -> Amount {
    Amount(stored: value, unit: doseUnit, code: DoseUnit(rawValue: doseUnit)?.ucumCode)
  }

  private func issues(of cycle: DraftCycle) -> [DraftIssue] {
    let isSensible =
      cycle.daysOn >= 1 && cycle.daysOff >= 1
      && cycle.daysOn <= Self.longestDays && cycle.daysOff <= Self.longestDays
      && cycle.daysOn + cycle.daysOff <= Self.longestDays
    return isSensible ? [] : [DraftIssue(.cycle, .outOfRange)]
  }

  private func issues(of steps: [DraftStep]) -> [DraftIssue] {
    if steps.isEmpty { return [DraftIssue(.steps, .missing)] }
    if steps.count > Self.mostSteps { return [DraftIssue(.steps, .tooManyTimes)] }
    var issues = steps.flatMap { self.issues(ofAmount: $0.amount, field: .steps) }
    for (index, step) in steps.enumerated() {
      issues += Self.issues(step.times.map(\.time), field: .steps)
      let isLast = index == steps.count - 1
      if step.days.map({ !(1...Self.longestDays).contains($0) }) ?? !isLast {
        issues.append(DraftIssue(.steps, .outOfRange))
      }
    }
    if let first = issues.first { return [first] }
    guard let end, let last = steps.last?.days, let begin = stepStarts.last else { return [] }
    let over = begin.adding(days: last - 1)
    guard over != end else { return [] }
    return [DraftIssue(.end, PlanClash(one: .stepsEnd(over), other: .lastDay(end)))]
  }

  private func issues(of entries: [DraftEntry]) -> [DraftIssue] {
    if entries.isEmpty { return [DraftIssue(.entries, .missing)] }
    if entries.count > Self.mostEntries { return [DraftIssue(.entries, .tooManyTimes)] }
    if entries.contains(where: \.weekdays.isEmpty) { return [DraftIssue(.entries, .missing)] }
    if let first = entries.flatMap({ issues(ofAmount: $0.amount, field: .entries) }).first {
      return [first]
    }
    for (index, entry) in entries.enumerated() {
      let other = entries[..<index].first {
        $0.time.time == entry.time.time && !$0.weekdays.isDisjoint(with: entry.weekdays)
      }
      guard let other else { continue }
      return [
        DraftIssue(
          .entries,
          PlanClash(
            one: .entry(other.time.time, other.amount),
            other: .entry(entry.time.time, entry.amount)))
      ]
    }
    return []
  }

  private func issues(of spread: DraftSpread) -> [DraftIssue] {
    guard (1...24).contains(spread.count), (1...23).contains(spread.gapHours) else {
      return [DraftIssue(.spread, .outOfRange)]
    }
    if spread.fits { return [] }
    return [
      DraftIssue(
        .spread,
        PlanClash(
          one: .apart(count: spread.count, hours: spread.gapHours), other: .window(spread.window)))
    ]
  }

  private func issues(of interval: DraftInterval) -> [DraftIssue] {
    guard let waking = interval.waking else { return [] }
    // Less than an hour awake must be a typing error.
    return waking.minutes >= 60 ? [] : [DraftIssue(.waking, .outOfRange)]
  }

  private func issues(ofAmount text: String, field: DraftField) -> [DraftIssue] {
    if DraftText.trimmed(text).isEmpty { return [DraftIssue(field, .missing)] }
    let mix = DoseMix(typed: text)
    if mix != nil, let issue = unitIssue {
      return [issue.field == .dose ? issue : DraftIssue(field, issue.reason)]
    }
    guard let number = Self.number(mix?.total ?? text) else {
      return [DraftIssue(field, .notANumber)]
    }
    if number <= 0 { return [DraftIssue(field, .zeroDose)] }
    return number > Self.largestDose ? [DraftIssue(field, .outOfRange)] : []
  }
}

extension PlanClash {
  /// Returns true if a dosage has extensions of ours that its other elements must not contradict.
  static func statesPattern(_ dosage: DosageView) -> Bool {
    DoseMix(dosage) != nil || StatedSpread(dosage) != nil
  }

  /// Returns the contradiction between our extensions in a request and its standard elements.
  static func ofPattern(_ request: MedicationRequestView, timeline: PlanTimeline?) -> PlanClash? {
    for dosage in request.dosages {
      if let mix = DoseMix(dosage), let amount = TimingReader.amount(dosage),
        !mix.makes(amount.value)
      {
        return PlanClash(one: .dose(amount), other: .mix(mix))
      }
      if let spread = StatedSpread(dosage), let shortest = timeline?.shortestIntervalMilliseconds,
        shortest < Int64(spread.gapHours) * 3_600_000
      {
        return PlanClash(
          one: .apart(count: spread.count, hours: spread.gapHours),
          other: .nextDose(minutes: Int(clamping: shortest / 60_000)))
      }
    }
    return nil
  }
}

extension PlanClash.Line {
  /// Returns the lines of a pattern in the person's language.
  func patternText(_ localizer: Localizer) -> String {
    func clock(_ time: ClockTime) -> MessageArgument {
      .text(localizer.time(hour: time.hour, minute: time.minute))
    }
    func day(_ date: CivilDate) -> MessageArgument {
      let (year, month, day) = date.parts
      return .text(
        localizer.date(
          LocalDay(year: year, month: month, day: day, isoWeekday: date.weekday.rawValue), .medium))
    }
    switch self {
    case .mix(let mix):
      return localizer.text("plans.line.mix", ["parts": .text(mix.words(localizer))])
    case .entry(let time, let amount):
      return localizer.text(
        "plans.line.entry", ["time": clock(time), "amount": .text(amount)])
    case .apart(let count, let hours):
      return localizer.text(
        "plans.line.apart", ["count": .number(count), "hours": .number(hours)])
    case .window(let window):
      return localizer.text(
        "plans.line.window", ["from": clock(window.from), "until": clock(window.until)])
    case .stepsEnd(let date): return localizer.text("plans.line.steps-end", ["day": day(date)])
    case .lastDay(let date): return localizer.text("plans.line.last-day", ["day": day(date)])
    case .dose, .scheduled, .maximum, .takeUntil, .waitAfterMiss, .nextDose: return ""
    }
  }
}

extension DoseMix {
  /// Returns the tablets as text, `1 × 5 + 1 × 2.5`, with the numbers as the language writes them.
  package func words(_ localizer: Localizer, unit: String = "") -> String {
    parts.map { part in
      let count = Amount.decimal(part.count).map { localizer.number($0) } ?? part.count
      let strength = Amount.decimal(part.strength).map { localizer.number($0) } ?? part.strength
      return "\(count) × \(strength)\(unit.isEmpty ? "" : "\u{A0}\(unit)")"
    }.joined(separator: " + ")
  }
}
