// SPDX-License-Identifier: Apache-2.0
import FHIR
import Scheduling

/// Reads a MedicationRequest as rules, or returns the reason why it cannot be planned.
package enum TimingReader {
  /// The version of the reader, including stored derived data and frequency rules; after an increase, all
  /// plans are read again once (`PlanRereading`).
  static let version: Int64 = 6
  /// The maximum number of times of day and instants in one plan.
  static let maximumSlots = 100
  static let maximumInstants = 2_000
  /// The shortest interval that is planned, in milliseconds; anything shorter is a typing error.
  static let shortestIntervalMilliseconds: Int64 = 5 * 60_000

  private static let ringingIntents: Set<String> = [
    "plan", "order", "original-order", "reflex-order", "filler-order", "instance-order",
  ]

  /// Reads the schedule of a request in the zone of the plan's current era; see docs/timing.md.
  package static func read(
    _ request: MedicationRequestView, anchor: PlanAnchor, zone: Zone
  ) -> PlanReading {
    do {
      return .rules(try rules(request, anchor: anchor, zone: zone))
    } catch {
      return .unplanned(error)
    }
  }

  /// Returns the first start that a dosage names, which fixes the plan's anchor when it becomes
  /// active; nil if none does.
  package static func statedStart(
    of request: MedicationRequestView, anchorZone: Zone, zone: Zone
  ) -> (instant: Instant, date: CivilDate)? {
    for dosage in DosageSteps(request.dosages).first {
      guard let text = dosage.timing?.boundsPeriodStart, let moment = TimingMoment(text) else {
        continue
      }
      return moment.start(in: zone, dateZone: anchorZone)
    }
    return nil
  }

  private static func rules(
    _ request: MedicationRequestView, anchor: PlanAnchor, zone: Zone
  ) throws(UnplannedReason) -> [PlanRule] {
    let status = request.status ?? "unknown"
    guard status == "active" else { throw .status(status) }
    let intent = request.intent ?? "unknown"
    guard ringingIntents.contains(intent) else { throw .intent(intent) }
    if request.doNotPerform { throw .doNotPerform }
    if request.hasUnknownModifier { throw .unknownModifier }
    let dosages = request.dosages
    if dosages.isEmpty { throw .nothingToExpand }
    if dosages.allSatisfy(\.asNeeded) { throw .asNeeded }
    let rules = try DosageSteps(dosages).rules(anchor: anchor, zone: zone)
    try checkTogether(rules)
    return rules
  }

  private static func checkTogether(_ rules: [PlanRule]) throws(UnplannedReason) {
    var slots = 0
    var instants = 0
    var intervals: Set<Int> = []
    for rule in rules {
      switch rule.pattern {
      case .calendar(_, let times): slots += times.count
      case .instants(let list): instants += list.count
      case .elapsed(let every, let times):
        // Two concurrent interval rules would have indistinguishable doses; consecutive ones continue the
        // numbers.
        guard intervals.insert(rule.step).inserted else { throw .severalIntervals }
        if every / Int64(times) < shortestIntervalMilliseconds { throw .tooFrequent }
      }
    }
    if slots > maximumSlots || instants > maximumInstants { throw .tooFrequent }
  }

  static func amount(_ dosage: DosageView) -> Amount? {
    guard let quantity = dosage.doseQuantity, let value = quantity.valueText,
      quantity.comparator == nil
    else { return nil }
    return Amount(
      value: value, unit: quantity.unit ?? quantity.code ?? "", code: quantity.code)
  }
}
extension UnplannedReason: Error {}
