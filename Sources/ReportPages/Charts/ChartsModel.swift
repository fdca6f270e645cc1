// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import Identifiers
import People
import Plans
import Scheduling
import Statistics
import Storage
import Web

/// The content of the charts over all medicines.
struct ChartsModel: Sendable {
  let request: ChartsRequest
  let statistics: DayStatistics
  /// The doses that were or will be due on each day of a week.
  let targets: [Int]
  /// The medicines to filter by; empty if their names are not shared.
  let medicines: [FieldChoice]
  let whenNeeded: [ReportContent.WhenNeeded]

  var first: CivilDate { statistics.first }
  var last: CivilDate { statistics.last }

  /// Reads the content; the caller has checked that outcomes of doses may be seen.
  ///
  /// - Parameter namesMedicines: True if medicines may be seen as well.
  static func load(
    _ asked: ChartsRequest, patient: PatientID, namesMedicines: Bool,
    _ environment: ServerEnvironment, now: Timestamp, in reader: any SQLReader
  ) throws -> ChartsModel {
    let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    let names = namesMedicines ? try PlanQueries.names(patient: patient, in: reader) : []
    var request = asked
    if !names.contains(where: { $0.plan == request.medicine }) { request.medicine = nil }
    let (first, last) = (request.first(today: today), request.last(today: today))
    let statistics = try StatisticsQueries.days(
      from: first, to: last, plan: request.medicine, patient: patient, zone: zone, now: now,
      in: reader)
    var targets: [Int] = []
    if request.range == .week {
      targets = (0..<7).map { offset in
        let doses = statistics.doses[first.adding(days: offset)] ?? []
        return doses.count { $0.outcome != .withheld }
      }
      if today < last {
        let ahead = try ahead(
          from: today.adding(days: 1), to: last, request, patient: patient, zone: zone,
          environment, now: now, in: reader)
        for (offset, _) in targets.enumerated() {
          if let count = ahead[first.adding(days: offset)] { targets[offset] = count }
        }
      }
    }
    return ChartsModel(
      request: request, statistics: statistics, targets: targets,
      medicines: names.map { FieldChoice($0.plan.text, $0.name) },
      whenNeeded: namesMedicines
        ? try ReportContent.WhenNeeded.all(
          patient, plan: request.medicine, from: start(first, zone),
          until: start(last.adding(days: 1), zone), zone: zone, in: reader) : [])
  }

  /// Returns the number of doses on future days, even if they have no rows yet.
  private static func ahead(
    from first: CivilDate, to last: CivilDate, _ request: ChartsRequest, patient: PatientID,
    zone: Zone, _ environment: ServerEnvironment, now: Timestamp, in reader: any SQLReader
  ) throws -> [CivilDate: Int] {
    let listing = try DoseQueries.listing(
      patient: patient, from: start(first, zone), until: start(last.adding(days: 1), zone),
      now: now, zones: environment.zones, in: reader)
    var counts: [CivilDate: Int] = [:]
    for dose in listing.doses where request.medicine == nil || dose.plan == request.medicine {
      guard dose.state != .cancelled, dose.state != .withheld else { continue }
      counts[zone.date(at: Instant(milliseconds: dose.due.milliseconds)), default: 0] += 1
    }
    return counts
  }

  private static func start(_ day: CivilDate, _ zone: Zone) -> Timestamp {
    Timestamp(milliseconds: zone.startOfDay(day).milliseconds)
  }
}
