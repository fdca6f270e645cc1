// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Scheduling
import Storage

/// Changes supplies by hand; access is checked here, for the owner of the supply.
package struct StockCommands: Sendable {
  /// The FHIR resource type under which access to supplies is decided and logged.
  package static let resource = "MedicationDispense"
  /// The maximum number of supplies that a patient can track at once.
  package static let most = 300
  /// The maximum number of packs in a supply, including empty and voided ones.
  package static let mostLots = 2_000

  /// The patient to whom the supplies belong.
  package let owner: PatientID
  /// The account that acts, with the time and the source of new identifiers.
  package let context: CommandContext

  /// Creates the commands for the supplies of one patient.
  package init(owner: PatientID, context: CommandContext) {
    self.owner = owner
    self.context = context
  }

  /// Starts to track a medicine, with the first pack as the first count.
  ///
  /// - Returns: The identifier of the new supply.
  /// - Throws: `tooMany` at ``most`` supplies; `invalid` for typed values that cannot be right, for an
  ///   expired pack that was not confirmed, and for a medicine that another supply already counts.
  package func create(
    _ draft: StockDraft, pack: StockPack, uses: [StockUse], in writer: any SQLWriter
  ) throws(StockError) -> StockID {
    try stocking {
      try authorize(.create)
      let today = try today(in: writer)
      try check(pack, draft.form, draft.openDays, today: today, besides: draft.issues)
      let count: Int? = try writer.first(
        "SELECT COUNT(*) FROM stocks WHERE patient = $1 AND ended IS NULL", [.text(owner)])?
        .value()
      guard count ?? 0 < Self.most else { throw StockError.tooMany }
      let id: StockID = context.newID()
      try StockStore.insert(draft, id: id, owner: owner, at: context.now, in: writer)
      for use in uses { try link(use, to: id, in: writer) }
      try add(pack, .counted, to: id, number: 1, in: writer)
      if let size = draft.packSize {
        try StockStore.setPackSize(size, of: id, owner: owner, in: writer)
      }
      audit(.create, id, in: writer)
      return id
    }
  }

  /// Adds a pack and returns the command for ``undo(_:of:in:)``.
  @discardableResult
  package func add(_ pack: StockPack, to id: StockID, in writer: any SQLWriter)
    throws(StockError) -> String
  {
    try stocking {
      let stock = try open(id, in: writer)
      let today = try today(in: writer)
      try check(pack, stock.form, stock.openDays, today: today)
      guard stock.lots.count < Self.mostLots else { throw StockError.tooMany }
      let number = (stock.lots.map(\.number).max() ?? 0) + 1
      let act = try add(pack, .added, to: id, number: number, in: writer)
      try settle(id, today: today, in: writer)
      try touch(stock, in: writer)
      return act
    }
  }

  /// Records the actual amounts in packs; from now on they replace everything booked before.
  ///
  /// Packs that are not named keep their amounts, and an amount that belongs to no pack becomes zero.
  package func count(_ amounts: [LotID: StockQuantity], of id: StockID, in writer: any SQLWriter)
    throws(StockError)
  {
    try stocking {
      let stock = try open(id, in: writer)
      let lots = stock.lots.filter { !$0.isVoid }
      guard !amounts.isEmpty, Set(amounts.keys).isSubset(of: lots.map(\.id)) else {
        throw StockError.invalid([.lot])
      }
      guard amounts.values.allSatisfy({ $0 >= .zero }) else { throw StockError.invalid([.amount]) }
      // Packs that are not named keep their amounts.
      var changes = lots.compactMap { lot in
        amounts[lot.id].map { StockChange(lot: lot.id, amount: $0 - lot.left) }
      }
      changes.append(StockChange(lot: StockChange.loose, amount: -stock.loose))
      try ledger(id, writer).add(.counted, changes, act: context.newIdentifier())
      try StockStore.setCounted(
        id, owner: owner, number: try StockLedger.last(of: id, owner: owner, in: writer),
        at: context.now, in: writer)
      audit(.update, id, in: writer)
    }
  }

  /// Records an amount as lost, thrown away or given back, and returns the command for undoing it.
  ///
  /// - Throws: `invalid` for another kind, an unknown pack, or more than is in it.
  @discardableResult
  package func remove(
    _ amount: StockQuantity, _ kind: StockEntry.Kind, from lot: LotID, of id: StockID,
    in writer: any SQLWriter
  ) throws(StockError) -> String {
    try stocking {
      let stock = try open(id, in: writer)
      guard [.lost, .thrownAway, .givenBack].contains(kind),
        let pack = stock.lots.first(where: { $0.id == lot && !$0.isVoid })
      else { throw StockError.invalid([.lot]) }
      guard amount > .zero, amount <= pack.left else { throw StockError.invalid([.amount]) }
      let act = context.newIdentifier()
      try ledger(id, writer).add(kind, [StockChange(lot: lot, amount: -amount)], act: act)
      try touch(stock, in: writer)
      return act
    }
  }

  /// Undoes adding a pack, or a loss.
  ///
  /// - Throws: `cannotUndo` if the supply was counted since, or if it was already undone.
  package func undo(_ act: String, of id: StockID, in writer: any SQLWriter) throws(StockError) {
    try stocking {
      let stock = try open(id, in: writer)
      let entries = try StockLedger.entries(ofAct: act, stock: id, owner: owner, in: writer)
      guard !entries.isEmpty else { throw StockError.notFound }
      var changes: [StockChange] = []
      for entry in entries {
        guard [.added, .lost, .thrownAway, .givenBack].contains(entry.kind),
          entry.number > stock.countedNumber
        else { throw StockError.cannotUndo }
        changes.append(StockChange(lot: entry.lot, amount: -entry.amount))
        if let dispense = entry.dispense {
          try DispenseStore.reopen(dispense, act: act, at: context.now, in: writer)
        }
        if entry.kind == .added {
          try StockStore.void(entry.lot, of: id, owner: owner, in: writer)
        }
      }
      try ledger(id, writer).add(.undone, changes, act: act)
      try settle(id, today: try today(in: writer), in: writer)
      try touch(stock, in: writer)
    }
  }

  /// Marks an expired pack as usable, because the person confirmed that they use it anyway.
  package func keep(_ lot: LotID, of id: StockID, in writer: any SQLWriter) throws(StockError) {
    try stocking {
      let stock = try open(id, in: writer)
      let today = try today(in: writer)
      guard let pack = stock.lots.first(where: { $0.id == lot }), pack.isExpired(on: today) else {
        throw StockError.invalid([.lot])
      }
      guard !pack.isKept else { return }
      try StockStore.keep(lot, of: id, owner: owner, in: writer)
      try ledger(id, writer).add(
        .kept, [StockChange(lot: lot, amount: .zero)], act: context.newIdentifier())
      try settle(id, today: today, in: writer)
      try touch(stock, in: writer)
    }
  }

  /// Sets the expiry date and the opening date of a pack; another date also ends an earlier confirmation to
  /// use it although expired.
  package func change(
    _ lot: LotID, expires: CivilDate?, opened: CivilDate?, of id: StockID, in writer: any SQLWriter
  ) throws(StockError) {
    try stocking {
      let stock = try open(id, in: writer)
      guard let pack = stock.lots.first(where: { $0.id == lot }) else {
        throw StockError.invalid([.lot])
      }
      let issues = StockPack(amount: pack.size, expires: expires, opened: opened)
        .issues(today: try today(in: writer))
      guard issues.isEmpty else { throw StockError.invalid(issues) }
      // An earlier confirmation was for another day.
      let isSame = pack.expires == expires && pack.opened == opened
      try StockStore.setDays(
        of: lot, expires: expires, opened: opened, isKept: isSame && pack.isKept, in: id,
        owner: owner, in: writer)
      try touch(stock, in: writer)
    }
  }

  /// Changes the details of a supply; its unit stays, since the ledger is kept in it.
  package func change(_ draft: StockDraft, of id: StockID, in writer: any SQLWriter)
    throws(StockError)
  {
    try stocking {
      let stock = try open(id, in: writer)
      var draft = draft
      draft.unit = StockUnit(
        unit: stock.unit.unit, code: stock.unit.code, strength: draft.unit.strength)
      guard draft.issues.isEmpty else { throw StockError.invalid(draft.issues) }
      var number = try StockLedger.last(of: id, owner: owner, in: writer)
      var kept = draft
      if draft.repeats == stock.repeats {
        // Unchanged: the first statement stays, minus the packs since.
        let said: StatedRepeats? = try writer.first(
          Self.repeatsStatement, [.text(owner), .text(id)])?.decode()
        number = said?.number ?? number
        kept.repeats = said?.repeats
      }
      try StockStore.update(kept, of: stock, repeatsFrom: number, at: context.now, in: writer)
      if let size = draft.packSize {
        try StockStore.setPackSize(size, of: id, owner: owner, in: writer)
      }
      audit(.update, id, in: writer)
    }
  }

  private static let repeatsStatement = SQLStatement(
    "SELECT \(StatedRepeats.columns) FROM stocks WHERE patient = $1 AND stock = $2")

  /// Sets the medicines that are taken from a supply.
  ///
  /// Uses of patients for whom the account does not act stay as they are.
  package func share(_ id: StockID, uses: [StockUse], in writer: any SQLWriter) throws(StockError) {
    try stocking {
      let stock = try open(id, in: writer)
      // Uses of patients for whom the account does not act stay as they are.
      let mine = stock.uses.filter { acts(for: $0.patient) }
      func key(_ use: StockUse) -> StockUse {
        StockUse(patient: use.patient, medicine: use.medicine)
      }
      let wanted = Set(uses.map(key))
      for use in mine where !wanted.contains(key(use)) {
        try StockStore.unlink(use, from: id, owner: owner, in: writer)
      }
      for use in wanted.subtracting(mine.map(key)).sorted(by: {
        ($0.patient, $0.medicine) < ($1.patient, $1.medicine)
      }) {
        try link(use, to: id, in: writer)
      }
      try touch(stock, in: writer)
    }
  }

  /// Stops tracking a supply; its ledger stays.
  package func end(_ id: StockID, in writer: any SQLWriter) throws(StockError) {
    try stocking {
      _ = try open(id, in: writer)
      try StockStore.end(id, owner: owner, at: context.now, in: writer)
      audit(.delete, id, in: writer)
    }
  }
}

/// The repeats of a supply as last stated, with the ledger's number at that time.
struct StatedRepeats: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case repeats, repeatsNumber
  }

  static let columns = SQLColumns<Column>()

  let repeats: Int?
  let number: Int64

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    repeats = try row.optionalInteger(.repeats).map { Int(clamping: $0) }
    number = try row.integer(.repeatsNumber)
  }
}
