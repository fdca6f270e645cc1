// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Converts a row to a value, by the meaning of its columns.
struct ImportedTable {
  enum Failure: Error, Equatable {
    /// A kind that is not used here.
    case otherKind
    case fault(ExportFault)
  }

  let mapping: TableMapping
  let now: Int64
  let zone: (Int64) -> Int32
  /// The zones by the names in the table, so that each is looked up once.
  private var zones: [String: (Int64) -> Int32] = [:]

  init(mapping: TableMapping, now: Int64, zone: @escaping (Int64) -> Int32) {
    self.mapping = mapping
    self.now = now
    self.zone = zone
  }

  /// Reads the value of a row, as defined by ``TableMapping``.
  mutating func read(
    _ fields: [String], _ zoneNamed: (String) -> ((Int64) -> Int32)?
  ) -> Result<VitalReading, Failure> {
    func text(_ question: TableMapping.Question) -> String {
      switch mapping[question] {
      case .column(let column)?: column < fields.count ? fields[column] : ""
      case .fixed(let text)?: text
      case nil: ""
      }
    }
    guard let kind = VitalKind.named(text(.metric)) else { return .failure(.otherKind) }
    let (date, written) = (text(.time), text(.value))
    guard !date.isEmpty, !written.isEmpty else { return .failure(.fault(.missing)) }
    guard let (number, unit) = VitalPost.number(.string(written)) else {
      return .failure(.fault(.value))
    }
    guard let zone = rowZone(text(.zone), zoneNamed) else { return .failure(.fault(.zone)) }
    let clock = text(.clock)
    let time = clock.isEmpty ? date : "\(date) \(clock)"
    let given = text(.unit)
    let source = text(.source)
    let made = VitalReading.made(
      of: kind, number, unit: given.isEmpty ? unit : given,
      start: TableMoment.read(time, in: zone), source: source.isEmpty ? "CSV" : source,
      // Steps with only a date are the total of the day.
      isDayTotal: kind == .steps && !time.contains(":") && !time.contains(" "), now: now)
    return made.mapError { .fault(ExportFault($0)) }
  }

  private mutating func rowZone(
    _ name: String, _ zoneNamed: (String) -> ((Int64) -> Int32)?
  ) -> ((Int64) -> Int32)? {
    if name.isEmpty { return zone }
    if let known = zones[name] { return known }
    guard let found = Self.offset(name).map({ offset in { _ in offset } }) ?? zoneNamed(name) else {
      return nil
    }
    if zones.count < 1_000 { zones[name] = found }
    return found
  }

  /// Reads an offset such as `+02:00`, `+0200`, `+2` or `Z`.
  static func offset(_ text: String) -> Int32? {
    if ["z", "utc", "gmt"].contains(text.lowercased()) { return 0 }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.allSatisfy({ $0.isNumber && $0.isASCII }), let number = Int32(digits) else {
      return nil
    }
    let (hours, minutes) =
      switch digits.count {
      case 1, 2: (number, Int32(0))
      case 4: (number / 100, number % 100)
      default: (Int32(99), Int32(0))
      }
    guard hours <= 18, minutes < 60 else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return sign == "-" ? -seconds : seconds
  }
}

/// Times in the formats of tables.
package enum TableMoment {
  /// Reads ISO 8601 and similar forms, `dd.MM.yyyy`, and seconds or milliseconds since 1970; nil for any
  /// other text.
  ///
  /// Dates with slashes are rejected: 03/04 can be two different days.
  package static func read(_ text: String, in zone: (Int64) -> Int32) -> Moment? {
    if let moment = MomentText.read(text, in: zone) { return moment }
    if (10...13).contains(text.utf8.count), let number = Int64(text) {
      let seconds = text.utf8.count > 11 ? number / 1_000 : number
      return Moment(seconds: seconds, offset: zone(seconds))
    }
    let parts = text.prefix(10).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 2, parts[1].count == 2, parts[2].count == 4 else {
      return nil
    }
    return MomentText.read(
      "\(parts[2])-\(parts[1])-\(parts[0])\(text.dropFirst(10))", in: zone)
  }
}
