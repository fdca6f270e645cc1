// SPDX-License-Identifier: Apache-2.0

/// The code of a Timing, limited to the codes that state times (rule 27).
struct TimingCode {
  /// The meaning of a known code; nil if the code is unknown.
  let parts: TimingParts?
  /// True if there is text but no coding.
  let isWordsAlone: Bool

  /// The code systems of FHIR's timing abbreviations since DSTU2.
  private static let systems = [
    "http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation",
    "http://hl7.org/fhir/v3/GTSAbbreviation",
    "http://hl7.org/fhir/timing-abbreviation",
    "urn:oid:2.16.840.1.113883.5.1022",
  ]

  /// Parses the `code` of a Timing; nil if there is none.
  init?(_ timing: NodeReader) throws(TimingError) {
    guard let concept = try timing.object("code") else { return nil }
    let codings = try concept.list("coding") ?? []
    _ = try concept.text("text")
    var known: TimingParts?
    for node in codings {
      let coding = try NodeReader(node, path: "code.coding")
      guard let code = try coding.text("code") else { continue }
      let system = try coding.text("system")
      let isOurs = system.map { name in Self.systems.contains { $0.isSame(as: name) } } ?? true
      if isOurs, known == nil { known = Self.parts(code) }
    }
    parts = known
    isWordsAlone = codings.isEmpty && concept.has("text")
  }

  /// Returns true if the code agrees with a written pattern; text without a code always does.
  func agrees(with written: TimingParts) -> Bool {
    guard let parts else { return isWordsAlone }
    guard written.weekdays == nil, written.daysOfMonth == nil, written.daysOfCycle == nil else {
      return false
    }
    let isSameTime = written.times.isEmpty || written.times == parts.times
    if parts.frequency == nil, !parts.times.isEmpty { return isSameTime && !written.isSparse }
    if !written.times.isEmpty {
      return parts.unit == .day && parts.period?.whole == 1 && !written.isSparse
        && written.times.count == parts.frequency
    }
    guard written.frequency ?? 1 == parts.frequency ?? 1 else { return false }
    guard let period = written.period else { return parts.unit == .day && parts.period?.whole == 1 }
    return period == parts.period && written.unit == parts.unit
  }

  private static func parts(_ code: String) -> TimingParts? {
    let bytes = Array(code.utf8)
    if bytes.count == 3, bytes[0] == UInt8(ascii: "Q"), bytes[2] == UInt8(ascii: "H"),
      (UInt8(ascii: "1")...UInt8(ascii: "8")).contains(bytes[1])
    {
      return parts(1, every: Int(bytes[1] - UInt8(ascii: "0")), .hour)
    }
    for (name, count) in [("QD", 1), ("BID", 2), ("TID", 3), ("QID", 4)]
    where name.isSame(as: code) {
      return parts(count, every: 1, .day)
    }
    for (name, period, unit) in [("QOD", 2, TimingUnit.day), ("WK", 1, .week), ("MO", 1, .month)]
    where name.isSame(as: code) {
      return parts(1, every: period, unit)
    }
    for (name, event) in [("AM", DayEvent.morning), ("PM", .afternoon), ("BED", .bedtime)]
    where name.isSame(as: code) {
      var parts = TimingParts()
      parts.times = [.event(event, offsetMinutes: nil)]
      return parts
    }
    return nil
  }

  private static func parts(_ frequency: Int, every period: Int, _ unit: TimingUnit) -> TimingParts
  {
    var parts = TimingParts()
    parts.frequency = frequency
    parts.period = ExactNumber(String(period))
    parts.unit = unit
    return parts
  }
}

extension TimingParts {
  /// True if the pattern leaves out days.
  fileprivate var isSparse: Bool {
    guard let period, let unit else { return false }
    return !(unit == .day && period.whole == 1 || unit == .hour && period.whole == 24)
  }
}
