// SPDX-License-Identifier: Apache-2.0

/// A FHIR Timing, parsed and validated, before it is placed in a zone.
///
/// Supports R4, and DSTU2 with its `periodUnits`, `boundsQuantity` and single `when`.
public struct Timing: Hashable, Sendable {
  let events: [TimingMoment]
  let bounds: TimingBounds?
  let count: Int?
  let parts: TimingParts?
  /// The reasons to check the Timing with a person before reminders follow it.
  public internal(set) var cautions: [TimingCaution]

  /// Parses a Timing.
  ///
  /// - Parameter mayBeEmpty: true if bounds without a pattern are enough, as for an as-needed dosage (rule 31).
  /// - Throws: ``TimingError`` for the first violation of FHIR's tim-1 to tim-10, of a type or of the timing rules.
  public init(_ node: TimingNode, mayBeEmpty: Bool = false) throws(TimingError) {
    let reader = try NodeReader(node, path: "timing")
    try Self.refuseUnknown(
      reader, ["id", "extension", "event", "repeat", "code"])
    let own = NodeReader.beneath(reader)
    events = try Self.events(own)
    let recurrence = try own.object("repeat")
    if let recurrence { try Self.refuseUnknown(recurrence, Self.repeatElements) }
    let extensions = try TimingExtensions(own, recurrence)
    bounds = try recurrence.flatMap { own throws(TimingError) in try TimingBounds(own) }
    count = try recurrence.flatMap { own throws(TimingError) in try Self.count(own) }
    var written = TimingParts()
    if let recurrence { try written.read(recurrence) }
    written.daysOfMonth = extensions.daysOfMonth
    written.daysOfCycle = extensions.daysOfCycle
    let code = try TimingCode(own)
    var notes = written.cautions + extensions.cautions
    if written.hasPattern {
      parts = written
      if let code, !code.agrees(with: written) { notes.append(.code) }
    } else if let named = code?.parts {
      parts = named
    } else {
      parts = nil
      if events.isEmpty, !mayBeEmpty {
        if code != nil { throw TimingError("code", .unknownCode) }
        if let count, count > 1 { throw TimingError("repeat.count", .noPattern) }
        if count == nil { throw TimingError("timing", .nothingToExpand) }
        if bounds?.startsAtATime != true { notes.append(.onceWithoutATime) }
      } else if code != nil {
        notes.append(.code)
      }
    }
    if recurrence?.has("countMax") == true { notes.append(.maximum("countMax")) }
    cautions = notes
    // A pattern is valid or not regardless of zone and anchor.
    if let parts { cautions += try parts.pattern(TimingChoices()).cautions }
  }

  private static let repeatElements = [
    "id", "extension", "boundsPeriod", "boundsDuration", "boundsRange", "boundsQuantity", "count",
    "countMax", "duration", "durationMax", "durationUnit", "durationUnits", "frequency",
    "frequencyMax", "period", "periodMax", "periodUnit", "periodUnits", "dayOfWeek", "timeOfDay",
    "when", "offset",
  ]

  /// Unknown elements could change the meaning; siblings of primitives only carry extensions.
  private static func refuseUnknown(
    _ reader: NodeReader, _ known: [String]
  ) throws(TimingError) {
    for member in reader.members {
      let name = member.name
      let isSibling = name.utf8.first == UInt8(ascii: "_")
      if !isSibling, !known.contains(where: { $0.isSame(as: name) }) {
        throw reader.error(name, .unknownElement)
      }
    }
  }

  private static func events(_ reader: NodeReader) throws(TimingError) -> [TimingMoment] {
    var events: [TimingMoment] = []
    for text in try reader.texts("event") ?? [] {
      guard let moment = TimingMoment(text) else {
        throw TimingError("event", .malformed("a date or an instant"))
      }
      switch moment {
      case .year, .month: throw TimingError("event", .coarserThanADay)
      case .day, .local, .instant: events.append(moment)
      }
    }
    return events
  }

  private static func count(_ reader: NodeReader) throws(TimingError) -> Int? {
    let count = try reader.positiveInteger("count")
    guard let most = try reader.positiveInteger("countMax") else { return count }
    guard let count else { throw reader.error("countMax", .missing("repeat.count")) }
    if most < count { throw reader.error("countMax", .below("repeat.count")) }
    return count
  }
}

extension NodeReader {
  /// Returns the same members with paths relative to the Timing, such as "repeat.period".
  fileprivate static func beneath(_ reader: NodeReader) -> NodeReader {
    NodeReader(members: reader.members, path: "")
  }
}

/// A reason why a valid Timing may mean something other than what the timing rules take it to mean.
public enum TimingCaution: Hashable, Sendable {
  /// The named element is the upper end of a range, whose lower end is used (rule 14).
  case maximum(String)
  /// Only the upper end of a frequency is given, not the minimum.
  case maximumAlone
  /// The code is unknown or contradicts the pattern, which takes precedence (rule 27).
  case code
  /// An extension is not supported.
  case unknownExtension
  /// Weekdays filter doses that are counted in hours.
  case weekdaysOfHours
  /// A unit without a number is read as daily.
  case unitAlone
  /// There is one dose at the start, and the start has no time.
  case onceWithoutATime
  /// The rules produce fewer doses than the frequency states.
  case fewerThanWritten
}
