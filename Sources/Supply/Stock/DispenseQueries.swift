// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// Reads dispenses; the caller has checked the access to the supply.
package enum DispenseQueries {
  /// Returns the open dispenses of a supply's medicines that were handed out since its tracking began.
  package static func offers(for stock: Stock, zones: ZoneCatalog, in reader: any SQLReader)
    throws(PlanError) -> [DispenseOffer]
  {
    try planning {
      let zone = try PeopleQueries.zone(stock.owner, zones: zones, in: reader)
      let begun = zone.date(at: Instant(stock.begun))
      let counted = zone.date(at: Instant(stock.countedAt))
      var offers: [DispenseOffer] = []
      for patient in Set(stock.uses.map(\.patient)).sorted() {
        let uses = stock.uses.filter { $0.patient == patient }
        for found in try DispenseRows.open(of: patient, in: reader) {
          let day = found.dispense.handedOver ?? zone.date(at: Instant(found.dispense.received))
          guard day >= begun, let use = try use(of: found, among: uses, in: reader) else {
            continue
          }
          offers.append(
            DispenseOffer(
              dispense: found.dispense,
              quantity: try quantity(of: found.dispense, use, stock, in: reader),
              // A count on the same day may have been before it.
              isCountedSince: counted >= day))
        }
      }
      return offers
    }
  }

  /// Returns packs of a supply that were never handed out, according to the pharmacy.
  package static func withdrawn(from stock: Stock, in reader: any SQLReader)
    throws(StorageError) -> [Dispense]
  {
    try DispenseRows.withdrawn(from: stock, in: reader)
  }

  /// Returns packs of a supply for which the pharmacy has changed the amount since they were added.
  package static func corrected(in stock: Stock, in reader: any SQLReader)
    throws(StorageError) -> [DispenseCorrection]
  {
    try DispenseRows.corrected(in: stock, in: reader).filter { correction in
      // The same amount in another notation is not a correction.
      guard let before = correction.before, let now = correction.dispense.amount,
        let first = stock.unit.quantity(of: before, of: nil),
        let second = stock.unit.quantity(of: now, of: nil)
      else { return true }
      return first != second
    }
  }

  /// Returns the matching medicine: by its prescription if known here, otherwise by its ingredients.
  private static func use(
    of found: OpenDispense, among uses: [StockUse], in reader: any SQLReader
  ) throws -> StockUse? {
    let patient = found.dispense.patient
    if let plan = try PlanSources.plan(found.names.requestKeys, patient: patient, in: reader) {
      return uses.first { $0.medicine == plan.text }
    }
    let keys = Ingredient.keys(column: found.names.ingredients)
    for use in uses {
      let ingredients: String? = try reader.first(
        "SELECT ingredients FROM plans WHERE patient = $1 AND plan = $2",
        [.text(patient), .text(use.medicine)])?.value()
      let own = ingredients.map { Ingredient.keys(column: $0) } ?? [use.medicine]
      if !own.isDisjoint(with: keys) { return use }
    }
    return nil
  }

  private static func quantity(
    of dispense: Dispense, _ use: StockUse, _ stock: Stock, in reader: any SQLReader
  ) throws -> StockQuantity? {
    guard let amount = dispense.amount else { return nil }
    let limits: String? = try reader.first(
      "SELECT limits FROM plan_limits WHERE patient = $1 AND plan = $2",
      [.text(use.patient), .text(use.medicine)])?.value()
    return stock.unit.quantity(of: amount, of: limits.flatMap { PlanLimits(text: $0) })
  }
}
