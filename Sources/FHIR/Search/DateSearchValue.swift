// SPDX-License-Identifier: Apache-2.0

/// A date of a FHIR search: a prefix and the range of instants that the date covers.
public struct DateSearchValue: Sendable, Hashable {
  /// The required relation of the record's value to the range.
  public enum Prefix: String, Sendable, CaseIterable {
    /// Within the range.
    case eq
    /// Not within the range.
    case ne
    /// After the range's end or overlapping it there.
    case gt
    /// Before the range's start or overlapping it there.
    case lt
    /// `gt` or `eq`.
    case ge
    /// `lt` or `eq`.
    case le
    /// Starts after the range.
    case sa
    /// Ends before the range.
    case eb
    /// About the range: within it, or its own length away on either side.
    case ap
  }

  /// The required relation of the record's value to the range; `eq` if none is written.
  public let prefix: Prefix
  /// The first millisecond since 1970 that the date covers; without offset it is read as UTC.
  public let lowerMilliseconds: Int64
  /// The first millisecond after the date.
  public let upperMilliseconds: Int64

  /// Reads an optional prefix and a year, month, day, or a time to the minute, second or finer, with or without offset.
  public init?(_ text: String) {
    let written = Prefix(rawValue: String(text.prefix(2)))
    prefix = written ?? .eq
    let date = written == nil ? text : String(text.dropFirst(2))
    guard let range = Self.range(of: date) else { return nil }
    lowerMilliseconds = range.lowerBound
    upperMilliseconds = range.upperBound
  }

  /// Returns the range of a date.
  ///
  /// Unlike a FHIR dateTime, search also allows minutes without seconds and times without offset.
  private static func range(of text: String) -> Range<Int64>? {
    let separator: Character = "T"
    guard let split = text.firstIndex(of: separator) else {
      return FHIRDateTime(text).map { $0.lowerMilliseconds..<$0.upperMilliseconds }
    }
    // An unescaped "+" of an offset arrives as a space.
    var time = String(text[text.index(after: split)...].replacing(" ", with: "+"))
    let zoneStart = time.firstIndex { "Z+-".contains($0) } ?? time.endIndex
    let zone = zoneStart == time.endIndex ? "Z" : String(time[zoneStart...])
    time = String(time[..<zoneStart])
    let hasSeconds = time.utf8.count > 5
    let whole = "\(text[..<split])T\(time)\(hasSeconds ? "" : ":00")\(zone)"
    guard let value = FHIRDateTime(whole) else { return nil }
    let length = hasSeconds ? value.upperMilliseconds - value.lowerMilliseconds : 60_000
    return value.lowerMilliseconds..<value.lowerMilliseconds + length
  }
}

extension DateSearchValue {
  /// Returns true if an instant, in milliseconds since 1970, matches the search.
  public func matches(milliseconds: Int64) -> Bool {
    let bounds = instantBounds
    let isWithin =
      milliseconds >= bounds.atLeast ?? .min
      && (bounds.before.map { milliseconds < $0 } ?? true)
    return isWithin != bounds.isExcluded
  }

  /// The range of matching instants, for a query in SQL; with `isExcluded`, everything outside it matches.
  public var instantBounds: (atLeast: Int64?, before: Int64?, isExcluded: Bool) {
    switch prefix {
    case .eq: (lowerMilliseconds, upperMilliseconds, false)
    case .ne: (lowerMilliseconds, upperMilliseconds, true)
    case .gt, .sa: (upperMilliseconds, nil, false)
    case .lt, .eb: (nil, lowerMilliseconds, false)
    case .ge: (lowerMilliseconds, nil, false)
    case .le: (nil, upperMilliseconds, false)
    case .ap:
      (
        lowerMilliseconds - (upperMilliseconds - lowerMilliseconds),
        upperMilliseconds + (upperMilliseconds - lowerMilliseconds), false
      )
    }
  }
}
