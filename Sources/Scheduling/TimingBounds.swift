// SPDX-License-Identifier: Apache-2.0

/// The period in which a Timing applies, as written (rules 1 to 5).
enum TimingBounds: Hashable, Sendable {
  case period(start: TimingMoment?, end: TimingMoment?)
  /// `boundsDuration`, or the upper end of `boundsRange`; nil for no limit.
  case duration(BoundsDuration?)

  /// Parses the bounds of a `repeat`, by their names in R4 and DSTU2; nil if it has none.
  init?(_ reader: NodeReader) throws(TimingError) {
    var found: TimingBounds?
    for name in ["boundsPeriod", "boundsDuration", "boundsQuantity", "boundsRange"]
    where reader.has(name) {
      if found != nil { throw reader.error("bounds", .excludes("other bounds")) }
      guard let own = try reader.object(name) else { continue }
      if name.isSame(as: "boundsPeriod") {
        found = .period(
          start: try Self.moment(own, "start"), end: try Self.moment(own, "end"))
      } else if name.isSame(as: "boundsRange") {
        found = .duration(try Self.range(own))
      } else {
        found = .duration(try Self.length(own))
      }
    }
    guard let found else { return nil }
    self = found
  }

  /// True if the start is given to the second.
  var startsAtATime: Bool {
    if case .period(.instant?, _) = self { true } else { false }
  }

  private static func moment(
    _ reader: NodeReader, _ name: String
  ) throws(TimingError) -> TimingMoment? {
    guard let text = try reader.text(name) else { return nil }
    guard let moment = TimingMoment(text) else {
      throw reader.error(name, .malformed("a date or an instant"))
    }
    return moment
  }

  private static func range(_ reader: NodeReader) throws(TimingError) -> BoundsDuration? {
    let low = try reader.object("low")
    let lowest = try low.map { own throws(TimingError) in try Self.length(own) }
    guard let high = try reader.object("high") else {
      if lowest == nil { throw TimingError(reader.path, .empty) }
      return nil
    }
    let highest = try length(high)
    if let low, let least = try low.number("value"), let most = try high.number("value"),
      most < least, try unit(low) == (try unit(high))
    {
      throw TimingError(reader.path, .endsBeforeStart)
    }
    return highest
  }

  /// Returns the unit from `code`, or from `unit` if there is no code.
  private static func unit(_ reader: NodeReader) throws(TimingError) -> TimingUnit {
    let name = reader.has("code") ? "code" : "unit"
    guard let code = try reader.text(name) else {
      throw TimingError(reader.place("value"), .missing("a unit"))
    }
    guard let unit = TimingUnit(code: code) else { throw reader.error(name, .unknownCode) }
    return unit
  }

  private static func length(_ reader: NodeReader) throws(TimingError) -> BoundsDuration {
    if reader.has("comparator") { throw reader.error("comparator", .unknownElement) }
    guard let value = try reader.positive("value") else {
      throw TimingError(reader.path, .missing("a value"))
    }
    let unit = try unit(reader)
    if let factor = unit.milliseconds {
      guard let length = value.times(factor) else { throw reader.error("value", .outOfRange) }
      return .elapsed(milliseconds: max(length.value, 1))
    }
    guard let whole = value.whole else {
      throw reader.error("value", .fractionalCalendarPeriod)
    }
    let count = Int(Int32(clamping: whole))
    return switch unit {
    case .day: .days(count)
    case .week: .weeks(count)
    case .month: .months(count)
    default: .years(count)
    }
  }
}
