// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Identifiers
import People
import Plans
import Scheduling
import Storage
import Supply
import Web

/// A stock with how long it lasts, as a page shows it to somebody.
package struct StockSummary: Sendable {
  package let stock: Stock
  package let forecast: StockForecast
  /// The day of whom it belongs to.
  package let today: CivilDate
  package let zone: Zone
  /// How the medicine looks, where a plan that may be seen says so.
  var look: MedicineAppearance?
  /// What a pharmacy handed out and nobody has decided about.
  package var offers: [DispenseOffer] = []
  /// Packs that the pharmacy says were never handed out.
  var withdrawn: [Dispense] = []
  /// Packs of which the pharmacy says another amount since.
  var corrected: [DispenseCorrection] = []

  /// Days until it runs out; nil where it does not within what was looked at.
  var daysLeft: Int? {
    forecast.runsOut.map {
      zone.date(at: Instant(milliseconds: $0.milliseconds)).daysSinceEpoch - today.daysSinceEpoch
    }
  }

  /// The day on which more is to be had at the latest, and on which it is to be asked for.
  package var orderBy: CivilDate? {
    guard let lead = stock.leadDays, let daysLeft else { return nil }
    return today.adding(days: daysLeft - lead)
  }

  /// The day on which a new prescription is to be asked for at the latest; nil where the one that is there can be
  /// had again, or nobody said how long it takes.
  package var prescriptionBy: CivilDate? {
    guard stock.repeats == 0, stock.noticeDays > 0, let daysLeft else { return nil }
    return today.adding(days: daysLeft - stock.noticeDays)
  }

  /// Whether it is time to get more: a week before, or as long before as that takes.
  package var isLow: Bool {
    guard let daysLeft else { return false }
    return daysLeft <= stock.lowDays
  }

  var isExpiredOnly: Bool { stock.asksForExpired(on: today) }
}

/// Reads the stocks that somebody may see.
package struct StockReading: Sendable {
  /// How far Today looks ahead, in days.
  static let nearDays = 91

  package let call: Call
  package let signedIn: SignedIn

  package init(call: Call, signedIn: SignedIn) {
    self.call = call
    self.signedIn = signedIn
  }

  /// Whether the one who looks may do something with a resource of a patient.
  package func may(_ action: Action, _ resource: String, of patient: PatientID) -> Bool {
    (try? call.authorize(action, resource, of: patient)) != nil
  }

  /// Whether a stock may be seen, also one that belongs to somebody else.
  func sees(_ stock: Stock) -> Bool { may(.read, StockCommands.resource, of: stock.owner) }

  /// Whether the one who looks may change it.
  func changes(_ stock: Stock) -> Bool { may(.update, StockCommands.resource, of: stock.owner) }

  package func all(
    of patient: PatientID, days: Int = StockQueries.horizonDays, in reader: any SQLReader
  ) throws -> [StockSummary] {
    try StockQueries.all(of: patient, in: reader).filter(sees).map {
      try withDispenses(try summary(of: $0, days: days, in: reader), in: reader)
    }
  }

  func one(_ id: String, of patient: PatientID, in reader: any SQLReader) throws -> StockSummary {
    guard let stock = try StockQueries.one(StockID(id), of: patient, in: reader), sees(stock) else {
      throw Failure.notFound
    }
    return try withDispenses(try summary(of: stock, in: reader), in: reader)
  }

  /// With what was handed out, for those who may put it there.
  private func withDispenses(_ summary: StockSummary, in reader: any SQLReader) throws
    -> StockSummary
  {
    guard changes(summary.stock) else { return summary }
    var summary = summary
    let zones = call.environment.zones
    func isMine(_ dispense: Dispense) -> Bool {
      may(.update, StockCommands.resource, of: dispense.patient)
    }
    summary.offers = try DispenseQueries.offers(for: summary.stock, zones: zones, in: reader)
      .filter { isMine($0.dispense) }
    summary.withdrawn = try DispenseQueries.withdrawn(from: summary.stock, in: reader)
      .filter(isMine)
    summary.corrected = try DispenseQueries.corrected(in: summary.stock, in: reader)
      .filter { isMine($0.dispense) }
    return summary
  }

  /// The stock of a plan, where there is one that may be seen.
  func one(ofPlan plan: PlanID, patient: PatientID, in reader: any SQLReader) throws
    -> StockSummary?
  {
    guard may(.read, StockCommands.resource, of: patient),
      let stock = try StockQueries.stock(ofPlan: plan, patient: patient, in: reader), sees(stock)
    else { return nil }
    return try summary(of: stock, in: reader)
  }

  /// Returns the stocks to mention on Today, without looks.
  func low(of patient: PatientSnapshot) throws -> [StockSummary] {
    guard may(.read, StockCommands.resource, of: patient.patient) else { return [] }
    return try StockQueries.all(of: patient).filter(sees).compactMap { stock in
      func summary(_ days: Int) throws -> StockSummary {
        let zone = try StockQueries.zone(of: stock, in: patient)
        return StockSummary(
          stock: stock, forecast: try StockQueries.forecast(of: stock, days: days, in: patient),
          today: zone.date(at: Instant(milliseconds: call.now.milliseconds)), zone: zone)
      }
      // Whether it is low is known from the next days; most stocks are not.
      let near = try summary(stock.lowDays + 1)
      guard near.isLow || near.isExpiredOnly || stock.left(on: near.today) < .zero else {
        return nil
      }
      return try summary(max(Self.nearDays, stock.lowDays + 1))
    }
  }

  private func summary(
    of stock: Stock, days: Int = StockQueries.horizonDays, in reader: any SQLReader
  ) throws -> StockSummary {
    let zones = call.environment.zones
    let zone = try PeopleQueries.zone(stock.owner, zones: zones, in: reader)
    return StockSummary(
      stock: stock,
      forecast: try StockQueries.forecast(
        of: stock, days: days, now: call.now, zones: zones, in: reader),
      today: zone.date(at: Instant(milliseconds: call.now.milliseconds)), zone: zone,
      look: try look(of: stock, in: reader))
  }

  private func look(of stock: Stock, in reader: any SQLReader) throws -> MedicineAppearance? {
    for use in stock.uses
    where use.planName != nil && may(.read, "MedicationRequest", of: use.patient) {
      let known = try AppearanceQueries.one(
        ofPlan: PlanID(use.medicine), patient: use.patient, in: reader)
      if let look = known.look { return look }
    }
    return nil
  }
}
