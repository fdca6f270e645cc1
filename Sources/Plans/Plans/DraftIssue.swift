// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Identifiers
import Localization
import People
import Scheduling

/// The part of the form that an issue belongs to.
package enum DraftField: String, Sendable, Hashable, CaseIterable {
  case name, strength, dose, schedule, times, weekdays, hours, days, meals, start, end
  case instruction
  case missedDoseAdvice = "after-miss"
  case need, gap, count, maximum, monthlyDays = "monthly-days"
  case mix, cycle, steps, entries, spread, waking
}

/// A reason for which a field is refused.
package enum DraftReason: String, Sendable, Hashable, CaseIterable {
  case missing
  case notANumber = "not-a-number"
  case zeroDose = "zero-dose"
  case tooLong = "too-long"
  case endBeforeStart = "end-before-start"
  case neverFires = "never-fires"
  case duplicateTime = "duplicate-time"
  case outOfRange = "out-of-range"
  case tooManyTimes = "too-many-times"
  case unknownUnit = "unknown-unit"
  /// It contradicts another line; see ``DraftIssue/clash``.
  case clash
}

/// A mistake in a draft that must be corrected.
package struct DraftIssue: Sendable, Hashable {
  /// The field that the issue belongs to.
  package let field: DraftField
  /// The reason for which it is refused.
  package let reason: DraftReason
  /// The two lines that contradict each other; nil for other reasons.
  package var clash: PlanClash?

  /// Creates an issue.
  package init(_ field: DraftField, _ reason: DraftReason) {
    self.field = field
    self.reason = reason
  }

  /// Creates an issue about two lines that contradict each other.
  package init(_ field: DraftField, _ clash: PlanClash) {
    self.init(field, .clash)
    self.clash = clash
  }

  /// Keys of issues whose text is in `plans.draft.pattern`.
  private static let ofPatterns: Set<String> = [
    "mix-not-a-number", "mix-unknown-unit", "cycle-out-of-range", "steps-missing",
    "steps-out-of-range", "steps-not-a-number", "steps-unknown-unit", "entries-missing",
    "entries-not-a-number", "entries-unknown-unit", "spread-out-of-range", "waking-out-of-range",
  ]

  /// Returns the message for the person, in their language.
  package func text(_ localizer: Localizer) -> String {
    if let clash {
      return localizer.text(
        "plans.draft.two-lines",
        ["one": .text(clash.one.text(localizer)), "other": .text(clash.other.text(localizer))])
    }
    let problem = "\(field.rawValue)-\(reason.rawValue)"
    if Self.ofPatterns.contains(problem) {
      return localizer.text("plans.draft.pattern", ["problem": .text(problem)])
    }
    return localizer.text(
      MessageKey("plans.draft.\(reason.rawValue)"), ["field": .text(field.rawValue)])
  }
}

extension PlanDraft {
  static let largestDose = Decimal(100_000_000)

  /// Returns everything that must be corrected; empty if the draft can be planned.
  package func issues(today: CivilDate, zone: Zone, rhythm: DailyRhythm) -> [DraftIssue] {
    var issues: [DraftIssue] = []
    let name = DraftText.trimmed(medicineName)
    if name.isEmpty { issues.append(DraftIssue(.name, .missing)) }
    if name.count > 200 { issues.append(DraftIssue(.name, .tooLong)) }
    issues += strengthIssues + doseIssues + scheduleIssues + limitIssues + patternIssues
    if let instruction, DraftText.trimmed(instruction).count > 1_000 {
      issues.append(DraftIssue(.instruction, .tooLong))
    }
    // From a century ago to ten years ahead: any other date is a typing error.
    let sensible = today.adding(days: -36_525)...today.adding(days: 3_653)
    if !sensible.contains(start) { issues.append(DraftIssue(.start, .outOfRange)) }
    if let end {
      if end < start {
        issues.append(DraftIssue(.end, .endBeforeStart))
      } else if end > today.adding(days: 36_525) {
        issues.append(DraftIssue(.end, .outOfRange))
      }
    }
    if issues.isEmpty {
      let from = zone.startOfDay(today).adding(milliseconds: -1)
      let timeline = timeline(zone: zone, rhythm: rhythm)
      let next = timeline?.next(after: from)
      if next == nil, !schedule.isAsNeeded {
        issues.append(DraftIssue(end == nil ? .schedule : .end, .neverFires))
      }
      let request = MedicationRequestView(
        medicationRequest(patient: .draft, authoredOn: nil, zone: zone, replacing: nil))
      let moments = [next ?? from] + stepStarts.map { zone.startOfDay($0) }
      let maximum = moments.lazy.compactMap {
        PlanClash.ofMaximum(PlanLimits(request), timeline: timeline, from: $0)
      }.first
      if let clash = maximum {
        issues.append(DraftIssue(.maximum, clash))
      }
      if let clash = PlanClash.ofMiss(MissedDoseAdvice(request), timeline: timeline) {
        issues.append(DraftIssue(.missedDoseAdvice, clash))
      }
    }
    return issues
  }

  private var limitIssues: [DraftIssue] {
    var issues: [DraftIssue] = []
    if case .asNeeded(let reason) = schedule {
      if DraftText.trimmed(reason ?? "").count > 200 { issues.append(DraftIssue(.need, .tooLong)) }
      if let gap = limits.gapHours, !(1...23).contains(gap) {
        issues.append(DraftIssue(.gap, .outOfRange))
      }
      if let count = limits.count, !(1...24).contains(count) {
        issues.append(DraftIssue(.count, .outOfRange))
      }
      if let days = limits.days, !(1...31).contains(days) {
        issues.append(DraftIssue(.monthlyDays, .outOfRange))
      }
    }
    let most = DraftText.trimmed(limits.amount ?? "")
    if !most.isEmpty {
      guard let number = Self.number(most) else {
        return issues + [DraftIssue(.maximum, .notANumber)]
      }
      if number <= 0 || number > Self.largestDose {
        issues.append(DraftIssue(.maximum, .outOfRange))
      }
    }
    return issues
  }

  private var strengthIssues: [DraftIssue] {
    let value = DraftText.trimmed(strengthValue ?? "")
    let unit = DraftText.trimmed(strengthUnit ?? "")
    if value.isEmpty && unit.isEmpty { return [] }
    if value.isEmpty || unit.isEmpty { return [DraftIssue(.strength, .missing)] }
    if unit.count > 40 { return [DraftIssue(.strength, .tooLong)] }
    guard let number = Self.number(value) else { return [DraftIssue(.strength, .notANumber)] }
    return number > 0 && number <= Self.largestDose ? [] : [DraftIssue(.strength, .outOfRange)]
  }

  private var doseIssues: [DraftIssue] {
    if schedule.statesAmounts {
      return DoseUnit(rawValue: doseUnit) == nil ? [DraftIssue(.dose, .unknownUnit)] : []
    }
    if DraftText.trimmed(doseValue).isEmpty { return [DraftIssue(.dose, .missing)] }
    guard let number = Self.number(doseValue) else { return [DraftIssue(.dose, .notANumber)] }
    if number <= 0 { return [DraftIssue(.dose, .zeroDose)] }
    if number > Self.largestDose { return [DraftIssue(.dose, .outOfRange)] }
    return DoseUnit(rawValue: doseUnit) == nil ? [DraftIssue(.dose, .unknownUnit)] : []
  }

  private var scheduleIssues: [DraftIssue] {
    switch schedule {
    case .times(let times, let weekdays):
      return Self.issues(times.map(\.time), field: .times)
        + (weekdays.isEmpty ? [DraftIssue(.weekdays, .missing)] : [])
    case .everyHours(let hours, _):
      return (1...168).contains(hours) ? [] : [DraftIssue(.hours, .outOfRange)]
    case .everyDays(let days, let times):
      return Self.issues(times.map(\.time), field: .times)
        + ((1...365).contains(days) ? [] : [DraftIssue(.days, .outOfRange)])
    case .meals(let meals, let weekdays):
      let isOffsetWrong = meals.contains { meal in
        guard let offset = meal.offsetMinutes else { return false }
        return !(0...240).contains(offset) || !meal.event.allowsOffset
      }
      return Self.issues(meals.map(\.slotTime), field: .meals)
        + (isOffsetWrong ? [DraftIssue(.meals, .outOfRange)] : [])
        + (weekdays.isEmpty ? [DraftIssue(.weekdays, .missing)] : [])
    case .asNeeded, .steps, .varying, .spread: return []
    case .cycle(let cycle): return Self.issues(cycle.times.map(\.time), field: .times)
    case .afterIntake(let interval):
      return (1...168).contains(interval.hours) ? [] : [DraftIssue(.hours, .outOfRange)]
    }
  }

  static func issues(_ times: [some Hashable], field: DraftField) -> [DraftIssue] {
    if times.isEmpty { return [DraftIssue(field, .missing)] }
    if times.count > 24 { return [DraftIssue(field, .tooManyTimes)] }
    return Set(times).count < times.count ? [DraftIssue(field, .duplicateTime)] : []
  }

  static func number(_ text: String) -> Decimal? {
    DraftText.decimal(text).flatMap {
      Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX"))
    }
  }
}
