// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage
import TimeZones

/// Accepts dispenses that other systems report, each once.
package struct DispenseCommands: DispenseReceiver {
  static let type = "MedicationDispense"

  /// Creates the commands; they have no state of their own.
  package init() {}

  /// Stores a dispense as a record, or updates the record that it is another version of.
  ///
  /// - Parameter record: the record that the dispense is another version of; nil to find it by its keys,
  ///   digest and medicine.
  package func take(
    _ dispense: ImportDispense, patient: PatientID, as record: DispenseID? = nil,
    context: CommandContext, in writer: any SQLWriter
  ) throws(DispenseError) -> DispenseOutcome {
    let read = try Self.resource(of: dispense, patient)
    return try Self.taking {
      var resource = read
      let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
      let content = DispenseContent(resource, zone: zone)
      if let plan = try PlanSources.plan(dispense.requestKeys, patient: patient, in: writer) {
        resource["authorizingPrescription"] = [
          ["reference": .string("MedicationRequest/\(plan)")]
        ]
      }
      let all = try DispenseRows.known(dispense.keys.first, patient: patient, in: writer)
      guard let known = Self.same(dispense, content, as: record, among: all, zone: zone) else {
        let right = try Self.authorization(.create, patient, context)
        guard resource["status"]?.string != "entered-in-error" else { return .ignored }
        let id: DispenseID = context.newID()
        _ = try RecordStore().create(
          resource, type: Self.type, id: id.text, authorization: right, at: context.now, in: writer)
        try DispenseStore.insert(
          content, of: dispense, id: id, patient: patient, turn: (all.last?.turn ?? 0) + 1,
          handedOver: content.handedOver(received: zone.date(at: Instant(context.now))),
          at: context.now, in: writer)
        return content.state == .open ? .offered : .kept
      }
      let right = try Self.authorization(.update, patient, context)
      // A person who deleted a record here does not want it back from its source.
      guard known.digest != dispense.digest,
        try DispenseRows.hasRecord(known.id, patient: patient, in: writer)
      else { return .unchanged }
      _ = try RecordStore().update(
        resource, type: Self.type, id: known.id.text, ifVersion: nil, authorization: right,
        at: context.now,
        in: writer)
      try DispenseStore.update(
        content, of: dispense, id: known.id, patient: patient,
        handedOver: content.handedOver(received: zone.date(at: Instant(known.received))),
        in: writer)
      return .changed
    }
  }

  /// Returns the stored record that a dispense is another version of; nil if it is new.
  ///
  /// - Parameter record: the record to which the caller attributes it; the result is nil if that record never
  ///   had the key of the dispense.
  package func record(
    _ dispense: ImportDispense, patient: PatientID, as record: DispenseID? = nil,
    context: CommandContext, in reader: any SQLReader
  ) throws(DispenseError) -> DispenseID? {
    let resource = try Self.resource(of: dispense, patient)
    return try Self.taking {
      let zone = try PeopleQueries.zone(patient, zones: context.zones, in: reader)
      return Self.same(
        dispense, DispenseContent(resource, zone: zone), as: record,
        among: try DispenseRows.known(dispense.keys.first, patient: patient, in: reader),
        zone: zone)?.id
    }
  }

  private static func resource(
    of dispense: ImportDispense, _ patient: PatientID
  ) throws(DispenseError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try dispense.resource(of: patient)
    } catch {
      throw .unreadable(error)
    }
  }

  /// Runs the steps of a command and converts any failure to the command's own error.
  private static func taking<Value>(_ steps: () throws -> Value) throws(DispenseError) -> Value {
    do throws(PlanError) {
      return try planning(steps)
    } catch {
      throw .plan(error)
    }
  }

  /// Returns the earlier dispense with its key that it is a version of; nil if it is a different one.
  private static func same(
    _ dispense: ImportDispense, _ content: DispenseContent, as record: DispenseID?,
    among all: [KnownDispense], zone: Zone
  ) -> KnownDispense? {
    if let record { return all.first { $0.id == record } }
    if let unchanged = all.last(where: { $0.digest == dispense.digest }) { return unchanged }
    // An id without a system may belong to another one, so the medicine must match too.
    let ingredients = Set(content.ingredients)
    let known =
      dispense.keys.isWeak
      ? all.filter { !Ingredient.keys(column: $0.ingredients).isDisjoint(with: ingredients) } : all
    func day(_ known: KnownDispense) -> CivilDate? {
      content.handedOver(received: zone.date(at: Instant(known.received)))
    }
    if let found = known.last(where: { $0.handedOver == day($0) })
      ?? known.last(where: { !$0.isDecided })
    {
      return found
    }
    // All earlier ones are decided and from other days: it is new, unless it only withdraws or has no day.
    if content.state == .gone { return known.last }
    return known.last { $0.handedOver == nil || day($0) == nil }
  }

  static func authorization(
    _ action: Action, _ patient: PatientID, _ context: CommandContext
  ) throws(PlanError) -> Authorization {
    let decision = decide(
      actor: context.actor, action: action, patient: patient, resource: type,
      purpose: context.purpose)
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason):
      throw reason.concealsExistence ? .notFound : .notAuthorized
    }
  }
}

extension StockCommands {
  /// Adds a dispense as a pack, once, and returns the command for undoing it.
  ///
  /// - Parameter seen: the version of the offer that was shown; nothing is added if it has changed.
  @discardableResult
  package func accept(
    _ dispense: DispenseID, of patient: PatientID, seen: String, as pack: StockPack, to id: StockID,
    in writer: any SQLWriter
  ) throws(StockError) -> String {
    try stocking {
      let (stock, offer) = try offered(dispense, of: patient, to: id, in: writer)
      guard offer.version == seen else { throw StockError.invalid([.dispense]) }
      let today = try today(in: writer)
      try check(pack, stock.form, stock.openDays, today: today)
      guard stock.lots.count < Self.mostLots else { throw StockError.tooMany }
      // The ledger has precedence over the row: it knows what was booked.
      let booked = try writer.first(
        """
        SELECT 1 FROM stock_entries e
        JOIN stock_lots l ON l.patient = e.owner AND l.stock = e.stock AND l.lot = e.lot
        WHERE e.owner = $1 AND e.stock = $2 AND e.dispense = $3 AND l.is_void = 0
        """, [.text(owner), .text(id), .text(dispense)])
      guard booked == nil else { throw StockError.notFound }
      let number = (stock.lots.map(\.number).max() ?? 0) + 1
      var pack = pack
      pack.isPrescribed = true
      let act = try add(pack, .added, to: id, number: number, dispense: dispense, in: writer)
      guard
        try DispenseStore.decide(
          dispense, of: patient, .added, stock: (owner, id), act: act, context: context, in: writer)
      else { throw StockError.notFound }
      try settle(id, today: today, in: writer)
      try touch(stock, in: writer)
      return act
    }
  }

  /// Records that a dispense should not be counted; it is not offered again.
  package func decline(
    _ dispense: DispenseID, of patient: PatientID, from id: StockID, in writer: any SQLWriter
  ) throws(StockError) {
    try stocking {
      let stock = try offered(dispense, of: patient, to: id, in: writer).stock
      guard
        try DispenseStore.decide(
          dispense, of: patient, .declined, stock: nil, act: nil, context: context, in: writer)
      else { throw StockError.notFound }
      audit(.update, stock.id, in: writer)
    }
  }

  private func offered(
    _ dispense: DispenseID, of patient: PatientID, to id: StockID, in writer: any SQLWriter
  ) throws -> (stock: Stock, offer: DispenseOffer) {
    let stock = try open(id, in: writer)
    guard acts(for: patient),
      let offer = try DispenseQueries.offers(for: stock, zones: context.zones, in: writer)
        .first(where: { $0.dispense.id == dispense && $0.dispense.patient == patient })
    else { throw StockError.notFound }
    return (stock, offer)
  }
}
