// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Scheduling
import Storage
import TimeZones

extension StockQueries {
  /// How far ahead is looked, in days.
  package static let horizonDays = 400

  /// How long a stock lasts by the plans that are taken from it; what is taken when needed goes on as lately.
  ///
  /// - Parameter days: how far is looked ahead.
  package static func forecast(
    of stock: Stock, days: Int = horizonDays, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> StockForecast {
    try planning {
      let zone = try PeopleQueries.zone(stock.owner, zones: zones, in: reader)
      var sources: [StockSource] = []
      var daily = Decimal(0)
      var isUncertain = false
      for use in stock.uses {
        let taken = try StockSource.read(
          use, of: stock, now: now, zones: zones, in: reader)
        if let source = taken.source { sources.append(source) }
        if taken.isAsNeeded {
          let lately = try StockSource.lately(
            use, of: stock, limits: taken.limits, now: now, in: reader)
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

/// The doses to come of one plan, as they are taken from a stock.
struct StockSource {
  private let timeline: PlanTimeline
  private let activeFrom: Timestamp
  private let unit: StockUnit
  private let limits: PlanLimits?
  /// Doses that are answered, called off or withheld.
  private let settled: Set<OccurrenceID>
  /// Doses that a person moved: when they are due instead.
  private let moved: [OccurrenceID: Timestamp]
  /// Doses that were due and may still be taken.
  private let open: [StockDemand]
  private var known: [Amount?: StockQuantity?] = [:]
  private(set) var isUncertain = false

  /// How far back a dose may have been due that can still be taken, in milliseconds.
  private static let reach: Int64 = 13 * 3_600_000
  /// Over how many days what was taken when needed is averaged.
  private static let latelyDays: Int64 = 28

  static func read(
    _ use: StockUse, of stock: Stock, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> (source: StockSource?, isAsNeeded: Bool, limits: PlanLimits?) {
    let plan = PlanID(use.medicine)
    guard let snapshot = try PlanSnapshot.load(plan, patient: use.patient, in: reader)
    else { return (nil, true, nil) }
    let limits = PlanLimits(snapshot.request)
    if snapshot.row.status == "active", snapshot.row.unplanned == .asNeeded {
      return (nil, true, limits)
    }
    let rhythm = try PeopleRows.rhythm(use.patient, in: reader)
    guard let timeline = try snapshot.timeline(zones: zones, rhythm: rhythm).timeline else {
      return (nil, false, limits)
    }
    let rows = try reader.query(
      """
      SELECT era, occurrence, due, late_until, state, amount_value, amount_unit, amount_code
      FROM doses WHERE patient = $1 AND plan = $2 AND due >= $3
      """,
      [
        .text(use.patient), .text(use.medicine),
        SQLValue(now.adding(milliseconds: -reach)),
      ])
    var settled: Set<OccurrenceID> = []
    var open: [StockDemand] = []
    var isUncertain = false
    for row in rows where try row.integer(0) == snapshot.row.era {
      let isOpen = try row.text(4) == DoseState.Stored.open.rawValue
      let due = try row.timestamp(2)
      if !isOpen || due < now, let occurrence = OccurrenceID(text: try row.text(1)) {
        settled.insert(occurrence)
      }
      guard isOpen, due < now, try row.timestamp(3) > now else { continue }
      let amount = Amount(
        column: try row.optionalText(5), unit: try row.optionalText(6),
        code: try row.optionalText(7))
      guard let used = (amount ?? limits.dose).flatMap({ stock.unit.quantity(of: $0, of: limits) })
      else {
        isUncertain = true
        continue
      }
      open.append(StockDemand(at: now, amount: used))
    }
    let moved = try MovedDoses.all(
      plan, patient: use.patient, era: snapshot.row.era, in: reader)
    // One that came before a journey does not come a second time after it.
    settled.formUnion(
      try MovedDoses.come(
        plan, patient: use.patient, before: snapshot.row.era, by: now, in: reader))
    var source = StockSource(
      timeline: timeline, activeFrom: snapshot.row.activeFrom, unit: stock.unit, limits: limits,
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

  /// What is to be taken in a stretch of time.
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
      // What the rules do not give any more is not due at all.
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

  /// Whether doses follow after some days.
  func goesOn(after now: Timestamp, days: Int) -> Bool {
    timeline.next(after: Instant(now.adding(milliseconds: Int64(days) * 86_400_000))) != nil
  }

  /// How much was taken a day in the last four weeks, or since the first of it, at least a week.
  static func lately(
    _ use: StockUse, of stock: Stock, limits: PlanLimits?, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> (daily: Decimal, isUncertain: Bool) {
    let day: Int64 = 86_400_000
    let rows = try reader.query(
      """
      SELECT amount_value, amount_unit, MIN(taken), COUNT(*) FROM intakes
      WHERE patient = $1 AND taken > $2 AND taken <= $3
        AND (plan = $4 OR (plan IS NULL AND ingredients = $4))
      GROUP BY amount_value, amount_unit
      """,
      [
        .text(use.patient), SQLValue(now.adding(milliseconds: -latelyDays * day)), SQLValue(now),
        .text(use.medicine),
      ])
    var sum = Decimal(0)
    var first = now
    var isUncertain = false
    for row in rows {
      let amount = Amount(column: try row.optionalText(0), unit: try row.optionalText(1), code: nil)
      guard let used = (amount ?? limits?.dose).flatMap({ stock.unit.quantity(of: $0, of: limits) })
      else {
        isUncertain = true
        continue
      }
      sum += used.decimal * Decimal(try row.integer(3))
      first = min(first, try row.timestamp(2))
    }
    let span = max(7, (now.milliseconds - first.milliseconds + day - 1) / day)
    return (sum / Decimal(span), isUncertain)
  }
}
