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

/// A supply with its forecast, limited to what the viewer may see.
package struct StockSummary: Sendable {
  /// The supply with its packs and the plans that take from it.
  package let stock: Stock
  /// The forecast, based on the coming doses.
  package let forecast: StockForecast
  /// Today's date in the time zone of the supply's owner.
  package let today: CivilDate
  /// The time zone of the supply's owner, in which its days are counted.
  package let zone: Zone
  /// The appearance of the medicine, from a plan that the viewer may see.
  package var look: MedicineAppearance?
  /// The pharmacy's dispenses that can be added as packs; empty if the viewer may not change the
  /// supply.
  package var offers: [DispenseOffer] = []
  /// Packs that the pharmacy has since reported as never dispensed.
  package var withdrawn: [Dispense] = []
  /// Packs whose amount the pharmacy has corrected since.
  package var corrected: [DispenseCorrection] = []

  /// The days until it runs out; nil if it lasts beyond the forecast.
  package var daysLeft: Int? {
    forecast.runsOut.map {
      zone.date(at: Instant(milliseconds: $0.milliseconds)).daysSinceEpoch - today.daysSinceEpoch
    }
  }

  /// The last day on which to order more; nil if the lead time is unknown or the supply does not run out
  /// within the forecast.
  package var orderBy: CivilDate? {
    guard let lead = stock.leadDays, let daysLeft else { return nil }
    return today.adding(days: daysLeft - lead)
  }

  /// The last day on which to ask for a new prescription; nil if the current one still has repeats, if no
  /// lead time is known, or if the supply does not run out within the forecast.
  package var prescriptionBy: CivilDate? {
    guard stock.repeats == 0, stock.noticeDays > 0, let daysLeft else { return nil }
    return today.adding(days: daysLeft - stock.noticeDays)
  }

  /// True if it is time to get more: 7 days before the supply runs out, or earlier if getting more takes
  /// longer.
  package var isLow: Bool {
    guard let daysLeft else { return false }
    return daysLeft <= stock.lowDays
  }

  /// True if only expired packs are left.
  package var isExpiredOnly: Bool { stock.asksForExpired(on: today) }
}

/// Reads the supplies that the signed-in account may see.
package struct StockReading: Sendable {
  /// The days that Today looks ahead.
  package static let nearDays = 91

  /// The request for which the supplies are read.
  package let call: Call
  /// The account whose rights decide what is read.
  package let signedIn: SignedIn

  /// Creates a reading for one request.
  package init(call: Call, signedIn: SignedIn) {
    self.call = call
    self.signedIn = signedIn
  }

  /// Returns true if the account may carry out an action on a resource type of a patient.
  package func may(_ action: Action, _ resource: String, of patient: PatientID) -> Bool {
    (try? call.authorize(action, resource, of: patient)) != nil
  }

  /// Returns true if the viewer may see the supply, including someone else's.
  package func sees(_ stock: Stock) -> Bool { may(.read, StockCommands.resource, of: stock.owner) }

  /// Returns true if the viewer may change it.
  package func changes(_ stock: Stock) -> Bool {
    may(.update, StockCommands.resource, of: stock.owner)
  }

  /// Returns the supplies that a patient owns or takes from and that the account may see, by name.
  ///
  /// - Parameter days: The number of days that the forecasts look ahead.
  package func all(
    of patient: PatientID, days: Int = StockQueries.horizonDays, in reader: any SQLReader
  ) throws -> [StockSummary] {
    try StockQueries.all(of: patient, in: reader).filter(sees).map {
      try withDispenses(try summary(of: $0, days: days, in: reader), in: reader)
    }
  }

  /// Returns a supply of a patient, or throws not found.
  package func one(_ id: String, of patient: PatientID, in reader: any SQLReader) throws
    -> StockSummary
  {
    guard let stock = try StockQueries.one(StockID(id), of: patient, in: reader), sees(stock) else {
      throw Failure.notFound
    }
    return try withDispenses(try summary(of: stock, in: reader), in: reader)
  }

  /// Adds dispenses for those who may add packs.
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

  /// Returns the supply of a plan, if there is one that may be seen.
  package func one(ofPlan plan: PlanID, patient: PatientID, in reader: any SQLReader) throws
    -> StockSummary?
  {
    guard may(.read, StockCommands.resource, of: patient),
      let stock = try StockQueries.stock(ofPlan: plan, patient: patient, in: reader), sees(stock)
    else { return nil }
    return try summary(of: stock, in: reader)
  }

  /// Returns the supplies to mention on Today, without appearance.
  package func low(of patient: PatientSnapshot) throws -> [StockSummary] {
    guard may(.read, StockCommands.resource, of: patient.patient) else { return [] }
    return try StockQueries.all(of: patient).filter(sees).compactMap { stock in
      func summary(_ days: Int) throws -> StockSummary {
        let zone = try StockQueries.zone(of: stock, in: patient)
        return StockSummary(
          stock: stock, forecast: try StockQueries.forecast(of: stock, days: days, in: patient),
          today: zone.date(at: Instant(milliseconds: call.now.milliseconds)), zone: zone)
      }
      // A short forecast tells whether it is low; most supplies are not.
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
