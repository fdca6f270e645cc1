// SPDX-License-Identifier: Apache-2.0
import FHIR
import Scheduling

/// The dosages of a request in the order in which they follow one another (timing rules 30 to 32).
///
/// Dosages with the same number run together; one without a number runs with the first. A higher number
/// begins when all dosages before it have ended.
struct DosageSteps {
  private let steps: [[(index: Int, dosage: DosageView)]]

  init(_ dosages: [DosageView]) {
    let lowest = dosages.compactMap(\.sequence).min() ?? 0
    let numbered = dosages.enumerated().map { (index: $0.offset, dosage: $0.element) }
    let groups = Dictionary(grouping: numbered) { $0.dosage.sequence ?? lowest }
    steps = groups.sorted { $0.key < $1.key }.map { $0.value.sorted { $0.index < $1.index } }
  }

  /// The dosages that run from the beginning.
  var first: [DosageView] { (steps.first ?? []).map(\.dosage) }

  /// Returns the rules of all steps; as-needed dosages have none.
  func rules(anchor: PlanAnchor, zone: Zone) throws(UnplannedReason) -> [PlanRule] {
    var rules: [PlanRule] = []
    var begin: Instant?
    var intervalCount: Int64 = 0
    for (number, dosages) in steps.enumerated() {
      let from = begin.map { PlanAnchor(instant: $0, date: zone.date(at: $0), zone: anchor.zone) }
      var end: Instant? = begin
      for (index, dosage) in dosages {
        let found = try Self.patterned(
          try Self.rules(of: dosage, index: index, anchor: from ?? anchor, zone: zone),
          by: dosage, isAlone: steps.count == 1 && dosages.count == 1)
        let isLast = number == steps.count - 1
        if !isLast {
          let own = try Self.end(
            of: dosage, rules: found, anchor: from ?? anchor, zone: zone)
          end = max(end ?? own, own)
        }
        rules += found.map { rule in
          var rule = rule
          rule.step = number
          rule.notBefore = begin
          if case .elapsed = rule.pattern { rule.firstNumber = intervalCount }
          return rule
        }
      }
      intervalCount += rules.last { $0.step == number && $0.isElapsed }?.numberCount ?? 0
      begin = end
    }
    return rules
  }

  /// Returns the rules with our extensions applied; throws if an extension cannot be followed.
  private static func patterned(
    _ rules: [PlanRule], by dosage: DosageView, isAlone: Bool
  ) throws(UnplannedReason) -> [PlanRule] {
    var rules = rules
    if DosageExtension.afterIntake.of(dosage) != nil {
      guard let stated = AfterIntake(dosage), isAlone, rules.count == 1,
        case .elapsed(_, times: 1) = rules[0].pattern
      else { throw .unsupportedTiming(element: "extension") }
      rules[0].afterIntake = stated
    }
    if let spread = StatedSpread(dosage) {
      for index in rules.indices { rules[index].statedGap = Int64(spread.gapHours) * 3_600_000 }
    }
    return rules
  }

  private static func rules(
    of dosage: DosageView, index: Int, anchor: PlanAnchor, zone: Zone
  ) throws(UnplannedReason) -> [PlanRule] {
    if dosage.asNeeded { return [] }
    guard let timing = dosage.timing else {
      throw dosage.text == nil ? .nothingToExpand : .textOnly
    }
    return try TimingRules(
      dosage: index, amount: TimingReader.amount(dosage), anchor: anchor, zone: zone
    ).read(timing)
  }

  /// Returns the end of a dosage that another one waits for, exclusive.
  private static func end(
    of dosage: DosageView, rules: [PlanRule], anchor: PlanAnchor, zone: Zone
  ) throws(UnplannedReason) -> Instant {
    if dosage.asNeeded {
      guard let view = dosage.timing else { throw .sequence }
      let timing = try TimingRules.timing(view, mayBeEmpty: true)
      let start = timing.statedStart(in: zone, dateZone: anchor.zone)?.instant
      guard let end = timing.end(from: start ?? anchor.instant, in: zone) else {
        throw .sequence
      }
      return end.excludedInstant
    }
    var last = anchor.instant
    for rule in rules {
      guard let end = rule.excludedInstant(in: zone) else { throw .sequence }
      last = max(last, end)
    }
    return last
  }
}

extension PlanRule {
  fileprivate var isElapsed: Bool {
    if case .elapsed = pattern { true } else { false }
  }

  /// Returns the first instant after all doses of the rule; nil for a rule without an end.
  ///
  /// Also nil for a number of doses at meals or sleep: they move with the person's day, and so would the
  /// following steps.
  fileprivate func excludedInstant(in zone: Zone) -> Instant? {
    if case .instants(let instants) = pattern {
      return instants.max()?.adding(milliseconds: 1)
    }
    guard count != nil else { return end?.excludedInstant }
    var slots: [PlanSlot] = []
    if case .calendar(_, let times) = pattern {
      for time in times {
        guard case .clock = time else { return end?.excludedInstant }
        slots.append(PlanSlot(id: slots.count, dosage: dosage, time: time))
      }
    }
    return ScheduleExpander(schedule: schedule(slots: slots), zone: zone).excludedInstant
  }

  /// The number of running numbers reserved for a rule that counts hours, so that the next rule continues
  /// after them.
  fileprivate var numberCount: Int64 {
    guard case .elapsed(let every, let times) = pattern else { return 0 }
    guard let end = end?.excludedInstant else { return count.map { firstNumber + Int64($0) } ?? 0 }
    let length = max(0, end.milliseconds(since: anchor))
    let (product, overflow) = length.multipliedReportingOverflow(by: Int64(times))
    return overflow ? .max / 2 : firstNumber + product / max(every, 1) + 1
  }
}
