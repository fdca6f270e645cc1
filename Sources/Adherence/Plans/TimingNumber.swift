// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Scheduling

/// Where a Timing begins and ends (timing rules 1 to 5).
enum TimingBounds {
  /// A start as an instant and as the local date that patterns count from.
  static func start(_ text: String, anchorZone: Zone, zone: Zone)
    throws(UnplannedReason) -> (instant: Instant, date: CivilDate)
  {
    guard let value = FHIRDateTime(text) else {
      throw .invalidTiming(element: "boundsPeriod.start")
    }
    if let milliseconds = value.epochMilliseconds {
      let instant = Instant(milliseconds: milliseconds)
      return (instant, anchorZone.date(at: instant))
    }
    guard let date = CivilDate(year: value.year, month: value.month ?? 1, day: value.day ?? 1)
    else { throw .invalidTiming(element: "boundsPeriod.start") }
    return (zone.startOfDay(date), date)
  }

  /// The end, counted from the anchor where it is a duration; nil for none.
  static func end(of timing: TimingView, from anchor: Instant, in zone: Zone)
    throws(UnplannedReason) -> ScheduleEnd?
  {
    if let text = timing.boundsPeriodEnd { return try end(text, in: zone) }
    if let duration = timing.boundsDuration {
      return try length(duration, "boundsDuration").end(from: anchor, in: zone)
    }
    if let high = timing.repeatObject?["boundsRange"]?["high"] {
      return try length(QuantityView(high), "boundsRange").end(from: anchor, in: zone)
    }
    return nil
  }

  private static func end(_ text: String, in zone: Zone) throws(UnplannedReason) -> ScheduleEnd {
    guard let value = FHIRDateTime(text),
      let first = CivilDate(year: value.year, month: value.month ?? 1, day: value.day ?? 1)
    else { throw .invalidTiming(element: "boundsPeriod.end") }
    if let milliseconds = value.epochMilliseconds {
      return .through(Instant(milliseconds: milliseconds))
    }
    return switch value.precision {
    case .year: .through(first.adding(months: 12).adding(days: -1), in: zone)
    case .month: .through(first.adding(months: 1).adding(days: -1), in: zone)
    default: .through(first, in: zone)
    }
  }

  private static func length(_ quantity: QuantityView, _ element: String)
    throws(UnplannedReason) -> BoundsDuration
  {
    guard let value = quantity.value, value > 0, quantity.comparator == nil else {
      throw .invalidTiming(element: element)
    }
    let unit = quantity.code ?? quantity.unit
    if let unit, let milliseconds = elapsedMilliseconds(value, unit: unit) {
      return .elapsed(milliseconds: milliseconds)
    }
    guard let count = wholeNumber(value) else { throw .invalidTiming(element: element) }
    switch unit {
    case "d": return .days(count)
    case "wk": return .weeks(count)
    case "mo": return .months(count)
    case "a": return .years(count)
    default: throw .invalidTiming(element: element)
    }
  }

  /// Milliseconds of a number of s, min or h; nil for other units and beyond 1,000 years.
  static func elapsedMilliseconds(_ value: Decimal, unit: String) -> Int64? {
    let factor: Decimal
    switch unit {
    case "s": factor = 1_000
    case "min": factor = 60_000
    case "h": factor = 3_600_000
    default: return nil
    }
    return wholeNumber(value * factor).map(Int64.init)
  }

  /// The value where it is a whole number of reasonable size.
  static func wholeNumber(_ value: Decimal) -> Int? {
    guard value >= 0, value <= 40_000_000_000_000 else { return nil }
    let number = NSDecimalNumber(decimal: value).intValue
    return Decimal(number) == value ? number : nil
  }
}
