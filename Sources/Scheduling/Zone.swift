// SPDX-License-Identifier: Apache-2.0

/// A change of a zone's UTC offset at an instant.
public struct ZoneTransition: Hashable, Sendable {
  /// The first second with the new offset, in seconds since 1970 UTC.
  public let utcSeconds: Int64
  /// Seconds east of UTC from this transition on.
  public let offsetSeconds: Int

  /// Creates a transition; the offset is clamped to the 26 hours of RFC 8536.
  public init(utcSeconds: Int64, offsetSeconds: Int) {
    // Clamped far outside the supported years, so that adding an offset cannot overflow.
    self.utcSeconds = min(max(utcSeconds, -(1 << 59)), 1 << 59)
    self.offsetSeconds = heldOffset(offsetSeconds)
  }
}

/// The effect of a clock change on a written wall time.
public enum ZonedShift: Hashable, Sendable {
  /// The wall time exists once.
  case none
  /// The wall time does not exist; the instant is the first one after the gap (rule 8).
  case gap
  /// The wall time exists twice; the instant is the earlier one (rule 9).
  case overlap
}

/// The instant of a wall time, and the effect of a clock change on it.
public struct ZonedResult: Hashable, Sendable {
  /// The instant.
  public let instant: Instant
  /// The effect of a clock change.
  public let shift: ZonedShift
}

/// A time zone: its transitions and the rule that follows them.
public struct Zone: Sendable {
  /// The IANA identifier, such as "Europe/Oslo".
  public let identifier: String
  private let transitions: [ZoneTransition]
  private let initialOffset: Int64
  private let rule: ZoneRule?

  /// Creates a zone; without a rule, the offset of the last transition applies indefinitely.
  ///
  /// `initialOffsetSeconds` applies before the first transition. If there are no transitions, the rule applies instead,
  /// if there is one.
  public init(
    identifier: String, transitions: [ZoneTransition], initialOffsetSeconds: Int, rule: ZoneRule?
  ) {
    self.identifier = identifier
    var ordered = transitions
    let isAscending = zip(transitions, transitions.dropFirst())
      .allSatisfy { $0.utcSeconds < $1.utcSeconds }
    if !isAscending { ordered.sort { $0.utcSeconds < $1.utcSeconds } }
    self.transitions = ordered
    self.initialOffset = Int64(heldOffset(initialOffsetSeconds))
    self.rule = rule
  }

  /// Coordinated Universal Time.
  public static let utc = Zone(
    identifier: "UTC", transitions: [], initialOffsetSeconds: 0, rule: nil)

  /// Returns the seconds east of UTC at an instant.
  public func offsetSeconds(at instant: Instant) -> Int {
    Int(span(at: instant.supportedSeconds).offset)
  }

  /// Returns the local date and time at an instant.
  public func local(at instant: Instant) -> LocalDateTime {
    let seconds = instant.supportedSeconds
    return LocalDateTime(wallSeconds: seconds + span(at: seconds).offset)
  }

  /// Returns the local date at an instant.
  public func date(at instant: Instant) -> CivilDate { local(at: instant).date }

  /// Returns the instant of a wall time by rules 8 and 9; nil if the zone skipped that date (rule 11).
  public func instant(of date: CivilDate, at time: ClockTime) -> ZonedResult? {
    let day = date.daysSinceEpoch
    let found = resolve(wallSeconds: Int64(day) * 86_400 + Int64(time.secondsOfDay))
    if found.shift == .gap, skips(day: day) { return nil }
    return ZonedResult(instant: Instant(milliseconds: found.seconds * 1000), shift: found.shift)
  }

  /// Returns the first instant of a local date, or of the next one if the zone skipped the date (rule 2).
  public func startOfDay(_ date: CivilDate) -> Instant {
    Instant(milliseconds: resolve(wallSeconds: Int64(date.daysSinceEpoch) * 86_400).seconds * 1000)
  }

  /// Returns true if the zone never had this local date, as Samoa never had 2011-12-30.
  public func skips(_ date: CivilDate) -> Bool { skips(day: date.daysSinceEpoch) }
}

extension Zone {
  /// The result of resolving a wall time, in UTC seconds.
  struct Resolution {
    var seconds: Int64
    var shift: ZonedShift
    /// In an overlap, the second instant; in a gap, the instant later by the length of the gap; otherwise 0.
    var other: Int64 = 0
  }

  /// Returns the span around an instant: binary search in the transitions, then the yearly rule.
  func span(at utcSeconds: Int64) -> ZoneSpan {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].utcSeconds <= utcSeconds { low = middle + 1 } else { high = middle }
    }
    if low == transitions.count {
      let start = transitions.last?.utcSeconds ?? .min
      guard let rule else {
        let offset = transitions.last.map { Int64($0.offsetSeconds) } ?? initialOffset
        return ZoneSpan(start: start, offset: offset)
      }
      var span = rule.span(at: utcSeconds)
      span.start = max(span.start, start)
      return span
    }
    let end = transitions[low].utcSeconds
    if low == 0 { return ZoneSpan(end: end, offset: initialOffset) }
    let begun = transitions[low - 1]
    return ZoneSpan(start: begun.utcSeconds, end: end, offset: Int64(begun.offsetSeconds))
  }

  /// Returns the instant of a wall time, searching the few spans that can contain it.
  func resolve(wallSeconds: Int64) -> Resolution {
    var span = span(at: wallSeconds - Int64(largestOffsetSeconds))
    var found: Int64?
    var gapEnd: Int64?
    var before = wallSeconds - span.offset
    var shifted = before
    while true {
      let candidate = wallSeconds - span.offset
      if candidate >= span.start, candidate < span.end {
        if let found {
          return Resolution(seconds: found, shift: .overlap, other: candidate)
        }
        found = candidate
      } else if found == nil, gapEnd == nil, candidate < span.start {
        gapEnd = span.start
        shifted = before
      }
      guard span.end <= wallSeconds + Int64(largestOffsetSeconds) else { break }
      before = candidate
      span = self.span(at: span.end)
    }
    if let found { return Resolution(seconds: found, shift: .none) }
    return Resolution(
      seconds: gapEnd ?? wallSeconds - span.offset, shift: .gap, other: shifted)
  }

  /// Returns true if one gap covers an entire local day.
  func skips(day: Int) -> Bool {
    let midnight = Int64(day) * 86_400
    let first = resolve(wallSeconds: midnight)
    guard first.shift == .gap else { return false }
    let last = resolve(wallSeconds: midnight + 86_399)
    return last.shift == .gap && last.seconds == first.seconds
  }
}
