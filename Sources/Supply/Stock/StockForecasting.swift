// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

extension StockQueries {
  /// The number of days that a forecast usually looks ahead.
  package static let horizonDays = 400

  /// Returns how long a supply lasts by the plans that take from it; as-needed medicines continue at their
  /// recent average.
  ///
  /// - Parameter days: the number of days to look ahead.
  package static func forecast(
    of stock: Stock, days: Int = horizonDays, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> StockForecast {
    try forecast(
      of: stock, days: days,
      in: PatientSnapshot(of: stock.owner, now: now, zones: zones, in: reader))
  }

  /// Returns the same forecast within a snapshot that other reads share; the supply can belong to another
  /// patient than the snapshot's.
  package static func forecast(
    of stock: Stock, days: Int = horizonDays, in patient: PatientSnapshot
  ) throws(PlanError) -> StockForecast {
    try planning {
      let now = patient.now
      let zone = try patient.other(stock.owner).zone()
      var sources: [StockSource] = []
      var daily = Decimal(0)
      var isUncertain = false
      for use in stock.uses {
        let user = patient.other(use.patient)
        let taken = try StockSource.read(use, of: stock, in: user)
        if let source = taken.source { sources.append(source) }
        if taken.isAsNeeded {
          let lately = try StockSource.lately(use, of: stock, limits: taken.limits, in: user)
          daily += lately.daily
          isUncertain = isUncertain || lately.isUncertain
        }
      }
      var simulation = StockSimulation(lots: stock.lots, loose: stock.loose, now: now, zone: zone)
      let perDay = StockQuantity(millionths: NSDecimalNumber(decimal: daily * 1_000_000).int64Value)
      let today = zone.date(at: Instant(now))
      var day = 0
      while day < days, simulation.runsOut == nil {
        let step = min(28, days - day)
        let from = day == 0 ? now : Timestamp(zone.startOfDay(today.adding(days: day)))
        let until = Timestamp(zone.startOfDay(today.adding(days: day + step)))
        var demands: [StockDemand] = []
        for index in sources.indices {
          demands += sources[index].demands(from: from, until: until, isFirst: day == 0)
          isUncertain = isUncertain || sources[index].isUncertain
        }
        if perDay > .zero {
          for offset in day..<(day + step) {
            let evening = Timestamp(zone.startOfDay(today.adding(days: offset + 1)))
              .adding(milliseconds: -1)
            demands.append(StockDemand(at: evening, amount: perDay))
          }
        }
        simulation.follow(demands.sorted { $0.at < $1.at })
        day += step
      }
      let end: StockForecast.End
      if let at = simulation.runsOut {
        end = .runsOut(at)
      } else if perDay > .zero || sources.contains(where: { $0.goesOn(after: now, days: days) }) {
        end = .beyond
      } else {
        end = simulation.lastsUntil == nil ? .unused : .enough
      }
      return StockForecast(
        end: end, lastsUntil: simulation.lastsUntil,
        endsByExpiry: simulation.endsByExpiry, isEstimate: perDay > .zero,
        isUncertain: isUncertain)
    }
  }
}

/// The future doses of a plan, as they are taken from a supply.
struct StockSource {
  private let timeline: PlanTimeline
  private let activeFrom: Timestamp
  private let unit: StockUnit
  private let limits: PlanLimits?
  /// Doses that are answered, cancelled or withheld.
  private let settled: Set<OccurrenceID>
  /// Moved doses, with their new due times.
  private let moved: [OccurrenceID: Timestamp]
  /// Doses that were due and may still be taken.
  private let open: [StockDemand]
  private var known: [Amount?: StockQuantity?] = [:]
  private(set) var isUncertain = false

  /// The age up to which a due dose can still be taken, in milliseconds.
  private static let reach: Int64 = 13 * 3_600_000
  /// The number of days over which as-needed intakes are averaged.
  private static let latelyDays: Int64 = 28

  static func read(
    _ use: StockUse, of stock: Stock, in patient: PatientSnapshot
  ) throws -> (source: StockSource?, isAsNeeded: Bool, limits: PlanLimits?) {
    guard let plan = try patient.plan(PlanID(use.medicine)) else { return (nil, true, nil) }
    let limits = PlanLimits(try patient.request(of: plan))
    if plan.status == "active", plan.unplanned == .asNeeded { return (nil, true, limits) }
    guard let timeline = try patient.timeline(of: plan) else { return (nil, false, limits) }
    let now = patient.now
    // Includes doses due exactly that long ago.
    let rows = try patient.rows(
      of: plan.plan, dueAfter: now.adding(milliseconds: -reach - 1))
    var settled: Set<OccurrenceID> = []
    var open: [StockDemand] = []
    var isUncertain = false
    for row in rows where row.era == plan.era {
      let isOpen = row.state == .open
      if !isOpen || row.due < now { settled.insert(row.occurrence) }
      guard isOpen, row.due < now, row.lateUntil > now else { continue }
      guard
        let used = (row.amount ?? limits.dose).flatMap({ stock.unit.quantity(of: $0, of: limits) })
      else {
        isUncertain = true
        continue
      }
      open.append(StockDemand(at: now, amount: used))
    }
    let moves = try patient.moves(of: plan.plan)
    var moved: [OccurrenceID: Timestamp] = [:]
    for move in moves where move.era == plan.era { moved[move.occurrence] = move.due }
    // A dose that passed before a journey does not come again after it.
    settled.formUnion(MovedDoses.come(among: moves, before: plan.era, by: now))
    var source = StockSource(
      timeline: timeline, activeFrom: plan.activeFrom, unit: stock.unit, limits: limits,
      settled: settled, moved: moved, open: open)
    source.isUncertain = isUncertain
    return (source, false, limits)
  }

  private init(
    timeline: PlanTimeline, activeFrom: Timestamp, unit: StockUnit, limits: PlanLimits?,
    settled: Set<OccurrenceID>, moved: [OccurrenceID: Timestamp], open: [StockDemand]
  ) {
    self.timeline = timeline
    self.activeFrom = activeFrom
    self.unit = unit
    self.limits = limits
    self.settled = settled
    self.moved = moved
    self.open = open
  }

  /// Returns the amounts to be taken in an interval.
  mutating func demands(from: Timestamp, until: Timestamp, isFirst: Bool) -> [StockDemand] {
    var demands = isFirst ? open : []
    let start = max(from, activeFrom)
    guard start < until else { return demands }
    func add(_ dose: PlannedDose, at due: Timestamp) {
      guard let amount = quantity(of: dose.amount) else {
        isUncertain = true
        return
      }
      demands.append(StockDemand(at: due, amount: amount))
    }
    for dose in timeline.doses(from: Instant(start), until: Instant(until))
    where !settled.contains(dose.occurrence) && moved[dose.occurrence] == nil {
      add(dose, at: Timestamp(dose.due))
    }
    for (occurrence, due) in moved
    where due >= start && due < until && !settled.contains(occurrence) {
      // A dose that the rules no longer give is not due.
      if let dose = timeline.dose(occurrence) { add(dose, at: due) }
    }
    return demands
  }

  private mutating func quantity(of amount: Amount?) -> StockQuantity? {
    if let found = known[amount] { return found }
    let found = (amount ?? limits?.dose).flatMap { unit.quantity(of: $0, of: limits) }
    known[amount] = .some(found)
    return found
  }

  /// Returns true if there are doses after some days.
  func goesOn(after now: Timestamp, days: Int) -> Bool {
    timeline.next(after: Instant(now.adding(milliseconds: Int64(days) * 86_400_000))) != nil
  }

  /// Returns the daily average of the last four weeks, or since the first intake, at least a week.
  static func lately(
    _ use: StockUse, of stock: Stock, limits: PlanLimits?, in patient: PatientSnapshot
  ) throws(StorageError) -> (daily: Decimal, isUncertain: Bool) {
    let (day, now) = (Int64(86_400_000), patient.now)
    var sum = Decimal(0)
    var first = now
    var isUncertain = false
    for taken in try patient.taken(of: use.medicine, days: latelyDays) {
      guard
        let used = (taken.amount ?? limits?.dose).flatMap({
          stock.unit.quantity(of: $0, of: limits)
        })
      else {
        isUncertain = true
        continue
      }
      sum += used.decimal * Decimal(taken.times)
      first = min(first, taken.first)
    }
    let span = max(7, (now.milliseconds - first.milliseconds + day - 1) / day)
    return (sum / Decimal(span), isUncertain)
  }
}
