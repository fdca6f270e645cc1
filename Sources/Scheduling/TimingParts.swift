// SPDX-License-Identifier: Apache-2.0

/// The elements of a `repeat` that define its pattern, as written.
struct TimingParts: Hashable, Sendable {
  var frequency: Int?
  var period: ExactNumber?
  var periodMax: ExactNumber?
  var unit: TimingUnit?
  var weekdays: Set<Weekday>?
  var times: [SlotTime] = []
  var daysOfMonth: Set<Int>?
  var daysOfCycle: Set<Int>?
  var cautions: [TimingCaution] = []

  /// True if an element determines when doses recur.
  var hasPattern: Bool {
    frequency != nil || period != nil || weekdays != nil || !times.isEmpty || daysOfMonth != nil
      || daysOfCycle != nil
  }

  /// Parses the elements and checks tim-1 to tim-10.
  mutating func read(_ reader: NodeReader) throws(TimingError) {
    try readPeriod(reader)
    try readFrequency(reader)
    try Self.checkDuration(reader)
    try readWeekdays(reader)
    try readTimes(reader)
  }

  /// Checks tim-2, tim-5 and tim-6.
  private mutating func readPeriod(_ reader: NodeReader) throws(TimingError) {
    period = try reader.positive("period")
    unit = try Self.unit(reader, "periodUnit", "periodUnits")
    if period != nil, unit == nil {
      throw reader.error("period", .missing("repeat.periodUnit"))
    }
    if period == nil, unit != nil { cautions.append(.unitAlone) }
    guard let most = try reader.positive("periodMax") else { return }
    guard let period else { throw reader.error("periodMax", .missing("repeat.period")) }
    if most < period { throw reader.error("periodMax", .below("repeat.period")) }
    periodMax = most
    if most != period { cautions.append(.maximum("periodMax")) }
  }

  /// Rule 14: uses the lower end, or the upper end if it is the only one.
  private mutating func readFrequency(_ reader: NodeReader) throws(TimingError) {
    frequency = try reader.positiveInteger("frequency")
    guard let most = try reader.positiveInteger("frequencyMax") else { return }
    guard let least = frequency else {
      frequency = most
      cautions.append(.maximumAlone)
      return
    }
    if most < least { throw reader.error("frequencyMax", .below("repeat.frequency")) }
    if most != least { cautions.append(.maximum("frequencyMax")) }
  }

  /// Checks tim-1, tim-4 and tim-7; the duration of a dose does not affect when doses start (rule 28).
  private static func checkDuration(_ reader: NodeReader) throws(TimingError) {
    let duration = try reader.positive("duration")
    let unit = try unit(reader, "durationUnit", "durationUnits")
    if duration != nil, unit == nil {
      throw reader.error("duration", .missing("repeat.durationUnit"))
    }
    guard let most = try reader.positive("durationMax") else { return }
    guard let duration else { throw reader.error("durationMax", .missing("repeat.duration")) }
    if most < duration { throw reader.error("durationMax", .below("repeat.duration")) }
  }

  /// Returns a unit by its name in R4, or by its name in DSTU2.
  private static func unit(
    _ reader: NodeReader, _ name: String, _ olderName: String
  ) throws(TimingError) -> TimingUnit? {
    let name = reader.has(name) ? name : olderName
    guard let code = try reader.text(name) else { return nil }
    guard let unit = TimingUnit(code: code) else { throw reader.error(name, .unknownCode) }
    return unit
  }

  private mutating func readWeekdays(_ reader: NodeReader) throws(TimingError) {
    guard let codes = try reader.texts("dayOfWeek") else { return }
    var found: Set<Weekday> = []
    for code in codes {
      guard let weekday = Weekday(code: code) else {
        throw reader.error("dayOfWeek", .unknownCode)
      }
      found.insert(weekday)
    }
    weekdays = found
  }

  /// Checks tim-9 and tim-10.
  private mutating func readTimes(_ reader: NodeReader) throws(TimingError) {
    if reader.has("timeOfDay"), reader.has("when") {
      throw reader.error("timeOfDay", .excludes("repeat.when"))
    }
    var found: [SlotTime] = []
    for text in try reader.texts("timeOfDay") ?? [] {
      guard let time = Self.clockTime(text) else {
        throw reader.error("timeOfDay", .malformed("HH:MM:SS"))
      }
      found.append(.clock(time))
    }
    let offset = try reader.integer("offset")
    if let offset, offset < 0 { throw reader.error("offset", .negative) }
    if offset != nil, !reader.has("when") {
      throw reader.error("offset", .missing("repeat.when"))
    }
    for code in try reader.texts("when", acceptsOne: true) ?? [] {
      guard let events = DayEvent.events(code: code) else {
        throw reader.error("when", .unknownCode)
      }
      for event in events {
        if offset != nil, !event.allowsOffset {
          throw reader.error("offset", .excludes("C, CM, CD or CV"))
        }
        found.append(.event(event, offsetMinutes: offset))
      }
    }
    for time in found where !times.contains(time) { times.append(time) }
  }

  /// Parses FHIR's `time`, which always has seconds; fractions of a second are dropped.
  private static func clockTime(_ text: String) -> ClockTime? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 8 else { return nil }
    if bytes.count > 8 {
      let isFraction =
        bytes.count >= 10 && bytes[8] == UInt8(ascii: ".")
        && bytes[9...].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
      if !isFraction { return nil }
    }
    return ClockTime(text: String(decoding: bytes[0..<8], as: UTF8.self))
  }
}
