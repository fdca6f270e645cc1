// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Localization
import Plans
import Scheduling
import Storage
import Web

/// Formats doses, times and amounts in a person's language and zone.
///
/// One value serves a whole page: amounts that occur in many rows are formatted once.
package struct DoseFormatter: Sendable {
  /// The language of the text.
  package let localizer: Localizer
  /// The time zone of all times.
  package let zone: Zone
  /// The local day of the request.
  package let today: CivilDate
  /// The time of the request.
  package let now: Timestamp

  /// Creates a formatter for one request.
  package init(localizer: Localizer, zone: Zone, now: Timestamp) {
    self.localizer = localizer
    self.zone = zone
    self.now = now
    today = zone.date(at: Instant(milliseconds: now.milliseconds))
  }

  /// Returns the local date and time of an instant.
  package func local(_ timestamp: Timestamp) -> LocalDateTime {
    zone.local(at: Instant(milliseconds: timestamp.milliseconds))
  }

  /// Returns the time of day, `08:00`.
  package func time(_ timestamp: Timestamp) -> String {
    time(local(timestamp).time)
  }

  /// Returns the time of day, `08:00`; with the date if it is not today, `Sat 28 Feb, 08:00`.
  package func moment(_ timestamp: Timestamp) -> String {
    let local = local(timestamp)
    if local.date == today { return time(local.time) }
    return dated(local, .short)
  }

  /// Returns the full date and time, `Sunday 1 March 2026, 08:00`.
  package func dated(_ timestamp: Timestamp) -> String {
    dated(local(timestamp), .long)
  }

  /// Returns a date in the given length.
  package func date(_ date: CivilDate, _ style: DateStyle) -> String {
    let (year, month, day) = date.parts
    return localizer.date(
      LocalDay(year: year, month: month, day: day, isoWeekday: date.weekday.rawValue), style)
  }

  /// Returns the instant for machines, `2026-03-01T08:00:00+01:00`.
  package func machine(_ timestamp: Timestamp) -> String {
    let offset = zone.offsetSeconds(at: Instant(milliseconds: timestamp.milliseconds))
    return FHIRDateTime.instantText(
      milliseconds: timestamp.milliseconds, offsetMinutes: offset / 60)
  }

  /// Returns an amount, `1 tablet`; in the sender's own words if the unit is not known here.
  package func amount(_ amount: Amount) -> String {
    Self.spokenAmounts.text(of: amount, in: localizer.language) { spoken(amount) }
  }

  private static let spokenAmounts = SpokenAmounts()

  private func spoken(_ amount: Amount) -> String {
    guard let value = Amount.decimal(amount.value) else { return amount.value }
    if amount.unit == PlanDraft.placeboUnit {
      return localizer.text("patterns.placebo", ["count": .text(localizer.number(value))])
    }
    return localizer.amount(value, code: amount.code, unit: amount.unit)
  }

  /// Returns a duration: whole hours as `2 hours`, otherwise `30 minutes`.
  package func duration(minutes: Int) -> String {
    if minutes >= 60, minutes % 60 == 0 {
      return localizer.text("dose.hours", ["n": .number(minutes / 60)])
    }
    return localizer.text("dose.minutes", ["n": .number(minutes)])
  }

  /// Returns the state of a dose as a chip.
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

  /// Returns the on-time window of a dose and the end of its late window; no other text describes
  /// them.
  ///
  /// Returns nil once the dose is answered, missed or cancelled, and for a late dose whose plan has
  /// its own rule, because that rule is shown instead.
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

  /// Returns the times of passed doses, `08:00 and 14:00`.
  package func times(of passed: PassedDoses.OfPlan) -> String {
    localizer.list(passed.doses.map { time($0.due) })
  }

  /// Returns a chip for a state, with an optional detail after its name.
  package func chip(_ state: StateChip.State, _ detail: String? = nil) -> StateChip {
    StateChip(state, detail: detail, localizer: localizer)
  }

  /// Returns the time and the person of each intake, `08:04 by Ann`.
  package func taken(_ intakes: [Intake]) -> String {
    localizer.list(
      intakes.map { intake in
        localizer.text(
          "dose.taken-by", ["when": .text(moment(intake.taken)), "name": .text(intake.by)])
      })
  }

  /// Returns a reason short enough for a chip; longer ones are in the history of answers.
  private static func short(_ reason: String?) -> String? {
    guard let reason, reason.count <= 40 else { return nil }
    return reason
  }

  /// Returns a time of day, `08:00`.
  package func time(_ time: ClockTime) -> String {
    localizer.time(hour: time.hour, minute: time.minute)
  }

  private func dated(_ local: LocalDateTime, _ style: DateStyle) -> String {
    localizer.text(
      "dose.date-time", ["date": .text(date(local.date, style)), "time": .text(time(local.time))])
  }
}
