// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Scheduling
import Storage

/// Steps shared by the commands of supplies.
extension StockCommands {
  func open(_ id: StockID, in writer: any SQLWriter) throws -> Stock {
    try authorize(.update)
    guard let stock = try StockRows.one(id, owner: owner, in: writer) else {
      throw StockError.notFound
    }
    return stock
  }

  func authorize(_ action: Action) throws(StockError) {
    guard
      case .allow = decide(
        actor: context.actor, action: action, patient: owner, resource: Self.resource,
        purpose: context.purpose)
    else { throw .notAuthorized }
  }

  func acts(for patient: PatientID) -> Bool {
    if case .allow = decide(
      actor: context.actor, action: .update, patient: patient, resource: Self.resource,
      purpose: context.purpose)
    {
      true
    } else {
      false
    }
  }

  func link(_ use: StockUse, to id: StockID, in writer: any SQLWriter) throws {
    guard acts(for: use.patient) else { throw StockError.notFound }
    if !use.medicine.hasPrefix(Ingredient.key(name: "")) {
      let plan = try writer.first(
        "SELECT 1 FROM plans WHERE patient = $1 AND plan = $2",
        [.text(use.patient), .text(use.medicine)])
      guard plan != nil else { throw StockError.notFound }
    }
    guard try !StockRows.isUsed(use, in: writer) else { throw StockError.invalid([.medicine]) }
    try StockStore.link(use, to: id, owner: owner, at: context.now, in: writer)
  }

  func check(
    _ pack: StockPack, _ form: StockForm, _ openDays: Int?, today: CivilDate,
    besides issues: [StockIssue] = []
  ) throws(StockError) {
    let issues = issues + pack.issues(today: today)
    guard issues.isEmpty else { throw .invalid(issues) }
    let lot = StockLot(
      id: StockChange.loose, number: 0, size: pack.amount, expires: pack.expires,
      opened: pack.opened, form: form,
      openDays: openDays, left: pack.amount)
    if lot.isExpired(on: today), !pack.isConfirmed { throw .invalid([.expired]) }
  }

  @discardableResult
  func add(
    _ pack: StockPack, _ kind: StockEntry.Kind, to id: StockID, number: Int64,
    dispense: DispenseID? = nil, in writer: any SQLWriter
  ) throws(StorageError) -> String {
    let (lot, act): (LotID, String) = (context.newID(), context.newIdentifier())
    try StockStore.insert(
      StockLot(
        id: lot, number: number, size: pack.amount, expires: pack.expires, opened: pack.opened,
        label: pack.label, isKept: pack.isConfirmed, isPrescribed: pack.isPrescribed,
        left: pack.amount),
      of: id, owner: owner, at: context.now, in: writer)
    // The initial count can be the rest of a pack, so it does not set the pack size.
    if kind == .added {
      try StockStore.setPackSize(pack.amount, of: id, owner: owner, in: writer)
    }
    let ledger = ledger(id, writer)
    try ledger.add(
      kind, [StockChange(lot: lot, amount: pack.amount)], act: act, dispense: dispense)
    if pack.isConfirmed {
      try ledger.add(
        .kept, [StockChange(lot: lot, amount: .zero)], act: context.newIdentifier())
    }
    return act
  }

  func settle(_ id: StockID, today: CivilDate, in writer: any SQLWriter) throws {
    guard let stock = try StockRows.one(id, owner: owner, in: writer) else { return }
    try ledger(id, writer).add(
      .moved, StockDrawing.settle(stock.lots, loose: stock.loose, on: today))
  }

  func touch(_ stock: Stock, in writer: any SQLWriter) throws(StorageError) {
    try StockStore.touch(stock, at: context.now, in: writer)
    audit(.update, stock.id, in: writer)
  }

  func ledger(_ id: StockID, _ writer: any SQLWriter) -> StockLedger {
    StockLedger(owner: owner, stock: id, patient: owner, context: context, writer: writer)
  }

  func today(in reader: any SQLReader) throws -> CivilDate {
    let zone = try PeopleQueries.zone(owner, zones: context.zones, in: reader)
    return zone.date(at: Instant(context.now))
  }

  func audit(_ kind: AuditEntry.Kind, _ id: StockID, in writer: any SQLWriter) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: owner,
        resource: Self.resource, resourceID: id.text, version: nil,
        purpose: context.purpose.rawValue,
        outcome: .success))
  }
}
