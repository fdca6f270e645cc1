// SPDX-License-Identifier: Apache-2.0

import FHIR
import Scheduling

/// The doses that a request gives once it is a plan, without placebos.
struct ExpectedDoses: Sendable {
  /// How far ahead a schedule is looked at, from each of its beginnings.
  private static let daysAhead = 400
  private static let mostDoses = 3_000
  private let timeline: PlanTimeline
  private let from: Instant

  /// Makes the doses of a request; returns nil if it has no planned times.
  ///
  /// - Parameter today: the first day of interest; nil for the day on which the request starts.
  init?(
    _ request: MedicationRequestView, zone: Zone, rhythm: DailyRhythm, today: CivilDate? = nil
  ) {
    let stated = TimingReader.statedStart(of: request, anchorZone: zone, zone: zone)
    // Without a start any day will do: the pattern repeats.
    let day = today ?? stated?.date ?? CivilDate(daysSinceEpoch: 0)
    let begin = zone.startOfDay(day)
    let anchor = PlanAnchor(
      instant: stated?.instant ?? begin, date: stated?.date ?? day, zone: zone)
    guard case .rules(let rules) = TimingReader.read(request, anchor: anchor, zone: zone) else {
      return nil
    }
    let slots = SlotAssignment.assign(
      rules, existing: [], highest: 0, named: [:], pairsInOrder: false
    ).slots
    from = begin
    timeline = PlanTimeline(rules: rules, slots: slots, zone: zone, rhythm: rhythm)
  }

  /// The doses from each beginning on.
  var stretches: [[PlannedDose]] {
    let zone = timeline.zone
    return begins.map { begin in
      let first = timeline.next(after: begin.adding(milliseconds: -1)) ?? begin
      let until = zone.startOfDay(zone.date(at: first).adding(days: Self.daysAhead))
      return timeline.doses(from: first, until: until, limit: Self.mostDoses)
        .filter { $0.amount?.code != PlanDraft.placeboCode }
    }
  }

  /// The first day of interest, and when each part that is still to come begins.
  private var begins: Set<Instant> {
    var found: Set<Instant> = [from]
    for part in timeline.parts {
      found.insert(max(from, part.rule.notBefore ?? part.rule.anchor))
      if case .instants(let instants) = part.rule.pattern {
        // Named instants may lie anywhere: each window begins with one of them.
        found.formUnion(instants.filter { $0 >= from }.prefix(100))
      }
    }
    return found
  }
}
