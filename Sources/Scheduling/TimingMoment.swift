// SPDX-License-Identifier: Apache-2.0

/// A date, local date-time or instant with the precision with which it was written (rule 2).
public enum TimingMoment: Hashable, Sendable {
  /// A year.
  case year(Int)
  /// A month of a year.
  case month(year: Int, month: Int)
  /// A date.
  case day(CivilDate)
  /// A wall-clock time without a time zone.
  case local(LocalDateTime, milliseconds: Int)
  /// A point in time.
  case instant(Instant)

  /// Parses "2026", "2026-03", "2026-03-01", "2026-03-01T08:00:00+01:00" and, with `allowsLocal`, "2026-03-01T08:00"
  /// with or without seconds; nil for anything else.
  public init?(_ text: String, allowsLocal: Bool = false) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 4, bytes.count <= 64, let year = digitsValue(bytes, 0..<4), year >= 1
    else { return nil }
    if bytes.count == 4 {
      self = .year(Int(year))
      return
    }
    guard bytes[4] == UInt8(ascii: "-"), bytes.count >= 7,
      let month = digitsValue(bytes, 5..<7), (1...12).contains(month)
    else { return nil }
    if bytes.count == 7 {
      self = .month(year: Int(year), month: Int(month))
      return
    }
    guard bytes.count >= 10,
      let date = CivilDate(text: String(decoding: bytes[0..<10], as: UTF8.self))
    else { return nil }
    if bytes.count == 10 {
      self = .day(date)
      return
    }
    guard bytes[10] == UInt8(ascii: "T"),
      let found = Self.time(of: date, bytes, allowsLocal: allowsLocal)
    else { return nil }
    self = found
  }

  /// Parses the text after the "T" at index 10.
  private static func time(
    of date: CivilDate, _ bytes: [UInt8], allowsLocal: Bool
  ) -> TimingMoment? {
    guard let hour = digitsValue(bytes, 11..<13), let minute = digitsValue(bytes, 14..<16),
      bytes[13] == UInt8(ascii: ":"), hour <= 23, minute <= 59
    else { return nil }
    var index = 16
    var second: Int64 = 0
    var milliseconds: Int64 = 0
    if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
      guard let written = digitsValue(bytes, 17..<19), written <= 60 else { return nil }
      second = written
      index = 19
      if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
        index += 1
        var weight: Int64 = 100
        while index < bytes.count, isDigit(bytes[index]) {
          milliseconds += Int64(bytes[index] - 0x30) * weight
          weight /= 10
          index += 1
        }
        if index == 20 { return nil }
      }
    } else if !allowsLocal {
      return nil
    }
    // A leap second counts as the next second.
    let wall = Int64(date.daysSinceEpoch) * 86_400 + hour * 3600 + minute * 60 + second
    if index == bytes.count {
      guard allowsLocal, second <= 59 else { return nil }
      return .local(LocalDateTime(wallSeconds: wall), milliseconds: Int(milliseconds))
    }
    guard let offset = offset(bytes, from: index) else { return nil }
    return .instant(Instant(milliseconds: (wall - offset) * 1000 + milliseconds))
  }

  /// Returns the seconds east of UTC for "Z" or an offset such as "+01:00", up to FHIR's limit of 14 hours.
  private static func offset(_ bytes: [UInt8], from index: Int) -> Int64? {
    let sign = bytes[index]
    if bytes.count == index + 1, sign == UInt8(ascii: "Z") { return 0 }
    guard bytes.count == index + 6, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = digitsValue(bytes, index + 1..<index + 3),
      bytes[index + 3] == UInt8(ascii: ":"),
      let minutes = digitsValue(bytes, index + 4..<index + 6), hours <= 14, minutes <= 59
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// The first date of the period; nil if a time is given.
  private var firstDate: CivilDate? {
    switch self {
    case .year(let year): CivilDate(year: year, month: 1, day: 1)
    case .month(let year, let month): CivilDate(year: year, month: month, day: 1)
    case .day(let date): date
    case .local, .instant: nil
    }
  }

  /// Returns the start as an instant and as the local date that patterns count from.
  ///
  /// `dateZone` converts an instant to a date; after travel it may differ from the plan's zone.
  public func start(in zone: Zone, dateZone: Zone? = nil) -> (instant: Instant, date: CivilDate) {
    switch self {
    case .instant(let instant): return (instant, (dateZone ?? zone).date(at: instant))
    case .local(let local, let milliseconds):
      let found = zone.instant(of: local.date, at: local.time)
      let kept = found.map { $0.shift == .gap ? 0 : Int64(milliseconds) } ?? 0
      let instant = found?.instant ?? zone.startOfDay(local.date)
      return (instant.adding(milliseconds: kept), local.date)
    case .year, .month, .day:
      let date = firstDate ?? .earliest
      return (zone.startOfDay(date), date)
    }
  }

  /// Returns the end, which is inclusive (rule 3).
  public func end(in zone: Zone) -> ScheduleEnd {
    switch self {
    case .instant(let instant): .through(instant)
    case .local: .through(start(in: zone).instant)
    case .day(let date): .through(date, in: zone)
    case .month:
      .through((firstDate ?? .latest).adding(months: 1).adding(days: -1), in: zone)
    case .year: .through((firstDate ?? .latest).adding(months: 12).adding(days: -1), in: zone)
    }
  }
}
