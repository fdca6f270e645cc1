// SPDX-License-Identifier: Apache-2.0

/// A date, a local date-time or an instant as written, with no more precision than was written (rule 2).
public enum TimingMoment: Hashable, Sendable {
  /// A year alone.
  case year(Int)
  /// A month of a year.
  case month(year: Int, month: Int)
  /// A date.
  case day(CivilDate)
  /// What the wall clock shows, in a zone that is stated elsewhere.
  case local(LocalDateTime, milliseconds: Int)
  /// A point in time.
  case instant(Instant)

  /// Reads "2026", "2026-03", "2026-03-01", "2026-03-01T08:00:00+01:00" and, where local ones are allowed,
  /// "2026-03-01T08:00" with or without seconds; nil for anything else.
  public init?(_ text: String, allowsLocal: Bool = false) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 4, bytes.count <= 64, let year = digitsValue(bytes[0..<4]), year >= 1
    else { return nil }
    if bytes.count == 4 {
      self = .year(Int(year))
      return
    }
    guard bytes[4] == UInt8(ascii: "-"), bytes.count >= 7,
      let month = digitsValue(bytes[5..<7]), (1...12).contains(month)
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
      let found = Self.time(of: date, bytes[11...], allowsLocal: allowsLocal)
    else { return nil }
    self = found
  }

  private static func time(
    of date: CivilDate, _ bytes: ArraySlice<UInt8>, allowsLocal: Bool
  ) -> TimingMoment? {
    var rest = bytes
    guard rest.count >= 5, let hour = digitsValue(rest.prefix(2)),
      rest.dropFirst(2).first == UInt8(ascii: ":"),
      let minute = digitsValue(rest.dropFirst(3).prefix(2)), hour <= 23, minute <= 59
    else { return nil }
    rest = rest.dropFirst(5)
    var second: Int64 = 0
    var milliseconds: Int64 = 0
    if rest.first == UInt8(ascii: ":") {
      guard rest.count >= 3, let written = digitsValue(rest.dropFirst().prefix(2)), written <= 60
      else { return nil }
      second = written
      rest = rest.dropFirst(3)
      if rest.first == UInt8(ascii: ".") {
        let fraction = rest.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
        if fraction.isEmpty { return nil }
        rest = rest.dropFirst(1 + fraction.count)
        milliseconds = digitsValue(Array((Array(fraction) + [0x30, 0x30, 0x30]).prefix(3))) ?? 0
      }
    } else if !allowsLocal {
      return nil
    }
    // A leap second counts as the next second.
    let wall = Int64(date.daysSinceEpoch) * 86_400 + hour * 3600 + minute * 60 + second
    if rest.isEmpty {
      guard allowsLocal, second <= 59 else { return nil }
      return .local(LocalDateTime(wallSeconds: wall), milliseconds: Int(milliseconds))
    }
    guard let offset = offset(rest) else { return nil }
    return .instant(Instant(milliseconds: (wall - offset) * 1000 + milliseconds))
  }

  /// Seconds east of UTC: "Z" or "+01:00", up to 14 hours as FHIR has it.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
    if bytes.count == 1, bytes.first == UInt8(ascii: "Z") { return 0 }
    guard bytes.count == 6, let sign = bytes.first,
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = digitsValue(bytes.dropFirst().prefix(2)),
      bytes.dropFirst(3).first == UInt8(ascii: ":"),
      let minutes = digitsValue(bytes.dropFirst(4)), hours <= 14, minutes <= 59
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// The first date that it can mean; nil for what states a time.
  private var firstDate: CivilDate? {
    switch self {
    case .year(let year): CivilDate(year: year, month: 1, day: 1)
    case .month(let year, let month): CivilDate(year: year, month: month, day: 1)
    case .day(let date): date
    case .local, .instant: nil
    }
  }

  /// Where something begins, as an instant and as the local date that patterns count from.
  ///
  /// `dateZone` turns an instant into a date; it may differ from the zone of a plan that travelled.
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

  /// Where something ends, itself included (rule 3).
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
