// SPDX-License-Identifier: Apache-2.0

/// The dosages of one prescription and their order (rules 30 to 32).
///
/// Dosages with the same number run concurrently; one without a number runs with the first. A higher number begins when
/// all dosages of the previous one have ended.
struct DosageSequence {
  /// The parts of a dosage that determine its times.
  private struct Dosage {
    let path: String
    let sequence: Int?
    /// True for a dosage taken as needed, which has limits but no instants (rule 31).
    let isAsNeeded: Bool
    let timing: Timing?
  }

  private let steps: [[Dosage]]

  /// Parses the dosages; an error in one rejects all of them (rule 32).
  init(_ nodes: [TimingNode]) throws(TimingError) {
    if nodes.isEmpty { throw TimingError("dosages", .empty) }
    var dosages: [Dosage] = []
    for (index, node) in nodes.enumerated() {
      dosages.append(try Self.dosage(node, "dosages[" + String(index) + "]"))
    }
    let lowest = dosages.compactMap { $0.sequence }.min() ?? 0
    let numbers = Set(dosages.map { $0.sequence ?? lowest }).sorted()
    steps = numbers.map { number in dosages.filter { ($0.sequence ?? lowest) == number } }
  }

  private static func dosage(_ node: TimingNode, _ path: String) throws(TimingError) -> Dosage {
    let reader = try NodeReader(node, path: path)
    if reader.has("modifierExtension") { throw reader.error("modifierExtension", .unknownElement) }
    let isAsNeeded: Bool
    switch reader["asNeededBoolean"] {
    case nil: isAsNeeded = reader.has("asNeededCodeableConcept")
    case .flag(let flag)?: isAsNeeded = flag
    default: throw reader.error("asNeededBoolean", .wrongType("true or false"))
    }
    let timing = try reader["timing"].map { node throws(TimingError) in
      try named(path) { () throws(TimingError) in try Timing(node, mayBeEmpty: isAsNeeded) }
    }
    if timing == nil, !isAsNeeded { throw reader.error("timing", .empty) }
    return Dosage(
      path: path, sequence: try reader.integer("sequence"), isAsNeeded: isAsNeeded, timing: timing)
  }

  /// Returns the rules of all dosages; as-needed dosages have none.
  func rules(_ place: ScheduleQuestion.Place) throws(TimingError) -> [ScheduleQuestion.Rule] {
    var rules: [ScheduleQuestion.Rule] = []
    var begin: Instant?
    for (number, dosages) in steps.enumerated() {
      let anchor =
        begin.map { TimingAnchor(instant: $0, date: place.zone.date(at: $0)) } ?? place.anchor
      var end = anchor.instant
      for dosage in dosages {
        let own = try Self.rules(dosage, anchor, place)
        if number < steps.count - 1 { end = max(end, try Self.end(dosage, own, anchor, place)) }
        rules += own.map { ScheduleQuestion.Rule(rule: $0, notBefore: begin) }
      }
      begin = end
    }
    return rules
  }

  private static func rules(
    _ dosage: Dosage, _ anchor: TimingAnchor, _ place: ScheduleQuestion.Place
  ) throws(TimingError) -> [TimingRule] {
    guard !dosage.isAsNeeded, let timing = dosage.timing else { return [] }
    return try named(dosage.path) { () throws(TimingError) in
      try timing.rules(anchor: anchor, in: place.zone, choices: place.choices)
    }
  }

  /// Returns the first instant after a dosage, at which the next one begins.
  private static func end(
    _ dosage: Dosage, _ rules: [TimingRule], _ anchor: TimingAnchor,
    _ place: ScheduleQuestion.Place
  ) throws(TimingError) -> Instant {
    let endless = TimingError(
      dosage.path + ".timing.repeat", .missing("an end because another dosage follows"))
    if dosage.isAsNeeded {
      let start = dosage.timing?.statedStart(in: place.zone)?.instant ?? anchor.instant
      guard let end = dosage.timing?.end(from: start, in: place.zone) else { throw endless }
      return end.excludedInstant
    }
    var last = anchor.instant
    for rule in rules {
      let end: Instant?
      if case .instants(let instants) = rule.pattern {
        end = instants.max()?.adding(milliseconds: 1)
      } else {
        end =
          ScheduleExpander(
            schedule: rule.schedule, zone: place.zone, rhythm: place.rhythm,
            choices: place.choices
          ).excludedInstant
      }
      guard let end else { throw endless }
      last = max(last, end)
    }
    return last
  }

  /// Runs a closure and prefixes its errors with the path of the dosage.
  private static func named<Value>(
    _ path: String, _ read: () throws(TimingError) -> Value
  ) throws(TimingError) -> Value {
    do throws(TimingError) {
      return try read()
    } catch {
      let isWhole = error.element.utf8.starts(with: "timing".utf8)
      throw TimingError(path + (isWhole ? "." : ".timing.") + error.element, error.cause)
    }
  }
}
