// SPDX-License-Identifier: Apache-2.0

import Accounts
import Dosing
import Identifiers
import Localization
import People
import Plans
import Scheduling
import Statistics
import Storage
import Supply
import TimeZones

/// The person's data to publish, as read from the database in one snapshot.
package struct HomeReading: Sendable {
  /// The person's day.
  package let day: HomeDay
  /// The person's time zone.
  package let zone: Zone
  /// The person's language.
  package let language: Language
  /// The person's name.
  package let name: String

  /// The days over which adherence is counted, in milliseconds.
  private static let week: Int64 = 7 * 86_400_000

  /// Reads a person's day; nil if there is no such person.
  ///
  /// The caller has decided that the account may see it.
  package static func read(
    _ patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(PlanError) -> HomeReading? {
    try planning {
      let snapshot = PatientSnapshot(of: patient, now: now, zones: zones, in: reader)
      guard let person = try snapshot.person() else { return nil }
      let today = try DoseQueries.today(of: snapshot, limits: TodayLimits())
      let counts = try StatisticsQueries.counts(
        patient: patient, from: now.adding(milliseconds: -week), until: now, now: now, in: reader)
      let day = HomeDay(
        today, now: now, adherence: counts.percentTaken,
        supplyDays: try supplyDays(of: snapshot))
      return HomeReading(
        day: day, zone: today.zone, language: person.language, name: person.displayName)
    }
  }

  /// Returns the days until the first supply runs out; nil if no supply is counted by planned doses.
  private static func supplyDays(of snapshot: PatientSnapshot) throws -> Int? {
    var least: Int?
    for stock in try StockQueries.all(of: snapshot) {
      let forecast = try StockQueries.forecast(
        of: stock, days: HomeDay.mostSupplyDays, in: snapshot)
      let days: Int
      switch forecast.end {
      case .unused: continue
      case .beyond, .enough: days = HomeDay.mostSupplyDays
      case .runsOut(let at):
        let zone = try StockQueries.zone(of: stock, in: snapshot)
        let today = zone.date(at: Instant(milliseconds: snapshot.now.milliseconds))
        let last = zone.date(at: Instant(milliseconds: at.milliseconds))
        days = min(max(last.daysSinceEpoch - today.daysSinceEpoch, 0), HomeDay.mostSupplyDays)
      }
      least = min(least ?? days, days)
    }
    return least
  }
}
