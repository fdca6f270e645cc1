// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization
import Scheduling

/// The limits of a medicine, as a person types them into the form.
package struct DraftLimits: Sendable, Hashable {
  /// Hours from one intake to the next; only for medicines taken as needed.
  package var gapHours: Int?
  /// The maximum number of doses in any 24 hours; only for medicines taken as needed.
  package var count: Int?
  /// The maximum amount in any 24 hours, in the unit of the dose: a decimal as typed.
  package var amount: String?
  /// The maximum number of days in a month; only for medicines taken as needed.
  package var days: Int?

  /// Creates limits; nil stands for no limit.
  package init(gapHours: Int? = nil, count: Int? = nil, amount: String? = nil, days: Int? = nil) {
    self.gapHours = gapHours
    self.count = count
    self.amount = amount
    self.days = days
  }
}

/// Two lines of a plan that contradict each other.
package struct PlanClash: Sendable, Hashable {
  /// A line as the form or the prescription states it.
  package enum Line: Sendable, Hashable {
    /// The amount of each dose.
    case dose(Amount)
    /// The total of the scheduled doses within a number of hours.
    case scheduled(Amount, hours: Int)
    /// The maximum within a number of hours.
    case maximum(Amount, hours: Int)
    /// The hours for which a missed dose may still be taken.
    case takeUntil(hours: Int)
    /// The hours to wait before the next dose after a missed one.
    case waitAfterMiss(hours: Int)
    /// The minutes until the next dose.
    case nextDose(minutes: Int)
    /// The tablets that make up one dose.
    case mix(DoseMix)
    /// The amount at a time, on some weekdays or on all.
    case entry(ClockTime, String)
    /// The number of doses and the hours between them.
    case apart(count: Int, hours: Int)
    /// The part of the day in which all doses fall.
    case window(DayWindow)
    /// The last day of the steps.
    case stepsEnd(CivilDate)
    /// The last day of the medicine.
    case lastDay(CivilDate)
  }

  /// One of the two lines.
  package let one: Line
  /// The line that it contradicts.
  package let other: Line
}

extension PlanClash.Line {
  /// Returns the line in the person's language.
  package func text(_ localizer: Localizer) -> String {
    func words(_ amount: Amount) -> String {
      guard let value = Amount.decimal(amount.value) else { return amount.value }
      return localizer.amount(value, code: amount.code, unit: amount.unit)
    }
    switch self {
    case .dose(let amount):
      return localizer.text("plans.line.dose", ["amount": .text(words(amount))])
    case .scheduled(let amount, let hours):
      return localizer.text(
        "plans.line.scheduled", ["amount": .text(words(amount)), "hours": .number(hours)])
    case .maximum(let amount, let hours):
      return localizer.text(
        "plans.line.maximum", ["amount": .text(words(amount)), "hours": .number(hours)])
    case .takeUntil(let hours):
      return localizer.text("plans.line.take-until", ["hours": .number(hours)])
    case .waitAfterMiss(let hours):
      return localizer.text("plans.line.wait-after-miss", ["hours": .number(hours)])
    case .nextDose(let minutes):
      return localizer.text(
        "plans.line.next-dose",
        ["hours": .number(minutes / 60), "minutes": .number(minutes % 60)])
    case .mix, .entry, .apart, .window, .stepsEnd, .lastDay:
      return patternText(localizer)
    }
  }

  /// The element of a MedicationRequest that contains the line.
  var expression: String {
    let dosage = "MedicationRequest.dosageInstruction"
    return switch self {
    case .dose: "\(dosage).doseAndRate.doseQuantity"
    case .scheduled, .nextDose, .entry, .stepsEnd, .lastDay: "\(dosage).timing"
    case .mix, .apart, .window: "\(dosage).extension"
    case .maximum: "\(dosage).maxDosePerPeriod"
    case .takeUntil, .waitAfterMiss: "MedicationRequest.extension"
    }
  }
}

extension PlanClash {
  /// The number of days whose doses are added up.
  private static let days = 35

  /// Returns the first maximum that the plan's own doses exceed; nil if none is stated or all are kept.
  static func ofMaximum(
    _ limits: PlanLimits, timeline: PlanTimeline?, from: Instant
  ) -> PlanClash? {
    for limit in limits.amounts {
      guard let most = Measure(limit.amount), most.value > 0 else { continue }
      let hours = Int(clamping: limit.milliseconds / 3_600_000)
      let maximum = Line.maximum(limit.amount, hours: hours)
      if let dose = limits.dose, let one = limits.use(of: limit, by: dose), one > most.value {
        return PlanClash(one: .dose(dose), other: maximum)
      }
      guard let timeline else { continue }
      let until = timeline.zone.startOfDay(timeline.zone.date(at: from).adding(days: days))
      let doses = timeline.doses(from: from, until: until, limit: 1_000)
      // The window rolls, as for the limit itself, and starts at a dose. It is one hour shorter than the
      // limit, because clock times come an hour closer once a year when the clocks change.
      let length = limit.milliseconds - min(3_600_000, limit.milliseconds / 2)
      var first = 0
      var sum: Decimal = 0
      for dose in doses {
        sum += limits.use(of: limit, by: dose.amount) ?? 0
        while doses[first].due.milliseconds + length <= dose.due.milliseconds {
          sum -= limits.use(of: limit, by: doses[first].amount) ?? 0
          first += 1
        }
        guard sum > most.value, let value = Amount.decimal(limit.value) else { continue }
        let reached = NSDecimalNumber(decimal: sum * value / most.value).stringValue
        return PlanClash(
          one: .scheduled(
            Amount(stored: reached, unit: limit.unit, code: limit.code), hours: hours),
          other: maximum)
      }
    }
    return nil
  }
}
