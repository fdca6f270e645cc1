// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Localization
import Plans
import Scheduling
import Storage
import Web

/// Says doses, times and amounts in a person's language and zone.
///
/// One value serves a whole page: amounts that stand in many rows are put into words once.
package struct DoseFormatter: Sendable {
  package let localizer: Localizer
  package let zone: Zone
  /// The local day of the request.
  package let today: CivilDate
  /// The moment of the request.
  package let now: Timestamp

  package init(localizer: Localizer, zone: Zone, now: Timestamp) {
    self.localizer = localizer
    self.zone = zone
    self.now = now
    today = zone.date(at: Instant(milliseconds: now.milliseconds))
  }

  package func local(_ timestamp: Timestamp) -> LocalDateTime {
    zone.local(at: Instant(milliseconds: timestamp.milliseconds))
  }

  /// The time, `08:00`.
  package func time(_ timestamp: Timestamp) -> String {
    time(local(timestamp).time)
  }

  /// The time today, `08:00`; with the date on another day, `Sat 28 Feb, 08:00`.
  package func moment(_ timestamp: Timestamp) -> String {
    let local = local(timestamp)
    if local.date == today { return time(local.time) }
    return dated(local, .short)
  }

  /// The date and time in full, `Sunday 1 March 2026, 08:00`.
  package func dated(_ timestamp: Timestamp) -> String {
    dated(local(timestamp), .long)
  }

  package func date(_ date: CivilDate, _ style: DateStyle) -> String {
    let (year, month, day) = date.parts
    return localizer.date(
      LocalDay(year: year, month: month, day: day, isoWeekday: date.weekday.rawValue), style)
  }

  /// The instant for machines, `2026-03-01T08:00:00+01:00`.
  package func machine(_ timestamp: Timestamp) -> String {
    let offset = zone.offsetSeconds(at: Instant(milliseconds: timestamp.milliseconds))
    return FHIRDateTime.instantText(
      milliseconds: timestamp.milliseconds, offsetMinutes: offset / 60)
  }

  /// `1 tablet`; the sender's own word where the unit is not known here.
  package func amount(_ amount: Amount) -> String {
    Self.spokenAmounts.text(of: amount, in: localizer.language) { spoken(amount) }
  }

  private static let spokenAmounts = SpokenAmounts()

  private func spoken(_ amount: Amount) -> String {
    guard let value = Amount.decimal(amount.value) else { return amount.value }
    if let unit = DoseUnit(code: amount.code, text: amount.unit) {
      return localizer.amount(value, unit)
    }
    let number = localizer.number(value)
    if amount.unit == PlanDraft.placeboUnit {
      return localizer.text("patterns.placebo", ["count": .text(number)])
    }
    return amount.unit.isEmpty ? number : "\(number) \(amount.unit)"
  }

  /// A length of time, `30 minutes` or `2 hours`.
  package func duration(minutes: Int) -> String {
    if minutes >= 60, minutes % 60 == 0 {
      return localizer.text("dose.hours", ["n": .number(minutes / 60)])
    }
    return localizer.text("dose.minutes", ["n": .number(minutes)])
  }

  /// What became of a dose, as a chip.
  package func chip(_ dose: Dose) -> StateChip {
    switch dose.state {
    case .scheduled: chip(.scheduled)
    case .due where dose.isLate: chip(.overdue, moment(dose.due))
    case .due: chip(.due)
    case .later: chip(.later, dose.laterUntil.map(moment))
    case .taken: chip(dose.isLate ? .late : .taken, (dose.answer?.at).map(moment))
    case .skipped: chip(.skipped, Self.short(dose.answer?.reason))
    case .refused: chip(.refused, Self.short(dose.answer?.reason))
    case .missed: chip(.missed)
    case .withheld: chip(.withheld)
    case .cancelled: chip(.cancelled)
    }
  }

  /// Returns the on-time window of a dose and the end of its late window; the only wording for them.
  ///
  /// Returns nil once the dose is answered, missed or cancelled, and for a late dose whose plan has
  /// its own rule, since that rule is shown instead.
  package func times(of dose: Dose, hasOwnRule: Bool) -> String? {
    switch dose.state {
    case .scheduled, .due, .later: break
    case .taken, .skipped, .refused, .missed, .withheld, .cancelled: return nil
    }
    let late =
      hasOwnRule
      ? nil : localizer.text("dose.times.late", ["time": .text(moment(dose.lateUntil))])
    if now > dose.onTimeUntil { return late }
    let until = MessageArgument.text(moment(dose.onTimeUntil))
    let onTime =
      now < dose.due
      ? localizer.text(
        "dose.times.ahead", ["from": .text(moment(dose.onTimeFrom)), "until": until])
      : localizer.text("dose.times.due", ["until": until])
    return [onTime, late].compactMap(\.self).joined(separator: " ")
  }

  /// Returns the times of passed doses as text: `08:00 and 14:00`.
  package func times(of passed: PassedDoses.OfPlan) -> String {
    localizer.list(passed.doses.map { time($0.due) })
  }

  package func chip(_ state: StateChip.State, _ detail: String? = nil) -> StateChip {
    StateChip(state, detail: detail, localizer: localizer)
  }

  /// `08:04 by Ann`, one for each intake.
  package func taken(_ intakes: [Intake]) -> String {
    localizer.list(
      intakes.map { intake in
        localizer.text(
          "dose.taken-by", ["when": .text(moment(intake.taken)), "name": .text(intake.by)])
      })
  }

  /// A reason that fits into a chip; longer ones stand in the story.
  private static func short(_ reason: String?) -> String? {
    guard let reason, reason.count <= 40 else { return nil }
    return reason
  }

  package func time(_ time: ClockTime) -> String {
    localizer.time(hour: time.hour, minute: time.minute)
  }

  private func dated(_ local: LocalDateTime, _ style: DateStyle) -> String {
    localizer.text(
      "dose.date-time", ["date": .text(date(local.date, style)), "time": .text(time(local.time))])
  }
}
