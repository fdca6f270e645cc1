// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage

/// Changes of stocks by hand; access is decided here, for the patient to whom the stock belongs.
package struct StockCommands: Sendable {
  /// What stands for a stock where access is decided and looks are noted.
  package static let resource = "MedicationDispense"
  package static let most = 300
  package static let mostLots = 2_000

  package let owner: PatientID
  package let context: CommandContext

  package init(owner: PatientID, context: CommandContext) {
    self.owner = owner
    self.context = context
  }

  /// Begins to count a medicine from the pack that is there.
  package func create(
    _ draft: StockDraft, pack: StockPack, uses: [StockUse], in writer: any SQLWriter
  ) throws(StockError) -> StockID {
    try stocking {
      try authorize(.create)
      let today = try today(in: writer)
      try check(pack, draft.form, draft.openDays, today: today, besides: draft.issues)
      let count = try writer.first(
        "SELECT COUNT(*) FROM stocks WHERE patient = $1 AND ended IS NULL", [.text(owner)])
      guard try count?.integer(0) ?? 0 < Int64(Self.most) else { throw StockError.tooMany }
      let id: StockID = context.newID()
      try StockRows.insert(draft, id: id, owner: owner, at: context.now, in: writer)
      for use in uses { try link(use, to: id, in: writer) }
      try add(pack, .counted, to: id, number: 1, in: writer)
      if let size = draft.packSize { try setPackSize(size, of: id, in: writer) }
      audit(.create, id, in: writer)
      return id
    }
  }

  /// Adds a pack; gives what takes it back.
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

  /// What is really in the packs: from now on this holds, and what was taken before is in it.
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
      // A pack that nobody names is as it was.
      var changes = lots.compactMap { lot in
        amounts[lot.id].map { StockChange(lot: lot.id, amount: $0 - lot.left) }
      }
      changes.append(StockChange(lot: StockChange.loose, amount: -stock.loose))
      try ledger(id, writer).add(.counted, changes, act: context.newIdentifier())
      try writer.execute(
        """
        UPDATE stocks SET counted_at = $1, counted_number = $2, next_check = $1, changed = $1
        WHERE patient = $3 AND stock = $4
        """,
        [
          SQLValue(context.now), .integer(try StockLedger.last(of: id, owner: owner, in: writer)),
          .text(owner), .text(id),
        ])
      audit(.update, id, in: writer)
    }
  }

  /// Lost, thrown away or given back; gives what takes it back.
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

  /// Takes back a pack that was added, or a loss, where nothing was counted since.
  package func undo(_ act: String, of id: StockID, in writer: any SQLWriter) throws(StockError) {
    try stocking {
      let stock = try open(id, in: writer)
      let rows = try writer.query(
        """
        SELECT kind, lot, amount, number, dispense FROM stock_entries
        WHERE owner = $1 AND stock = $2 AND act = $3 ORDER BY number
        """, [.text(owner), .text(id), .text(act)])
      guard !rows.isEmpty else { throw StockError.notFound }
      var changes: [StockChange] = []
      for row in rows {
        let kind: StockEntry.Kind = try row.named(0)
        guard [.added, .lost, .thrownAway, .givenBack].contains(kind),
          try row.integer(3) > stock.countedNumber
        else { throw StockError.cannotUndo }
        let lot: LotID = try row.id(1)
        changes.append(
          StockChange(lot: lot, amount: -StockQuantity(millionths: try row.integer(2))))
        if let dispense: DispenseID = try row.optionalID(4) {
          try DispenseRows.reopen(dispense, act: act, at: context.now, in: writer)
        }
        if kind == .added {
          try writer.execute(
            "UPDATE stock_lots SET is_void = 1 WHERE patient = $1 AND stock = $2 AND lot = $3",
            [.text(owner), .text(id), .text(lot)])
        }
      }
      try ledger(id, writer).add(.undone, changes, act: act)
      try settle(id, today: try today(in: writer), in: writer)
      try touch(stock, in: writer)
    }
  }

  /// A pack past its day is used all the same: somebody was asked, and said so.
  package func keep(_ lot: LotID, of id: StockID, in writer: any SQLWriter) throws(StockError) {
    try stocking {
      let stock = try open(id, in: writer)
      let today = try today(in: writer)
      guard let pack = stock.lots.first(where: { $0.id == lot }), pack.isExpired(on: today) else {
        throw StockError.invalid([.lot])
      }
      guard !pack.isKept else { return }
      try writer.execute(
        "UPDATE stock_lots SET is_kept = 1 WHERE patient = $1 AND stock = $2 AND lot = $3",
        [.text(owner), .text(id), .text(lot)])
      try ledger(id, writer).add(
        .kept, [StockChange(lot: lot, amount: .zero)], act: context.newIdentifier())
      try settle(id, today: today, in: writer)
      try touch(stock, in: writer)
    }
  }

  /// Sets the days of a pack: the printed one, and when it was opened.
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
      // What was asked was asked of another day.
      let isSame = pack.expires == expires && pack.opened == opened
      try writer.execute(
        """
        UPDATE stock_lots SET expires = $1, opened = $2, is_kept = $3
        WHERE patient = $4 AND stock = $5 AND lot = $6
        """,
        [
          SQLValue(expires?.text), SQLValue(opened?.text), SQLValue(isSame && pack.isKept),
          .text(owner), .text(id), .text(lot),
        ])
      try touch(stock, in: writer)
    }
  }

  /// Changes what is said of a stock; its unit stays, since everything is counted in it.
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
        // Unchanged: what was said first holds, less the packs since.
        let row = try writer.first(
          "SELECT repeats, repeats_number FROM stocks WHERE patient = $1 AND stock = $2",
          [.text(owner), .text(id)])
        number = try row?.integer(1) ?? number
        kept.repeats = try row?.optionalInteger(0).map { Int(clamping: $0) }
      }
      try StockRows.update(kept, of: stock, repeatsFrom: number, at: context.now, in: writer)
      if let size = draft.packSize { try setPackSize(size, of: id, in: writer) }
      audit(.update, id, in: writer)
    }
  }

  /// Says who takes from a stock, among patients for whom the same account acts.
  package func share(_ id: StockID, uses: [StockUse], in writer: any SQLWriter) throws(StockError) {
    try stocking {
      let stock = try open(id, in: writer)
      // Those of patients for whom the account does not act stay as they are.
      let mine = stock.uses.filter { acts(for: $0.patient) }
      func key(_ use: StockUse) -> StockUse {
        StockUse(patient: use.patient, medicine: use.medicine)
      }
      let wanted = Set(uses.map(key))
      for use in mine where !wanted.contains(key(use)) {
        try writer.execute(
          "DELETE FROM stock_uses WHERE patient = $1 AND medicine = $2 AND owner = $3 AND stock = $4",
          [.text(use.patient), .text(use.medicine), .text(owner), .text(id)])
      }
      for use in wanted.subtracting(mine.map(key)).sorted(by: {
        ($0.patient, $0.medicine) < ($1.patient, $1.medicine)
      }) {
        try link(use, to: id, in: writer)
      }
      try touch(stock, in: writer)
    }
  }

  /// Counts a stock no longer; its ledger stays.
  package func end(_ id: StockID, in writer: any SQLWriter) throws(StockError) {
    try stocking {
      _ = try open(id, in: writer)
      try writer.execute(
        "UPDATE stocks SET ended = $1, changed = $1 WHERE patient = $2 AND stock = $3",
        [SQLValue(context.now), .text(owner), .text(id)])
      try writer.execute(
        "DELETE FROM stock_uses WHERE owner = $1 AND stock = $2", [.text(owner), .text(id)])
      audit(.delete, id, in: writer)
    }
  }
}
