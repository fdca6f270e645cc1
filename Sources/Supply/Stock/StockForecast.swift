// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The forecast of a supply: the future doses, taken from its packs one after another.
package struct StockForecast: Sendable, Hashable {
  /// The result of the forecast.
  package enum End: Sendable, Hashable {
    /// The time of the first dose for which too little is left.
    case runsOut(Timestamp)
    /// It lasts longer than the forecast looks ahead.
    case beyond
    /// It is enough for all planned doses.
    case enough
    /// No doses are planned, and none were taken recently.
    case unused
  }

  /// The result of the forecast.
  package let end: End
  /// The time of the last dose that is fully covered; nil if there is none.
  package let lastsUntil: Timestamp?
  /// True if it ends because the remaining packs will have expired, rather than because nothing is left.
  package let endsByExpiry: Bool
  /// True if a medicine in it is taken as needed and estimated from recent intakes.
  package let isEstimate: Bool
  /// True if some future doses cannot be converted to the unit of the supply, so that it runs out earlier.
  package let isUncertain: Bool

  /// The time of the first dose for which too little is left; nil if it does not run out within the
  /// forecast.
  package var runsOut: Timestamp? {
    if case .runsOut(let at) = end { at } else { nil }
  }
}

/// An amount to be taken at a time.
struct StockDemand: Sendable, Hashable {
  let at: Timestamp
  let amount: StockQuantity
}

/// Packs that doses use up in order of time.
struct StockSimulation: Sendable {
  private var lots: [StockLot]
  private(set) var runsOut: Timestamp?
  private(set) var lastsUntil: Timestamp?
  private(set) var endsByExpiry = false
  /// Packs that have already expired at the start; they are not counted, so the stock never ends
  /// because of them.
  private let expiredBefore: Set<LotID>
  private let zone: Zone

  init(lots: [StockLot], loose: StockQuantity, now: Timestamp, zone: Zone) {
    self.lots = StockDrawing.order(lots.filter { !$0.isVoid && $0.left > .zero })
    self.zone = zone
    let today = zone.date(at: Instant(now))
    expiredBefore = Set(self.lots.filter { !$0.isUsable(on: today) }.map(\.id))
    // A deficit is already gone; a surplus is available.
    if loose < .zero {
      _ = take(-loose, on: today)
    } else if loose > .zero {
      self.lots.append(StockLot(id: StockChange.loose, number: .max, size: loose, left: loose))
    }
  }

  /// Takes the amounts in order of time, until something is missing.
  mutating func follow(_ demands: [StockDemand]) {
    for demand in demands where runsOut == nil {
      let date = zone.date(at: Instant(demand.at))
      if take(demand.amount, on: date) {
        lastsUntil = demand.at
      } else {
        runsOut = demand.at
        endsByExpiry = lots.contains {
          $0.left > .zero && !$0.isUsable(on: date) && !expiredBefore.contains($0.id)
        }
      }
    }
  }

  private mutating func take(_ amount: StockQuantity, on date: CivilDate) -> Bool {
    var rest = amount
    for index in lots.indices where rest > .zero && lots[index].left > .zero {
      guard lots[index].isUsable(on: date) else { continue }
      let part = min(rest, lots[index].left)
      lots[index].left = lots[index].left - part
      rest = rest - part
    }
    return rest <= .zero
  }
}
