// SPDX-License-Identifier: Apache-2.0

import Diary
import Foundation
import Localization
import Observations
import Presentation
import Scheduling
import Statistics

/// Puts measures, changes and comparisons into words, for the page and the report.
struct EffectText: Sendable {
  let localizer: Localizer

  private var chart: ChartFormatter { ChartFormatter(localizer: localizer) }

  // MARK: Measures

  func name(_ measure: NamedMeasure) -> String {
    switch measure.measure {
    case .vital(let metric):
      localizer.text("heart-rate.kind", ["kind": .text(metric.rawValue)])
    case .observation: measure.name.flatMap { $0.isEmpty ? nil : $0 } ?? measure.measure.key
    }
  }

  /// Returns the unit of a measure; empty without one. A unit in braces is only a remark.
  func unit(_ measure: NamedMeasure, _ unit: String) -> String {
    switch measure.measure {
    case .vital(let metric):
      localizer.text("effect.unit", ["kind": .text(metric.rawValue)])
    case .observation: unit.hasPrefix("{") || unit == "1" ? "" : unit
    }
  }

  /// Returns a number with one decimal, or two if it is below 1.
  func number(_ value: Double) -> String {
    let scale = abs(value) < 1 ? 100 : 10
    return localizer.number(Decimal(Int((value * Double(scale)).rounded())) / Decimal(scale))
  }

  /// Returns a difference, which always has a sign unless it is zero.
  private func signed(_ value: Double) -> String {
    let text = number(value)
    return value > 0 && text != number(0) ? "+\(text)" : text
  }

  /// Returns a number with the unit of its measure.
  func amount(_ number: String, _ measure: NamedMeasure, _ code: String) -> String {
    let unit = unit(measure, code)
    return unit.isEmpty
      ? number : localizer.text("effect.amount", ["value": .text(number), "unit": .text(unit)])
  }

  // MARK: Changes

  func name(_ kind: EffectChange.Kind) -> String {
    localizer.text("effect.change", ["kind": .text(kind.rawValue)])
  }

  func day(_ day: CivilDate) -> String {
    localizer.date(
      LocalDay(
        year: day.year, month: day.month, day: day.day, isoWeekday: day.weekday.rawValue), .medium)
  }

  // MARK: Comparisons

  func title(_ comparison: EffectContent.Comparison) -> String {
    localizer.text(
      "effect.comparison",
      [
        "change": .text(name(comparison.change.kind)),
        "day": .text(day(comparison.change.day)), "name": .text(name(comparison.measure)),
      ])
  }

  /// Returns the lines of a comparison by their names: the means, the difference and the doses; or what is missing.
  func lines(_ comparison: EffectContent.Comparison) -> [(term: String, text: String)] {
    switch comparison.outcome {
    case .tooFew(let before, let after):
      return [
        (localizer.text("effect.result"), missing(before: before, after: after))
      ]
    case .compared(let estimate):
      return [
        (
          side("before", comparison.windows.before),
          mean(estimate.before, estimate.daysBefore, comparison, comparison.dosesBefore)
        ),
        (
          side("after", comparison.windows.after),
          mean(estimate.after, estimate.daysAfter, comparison, comparison.dosesAfter)
        ),
        (localizer.text("effect.difference"), difference(estimate, comparison)),
      ]
    }
  }

  private func side(_ name: String, _ days: ClosedRange<CivilDate>?) -> String {
    guard let days else { return localizer.text("effect.side", ["side": .text(name)]) }
    return localizer.text(
      "effect.side-days",
      [
        "side": .text(name),
        "range": .text(chart.range(days.lowerBound, days.upperBound)),
      ])
  }

  private func mean(
    _ value: Double, _ days: Int, _ comparison: EffectContent.Comparison, _ doses: DoseCounts
  ) -> String {
    localizer.text(
      "effect.mean",
      [
        "amount": .text(amount(number(value), comparison.measure, comparison.unit)),
        "count": .number(days),
        "doses": .text(chart.rate(doses)),
      ])
  }

  /// Returns the difference with its interval.
  func difference(_ estimate: EffectEstimate, _ comparison: EffectContent.Comparison) -> String {
    let amount = amount(
      signed(estimate.difference), comparison.measure, comparison.unit)
    guard let interval = estimate.interval else {
      return localizer.text("effect.no-interval", ["difference": .text(amount)])
    }
    return localizer.text(
      "effect.interval",
      [
        "difference": .text(amount), "low": .text(signed(interval.lowerBound)),
        "high": .text(signed(interval.upperBound)),
      ])
  }

  /// Returns a sentence on how many days with a value are missing.
  func missing(before: Int, after: Int) -> String {
    var parts: [String] = []
    for (side, count) in [("before", before), ("after", after)] where count > 0 {
      parts.append(
        localizer.text("effect.missing-days", ["side": .text(side), "count": .number(count)]))
    }
    return localizer.text("effect.too-few", ["days": .text(localizer.list(parts))])
  }
}
