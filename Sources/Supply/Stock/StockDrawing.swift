// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling

/// A change to the amount in a pack.
struct StockChange: Sendable, Hashable {
  /// The identifier for an amount in no pack.
  static let loose = LotID("")

  let lot: LotID
  let amount: StockQuantity
}

/// Chooses the packs for an amount.
enum StockDrawing {
  /// Returns the packs in order of use: the earliest last day first, then the oldest.
  static func order(_ lots: [StockLot]) -> [StockLot] {
    lots.sorted { left, right in
      switch (left.lastDay, right.lastDay) {
      case (let one?, let other?) where one != other: one < other
      case (.some, nil): true
      case (nil, .some): false
      default: (left.number, left.id) < (right.number, right.id)
      }
    }
  }

  /// Takes an amount from the packs that may be used on a day; any remainder belongs to no pack.
  static func draw(_ amount: StockQuantity, from lots: [StockLot], on date: CivilDate)
    -> [StockChange]
  {
    var rest = amount
    var changes: [StockChange] = []
    for lot in order(lots) where rest > .zero && lot.left > .zero && lot.isUsable(on: date) {
      let part = min(rest, lot.left)
      changes.append(StockChange(lot: lot.id, amount: -part))
      rest = rest - part
    }
    if rest > .zero { changes.append(StockChange(lot: StockChange.loose, amount: -rest)) }
    return changes
  }

  /// Moves the amount of no pack, and the content of packs added by mistake, to other packs.
  ///
  /// A deficit is taken from the usable packs, and a surplus goes to the first of them.
  static func settle(_ lots: [StockLot], loose: StockQuantity, on date: CivilDate) -> [StockChange]
  {
    var changes: [StockChange] = []
    var sum = loose
    for lot in order(lots) where lot.left != .zero && (lot.isVoid || lot.left < .zero) {
      changes.append(StockChange(lot: lot.id, amount: -lot.left))
      sum += lot.left
    }
    let usable = lots.filter { !$0.isVoid && $0.left >= .zero }
    var stays = sum
    if sum < .zero {
      for change in draw(-sum, from: usable, on: date) where change.lot != StockChange.loose {
        changes.append(change)
        stays = stays - change.amount
      }
    } else if sum > .zero {
      let candidates = order(usable)
      let first =
        candidates.first { $0.left > .zero && $0.isUsable(on: date) }
        ?? candidates.last { $0.isUsable(on: date) } ?? candidates.last
      if let first {
        changes.append(StockChange(lot: first.id, amount: sum))
        stays = .zero
      }
    }
    if stays != loose {
      changes.append(StockChange(lot: StockChange.loose, amount: stays - loose))
    }
    return changes
  }
}
