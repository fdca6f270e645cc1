// SPDX-License-Identifier: Apache-2.0

import FHIR
import Scheduling

/// The doses that a request gives once it is a plan, without placebos.
struct ExpectedDoses: Sendable {
  /// The number of days ahead for which a schedule is checked, from each of its beginnings.
  private static let daysAhead = 400
  private static let mostDoses = 3_000
  /// The time in milliseconds within which beginnings are checked together: 300 of the days ahead remain, and
  /// a rule covers 200 at most.
  private static let together: Int64 = 100 * 86_400_000
  private static let mostStretches = 200
  private let timeline: PlanTimeline
  private let from: Instant

  /// Makes the doses of a request; returns nil if it has no planned times.
  ///
  /// - Parameter today: the first day of interest; nil for the day on which the request starts.
  init?(
    _ request: MedicationRequestView, zone: Zone, rhythm: DailyRhythm, today: CivilDate? = nil
  ) {
    let stated = TimingReader.statedStart(of: request, anchorZone: zone, zone: zone)
    // Without a start any day will do, because the pattern repeats.
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

  /// The doses from each beginning on, computed one stretch at a time because there can be millions in total.
  var stretches: LazyMapSequence<[Instant], [PlannedDose]> {
    begins.lazy.map { begin in
      let zone = timeline.zone
      let until = zone.startOfDay(zone.date(at: begin).adding(days: Self.daysAhead))
      return timeline.doses(from: begin, until: until, limit: Self.mostDoses)
        .filter { $0.amount?.code != PlanDraft.placeboCode }
    }
  }

  /// The first dose of interest, and the first dose of each part that begins later.
  private var begins: [Instant] {
    var found: Set<Instant> = [from]
    var firsts: [Instant] = []
    for part in timeline.parts {
      found.insert(max(from, part.rule.notBefore ?? part.rule.anchor))
      // Explicit instants may lie anywhere.
      if case .instants(let instants) = part.rule.pattern {
        firsts += instants.filter { $0 >= from }
      }
    }
    firsts += found.map { timeline.next(after: $0.adding(milliseconds: -1)) ?? $0 }
    var kept: [Instant] = []
    for first in firsts.sorted() where kept.count < Self.mostStretches {
      if let last = kept.last, first < last.adding(milliseconds: Self.together) { continue }
      kept.append(first)
    }
    return kept
  }
}
