// SPDX-License-Identifier: Apache-2.0

/// A FHIR Timing, read and found valid: what it says, before it is put into a zone.
///
/// R4, and DSTU2 with its `periodUnits`, `boundsQuantity` and single `when`.
public struct Timing: Hashable, Sendable {
  let events: [TimingMoment]
  let bounds: TimingBounds?
  let count: Int?
  let parts: TimingParts?
  /// The cautions that a reader should know before it rings by this.
  public internal(set) var cautions: [TimingCaution]

  /// Reads a Timing.
  ///
  /// - `mayBeEmpty`: whether bounds alone will do, as for what is taken when needed (rule 31).
  /// - Throws: the first thing wrong with it by FHIR's tim-1 to tim-10, by a type or by our rules.
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
    // Whether the pattern has a meaning does not depend on any zone or anchor.
    if let parts { cautions += try parts.pattern(TimingChoices()).cautions }
  }

  private static let repeatElements = [
    "id", "extension", "boundsPeriod", "boundsDuration", "boundsRange", "boundsQuantity", "count",
    "countMax", "duration", "durationMax", "durationUnit", "durationUnits", "frequency",
    "frequencyMax", "period", "periodMax", "periodUnit", "periodUnits", "dayOfWeek", "timeOfDay",
    "when", "offset",
  ]

  /// Elements that FHIR does not have here may mean anything; siblings of primitives carry extensions alone.
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
  /// The same members with paths that begin below the Timing: "repeat.period" says enough.
  fileprivate static func beneath(_ reader: NodeReader) -> NodeReader {
    NodeReader(members: reader.members, path: "")
  }
}

/// Why a Timing that is valid may be meant otherwise than our rules read it.
public enum TimingCaution: Hashable, Sendable {
  /// An upper end of a range, of which the lower one is followed (rule 14): the name of the element.
  case maximum(String)
  /// The upper end of a frequency, alone: nothing says how often at least.
  case maximumAlone
  /// A code that is unknown, or says another thing than the pattern, which wins (rule 27).
  case code
  /// An extension that is not followed.
  case unknownExtension
  /// Weekdays that filter doses counted in hours.
  case weekdaysOfHours
  /// A unit without its number, which is read as daily.
  case unitAlone
  /// One dose at the start, and the start is a date at most.
  case onceWithoutATime
  /// The rules give fewer doses than the frequency says.
  case fewerThanWritten
}
