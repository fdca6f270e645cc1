// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Records
import Scheduling
import Storage
import TimeZones

/// Takes in what other systems tell of packs that were handed out, each once.
package enum DispenseCommands {
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// It may be a pack; a person decides.
    case offered
    /// It is kept, and nothing is offered yet.
    case kept
    case unchanged
    /// What was known of it follows its source.
    case changed
    /// Nothing is kept of what was entered in error.
    case ignored
  }

  static let type = "MedicationDispense"

  package static func take(
    _ dispense: ImportDispense, patient: String, context: CommandContext, in writer: any SQLWriter
  ) throws(ImportError) -> Outcome {
    try ProposalCommands.importing {
      var resource: JSONValue
      do throws(ImportProblemReason) {
        resource = try dispense.resource(of: patient)
      } catch {
        throw ImportError.problem(error)
      }
      let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
      let content = DispenseContent(resource, zone: zone)
      if let plan = try PlanSources.plan(dispense.requestKeys, patient: patient, in: writer) {
        resource["authorizingPrescription"] = [
          ["reference": .string("MedicationRequest/\(plan)")]
        ]
      }
      guard let known = try DispenseRows.known(dispense.keys.first, patient: patient, in: writer)
      else {
        let right = try authorization(.create, patient, context)
        guard resource["status"]?.string != "entered-in-error" else { return .ignored }
        let id = context.newIdentifier()
        _ = try RecordStore().create(
          resource, type: type, id: id, authorization: right, at: context.now, in: writer)
        try DispenseRows.insert(
          content, of: dispense, id: id, patient: patient, at: context.now, in: writer)
        return content.state == .open ? .offered : .kept
      }
      let right = try authorization(.update, patient, context)
      guard known.digest != dispense.digest else { return .unchanged }
      _ = try RecordStore().update(
        resource, type: type, id: known.id, ifVersion: nil, authorization: right, at: context.now,
        in: writer)
      try DispenseRows.update(
        content, of: dispense, id: known.id, patient: patient, in: writer)
      return .changed
    }
  }

  /// The record of a dispense by the name that its source gives it.
  package static func record(_ dispense: ImportDispense, patient: String, in reader: any SQLReader)
    throws(StorageError) -> String?
  {
    try DispenseRows.known(dispense.keys.first, patient: patient, in: reader)?.id
  }

  private static func authorization(
    _ action: Action, _ patient: String, _ context: CommandContext
  ) throws(ImportError) -> Authorization {
    let decision = decide(
      actor: context.actor, action: action, patient: patient, resource: type,
      purpose: context.purpose)
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason):
      throw reason.concealsExistence ? .notFound : .plan(.notAuthorized)
    }
  }
}

extension StockCommands {
  /// Adds what was handed out as a pack, once; gives what takes it back.
  @discardableResult
  package func accept(
    _ dispense: String, of patient: String, as pack: StockPack, to id: String,
    in writer: any SQLWriter
  ) throws(StockError) -> String {
    try stocking {
      let stock = try offered(dispense, of: patient, to: id, in: writer)
      let today = try today(in: writer)
      try check(pack, stock.form, stock.openDays, today: today)
      guard stock.lots.count < Self.mostLots else { throw StockError.tooMany }
      // Whatever its row says: the ledger knows what was booked.
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
        try DispenseRows.decide(
          dispense, of: patient, .added, stock: (owner, id), act: act, context: context, in: writer)
      else { throw StockError.notFound }
      try settle(id, today: today, in: writer)
      try touch(stock, in: writer)
      return act
    }
  }

  /// Says that what was handed out is not to be counted; it is not offered again.
  package func decline(
    _ dispense: String, of patient: String, from id: String, in writer: any SQLWriter
  ) throws(StockError) {
    try stocking {
      let stock = try offered(dispense, of: patient, to: id, in: writer)
      guard
        try DispenseRows.decide(
          dispense, of: patient, .declined, stock: nil, act: nil, context: context, in: writer)
      else { throw StockError.notFound }
      audit(.update, stock.id, in: writer)
    }
  }

  private func offered(
    _ dispense: String, of patient: String, to id: String, in writer: any SQLWriter
  )
    throws -> Stock
  {
    let stock = try open(id, in: writer)
    guard acts(for: patient),
      try DispenseQueries.offers(for: stock, zones: context.zones, in: writer)
        .contains(where: { $0.dispense.id == dispense && $0.dispense.patient == patient })
    else { throw StockError.notFound }
    return stock
  }
}
