// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling

/// The form of a pack's content, which decides how long it keeps after opening.
///
/// The times are those of the handbook's sources (giving medicine, storage). Of a range the shorter
/// time counts. If the sources give none, or it depends on the product, the person enters the time
/// on the label.
package enum StockForm: String, Sendable, Hashable, CaseIterable {
  case other, blister, loose, liquid
  case madeUp = "made-up"
  case eyeEarDrops = "eye-ear-drops"
  case eyeOintment = "eye-ointment"
  case cream, insulin

  /// Returns the last day on which it may be used after opening; nil if no source states one.
  func lastDay(opened: CivilDate, expires: CivilDate?) -> CivilDate? {
    switch self {
    case .other, .blister, .madeUp: nil
    case .loose, .cream: opened.adding(months: 6)
    case .eyeOintment: opened.adding(months: 1)
    case .eyeEarDrops, .insulin: opened.adding(days: 28)
    case .liquid:
      // Half a year, or a quarter of the time left, whichever comes first.
      expires.map { expires in
        let left = max(0, expires.daysSinceEpoch - opened.daysSinceEpoch)
        return min(opened.adding(months: 6), opened.adding(days: left / 4))
      } ?? opened.adding(months: 6)
    }
  }

  /// True if a source says how long it keeps after opening.
  package var hasLimit: Bool { lastDay(opened: CivilDate(daysSinceEpoch: 0), expires: nil) != nil }
}

/// A pack of a stock.
package struct StockLot: Sendable, Hashable {
  /// The identifier of the pack.
  package let id: LotID
  /// The running number of the pack, in the order in which packs were added.
  package let number: Int64
  /// The amount in the full pack.
  package let size: StockQuantity
  /// The printed expiry date: its last day; nil if it is not known.
  package internal(set) var expires: CivilDate?
  /// The day on which it was opened; nil while it is closed.
  package internal(set) var opened: CivilDate?
  /// The lot number as printed.
  package let label: String?
  /// True if a person decided to use it past its last day.
  package internal(set) var isKept: Bool
  /// True if it was added by mistake.
  package internal(set) var isVoid: Bool
  /// True if it came on the prescription.
  package let isPrescribed: Bool
  /// The last day on which it may be used: the printed one, or the end of its time after opening,
  /// whichever comes first; nil if neither is known.
  package let lastDay: CivilDate?
  /// The amount that is left.
  package var left: StockQuantity

  /// Creates a pack and works out its last day.
  ///
  /// - Parameter openDays: the days that it keeps after opening, from the label; nil to use the
  ///   time for its form.
  package init(
    id: LotID, number: Int64, size: StockQuantity, expires: CivilDate? = nil,
    opened: CivilDate? = nil, label: String? = nil, isKept: Bool = false, isVoid: Bool = false,
    isPrescribed: Bool = true, form: StockForm = .other, openDays: Int? = nil, left: StockQuantity
  ) {
    self.id = id
    self.number = number
    self.size = size
    self.expires = expires
    self.opened = opened
    self.label = label
    self.isKept = isKept
    self.isVoid = isVoid
    self.isPrescribed = isPrescribed
    self.left = left
    let afterOpening = opened.flatMap { opened in
      openDays.map { opened.adding(days: $0) } ?? form.lastDay(opened: opened, expires: expires)
    }
    lastDay = [expires, afterOpening].compactMap(\.self).min()
  }

  /// Returns true if its last day is before `date`.
  package func isExpired(on date: CivilDate) -> Bool { lastDay.map { $0 < date } ?? false }

  /// Returns true if it may be planned with and taken from.
  package func isUsable(on date: CivilDate) -> Bool {
    !isVoid && (isKept || !isExpired(on: date))
  }
}
