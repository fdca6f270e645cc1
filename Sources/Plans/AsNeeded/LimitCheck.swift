// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Scheduling
import Storage

/// A limit of a plan that an intake would exceed.
package struct LimitBreach: Sendable, Hashable {
  /// The limit that would be exceeded; lengths are in milliseconds.
  package enum Rule: Sendable, Hashable {
    case count(most: Int, milliseconds: Int64)
    case amount(most: Amount, milliseconds: Int64)
    case days(most: Int)
  }

  /// The plan that states the limit.
  package let plan: PlanID
  /// The medicine's name as shown to people.
  package let medicineName: String
  /// The limit that would be exceeded.
  package let rule: Rule
  /// The total with this intake: doses, the amount in the unit of the limit, or days of the month.
  package let reached: Decimal
  /// The earlier and later intakes that count towards the total, in order of time.
  package let intakes: [Intake]

  /// The key of the rule in a form, listed with the administrations that the person was asked about.
  package var key: String {
    switch rule {
    case .count(_, let length): "limit-\(plan)-count-\(length)"
    case .amount(_, let length): "limit-\(plan)-amount-\(length)"
    case .days: "limit-\(plan)-days"
    }
  }
}

/// The limits of a plan, compared with what was taken: a pure rule without clock and database.
///
/// Times are rolling: of all stretches of the limit's length that contain the intake, the fullest
/// counts. Later intakes count as well, since a person may log an earlier one afterwards.
package struct LimitCheck: Sendable {
  /// The plan that states the limits; empty for a medicine without a plan.
  package let plan: PlanID
  /// The medicine's name as shown to people.
  package let medicineName: String
  /// The limits to check.
  package let limits: PlanLimits
  /// The intakes of the same medicine, in any order.
  package let intakes: [Intake]
  /// The zone in which days and months are counted.
  package let zone: Zone
  /// The limits of the plans whose intakes count, by plan; they state the content of a dose.
  package var sources: [PlanID: PlanLimits] = [:]

  /// Creates a check.
  package init(
    plan: PlanID, medicineName: String, limits: PlanLimits, intakes: [Intake], zone: Zone,
    sources: [PlanID: PlanLimits] = [:]
  ) {
    self.plan = plan
    self.medicineName = medicineName
    self.limits = limits
    self.intakes = intakes
    self.zone = zone
    self.sources = sources
  }

  /// The time in milliseconds by which windows are shortened for the plan's own doses at fixed times, so that
  /// a dose taken an hour early or a clock change does not raise a question each morning.
  static let scheduledSlack: Int64 = 2 * 3_600_000

  /// Returns the limits that an intake at a given time would exceed.
  ///
  /// - Parameters:
  ///   - amount: nil counts as one dose of the plan.
  ///   - source: the plan that the intake belongs to.
  ///   - isScheduled: true for a plan's own dose at a fixed time; windows are then shortened by
  ///     ``scheduledSlack``.
  package func breaches(
    at: Timestamp, amount: Amount?, from source: String? = nil, isScheduled: Bool = false
  ) -> [LimitBreach] {
    breaches(
      at: at, amount: amount, from: source, among: intakes,
      slack: isScheduled ? Self.scheduledSlack : 0)
  }

  private func use(of limit: PlanLimits.Quantity, by amount: Amount?, from plan: PlanID?)
    -> Decimal?
  {
    limits.use(of: limit, by: amount, from: plan.flatMap { $0 == self.plan ? nil : sources[$0] })
  }

  private func breaches(
    at: Timestamp, amount: Amount?, from source: String? = nil, among intakes: [Intake],
    slack: Int64 = 0
  ) -> [LimitBreach] {
    func length(_ milliseconds: Int64) -> Int64 { milliseconds - min(slack, milliseconds / 2) }
    var found: [LimitBreach] = []
    func add(_ rule: LimitBreach.Rule, _ reached: Decimal, _ counted: [Intake]) {
      found.append(
        LimitBreach(
          plan: plan, medicineName: medicineName, rule: rule, reached: reached,
          intakes: counted.sorted { $0.taken < $1.taken }))
    }
    for limit in limits.counts {
      let (sum, counted) = fullest(
        at: at, milliseconds: length(limit.milliseconds), own: 1, intakes
      ) { _ in 1 }
      if sum > Decimal(limit.most) {
        add(.count(most: limit.most, milliseconds: limit.milliseconds), sum, counted)
      }
    }
    for limit in limits.amounts {
      guard let most = Measure(limit.amount),
        let own = use(of: limit, by: amount, from: source.map(PlanID.init))
      else {
        continue
      }
      let (sum, counted) = fullest(
        at: at, milliseconds: length(limit.milliseconds), own: own, intakes
      ) { use(of: limit, by: $0.amount, from: $0.plan) ?? own }
      if sum > most.value {
        // Converts the total to the limit's own unit.
        let scale = (Amount.decimal(limit.value) ?? 1) / most.value
        add(.amount(most: limit.amount, milliseconds: limit.milliseconds), sum * scale, counted)
      }
    }
    if let most = limits.days {
      let month = intakes.filter { isSameMonth($0.taken, at) }
      let days = Set(month.map { date($0.taken) })
      if !days.contains(date(at)), days.count + 1 > most {
        add(.days(most: most), Decimal(days.count + 1), month)
      }
    }
    return found
  }

  /// Returns the fullest window that contains an instant, with the intakes in it.
  private func fullest(
    at: Timestamp, milliseconds: Int64, own: Decimal, _ intakes: [Intake],
    _ use: (Intake) -> Decimal
  ) -> (sum: Decimal, intakes: [Intake]) {
    let near = intakes.filter { abs($0.taken.milliseconds - at.milliseconds) < milliseconds }
      .sorted { $0.taken < $1.taken }
    let latest = near.filter { $0.taken >= at }
    var best = (sum: latest.reduce(own) { $0 + use($1) }, intakes: latest)
    var next = 0
    var reached = -1
    for (first, start) in near.map(\.taken).enumerated() where start <= at {
      let end = start.adding(milliseconds: milliseconds)
      while next < near.count, near[next].taken < end { next += 1 }
      // A window that starts later and reaches no further intake contains no more than this one.
      guard next > reached else { continue }
      reached = next
      let members = near[first..<next]
      let sum = members.reduce(own) { $0 + use($1) }
      if sum > best.sum { best = (sum, Array(members)) }
    }
    return best
  }

  // MARK: Next possible dose

  /// Returns true if a dose at a given time keeps the gap and every limit.
  package func allows(at: Timestamp) -> Bool {
    if let gap = limits.gap,
      intakes.contains(where: { abs($0.taken.milliseconds - at.milliseconds) < gap })
    {
      return false
    }
    return breaches(at: at, amount: limits.dose).isEmpty
  }

  /// Returns the first moment from `now` on at which one dose keeps the gap and every limit; nil if
  /// a single dose already exceeds a limit.
  package func next(from now: Timestamp) -> Timestamp? {
    var candidates = [now]
    let lengths =
      [limits.gap].compactMap(\.self) + limits.counts.map(\.milliseconds)
      + limits.amounts.map(\.milliseconds)
    for intake in intakes {
      for length in Set(lengths) { candidates.append(intake.taken.adding(milliseconds: length)) }
    }
    if limits.days != nil {
      let (year, month, _) = date(now).parts
      if let first = CivilDate(year: year, month: month, day: 1) {
        candidates.append(Timestamp(zone.startOfDay(first.adding(months: 1))))
      }
    }
    var earliest = now
    for candidate in candidates.sorted() where candidate >= earliest {
      guard let end = forbidden(at: candidate) else { return candidate }
      earliest = end
    }
    return nil
  }

  /// Returns the end of the time from an instant on in which every intake is certain to break the gap or a
  /// limit; nil if one is possible at that instant.
  private func forbidden(at: Timestamp) -> Timestamp? {
    var end: Timestamp?
    if let gap = limits.gap {
      let near = intakes.filter { abs($0.taken.milliseconds - at.milliseconds) < gap }
      end = near.map(\.taken).max()?.adding(milliseconds: gap)
    }
    for breach in breaches(at: at, amount: limits.dose) {
      let until: Timestamp
      switch breach.rule {
      case .count(let most, let length):
        until = Self.end(breach.intakes.suffix(most), at: at, milliseconds: length)
      case .amount(let most, let length):
        until = Self.end(enough(of: breach, most), at: at, milliseconds: length)
      case .days:
        until = Timestamp(zone.startOfDay(date(at).adding(days: 1)))
      }
      end = max(end ?? until, until)
    }
    return end
  }

  /// Returns the end of the time from an instant on in which some intakes share a window with any new one.
  private static func end(
    _ intakes: ArraySlice<Intake>, at: Timestamp, milliseconds: Int64
  ) -> Timestamp {
    min(intakes.first?.taken ?? at, at).adding(milliseconds: milliseconds)
  }

  /// Returns the latest intakes that exceed the maximum amount together with one more dose.
  private func enough(of breach: LimitBreach, _ most: Amount) -> ArraySlice<Intake> {
    let intakes = breach.intakes[...]
    guard let limit = limits.amounts.first(where: { $0.amount == most }),
      let maximum = Measure(most)?.value, let own = use(of: limit, by: limits.dose, from: nil)
    else { return intakes }
    var sum = own
    for (place, intake) in intakes.enumerated().reversed() where sum <= maximum {
      sum += use(of: limit, by: intake.amount, from: intake.plan) ?? own
      if sum > maximum { return intakes.dropFirst(place) }
    }
    return sum > maximum ? [] : intakes
  }

  /// Returns the number of doses that the counts and amounts still allow now, at most 50,
  /// regardless of the gap; nil without such limits.
  package func left(at now: Timestamp) -> Int? {
    let isCounted = limits.amounts.contains { limits.use(of: $0, by: limits.dose) != nil }
    guard !limits.counts.isEmpty || isCounted else { return nil }
    var taken = intakes
    var left = 0
    while left < Self.mostLeft {
      let isBeyond = breaches(at: now, amount: limits.dose, among: taken).contains { breach in
        if case .days = breach.rule { false } else { true }
      }
      if isBeyond { break }
      taken.append(
        Intake(
          administration: AdministrationID("next-\(left)"), plan: plan, medicineName: medicineName,
          taken: now,
          by: "",
          amount: limits.dose))
      left += 1
    }
    return left
  }

  /// Returns the number of days of the current month with an intake.
  package func daysUsed(at now: Timestamp) -> Int {
    Set(intakes.filter { isSameMonth($0.taken, now) }.map { date($0.taken) }).count
  }

  /// Returns true if a dose now is the last one before a limit: by number or amount, or on the last
  /// day.
  package func isLast(at now: Timestamp) -> Bool {
    if left(at: now) == 1 { return true }
    guard let most = limits.days else { return false }
    let isTakenToday = intakes.contains { date($0.taken) == date(now) }
    return daysUsed(at: now) + (isTakenToday ? 0 : 1) == most
  }

  /// The limits whose unit cannot be compared with the dose, and which are therefore not counted
  /// here.
  package var uncounted: [PlanLimits.Quantity] {
    limits.amounts.filter { limits.use(of: $0, by: limits.dose) == nil }
  }

  /// The highest number of doses that is counted.
  static let mostLeft = 50

  private func date(_ time: Timestamp) -> CivilDate { zone.date(at: Instant(time)) }

  private func isSameMonth(_ one: Timestamp, _ other: Timestamp) -> Bool {
    let (first, second) = (date(one).parts, date(other).parts)
    return first.year == second.year && first.month == second.month
  }
}
