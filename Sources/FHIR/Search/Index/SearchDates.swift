// SPDX-License-Identifier: Apache-2.0

/// The times that the date types of FHIR cover, in milliseconds since 1970.
enum SearchDates {
  /// Returns the outer limits of a date, dateTime, instant, Period or Timing; nil if it has none.
  static func range(of value: JSONValue) -> (lower: Int64, upper: Int64)? {
    if let text = value.string { return range(of: text) }
    if value["event"] != nil || value["repeat"] != nil { return timing(value) }
    return period(value)
  }

  private static func range(of text: String) -> (lower: Int64, upper: Int64)? {
    FHIRDateTime(text).map { ($0.lowerMilliseconds, $0.upperMilliseconds) }
  }

  /// A missing end of a Period is open; an end that cannot be read leaves nothing to search.
  private static func period(_ value: JSONValue) -> (lower: Int64, upper: Int64)? {
    let start = value["start"]?.string
    let end = value["end"]?.string
    guard start != nil || end != nil else { return nil }
    var lower = Int64.min
    var upper = Int64.max
    if let start {
      guard let range = Self.range(of: start) else { return nil }
      lower = range.lower
    }
    if let end {
      guard let range = Self.range(of: end) else { return nil }
      upper = range.upper
    }
    return lower < upper ? (lower, upper) : nil
  }

  /// The times between the events of a Timing do not matter, only the first and the last.
  private static func timing(_ value: JSONValue) -> (lower: Int64, upper: Int64)? {
    var ranges = (value["event"]?.array ?? []).compactMap { $0.string.flatMap(range(of:)) }
    if let bounds = value["repeat"]?["boundsPeriod"].flatMap(period) { ranges.append(bounds) }
    guard let first = ranges.first else { return nil }
    return ranges.reduce(first) { (min($0.lower, $1.lower), max($0.upper, $1.upper)) }
  }
}
