// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling

/// What a pack holds, as far as it decides how long it keeps once opened.
///
/// The times are those of the handbook's sources (giving medicine, storage); where these name a range the shorter
/// one counts, and where they name none, or it depends on the product, the person enters what the label says.
package enum StockForm: String, Sendable, Hashable, CaseIterable {
  case other, blister, loose, liquid
  case madeUp = "made-up"
  case eyeEarDrops = "eye-ear-drops"
  case eyeOintment = "eye-ointment"
  case cream, insulin

  /// The last day on which it is to be used after it was opened; nil where no source says.
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

  /// Whether a source says how long it keeps once opened.
  package var hasLimit: Bool { lastDay(opened: CivilDate(daysSinceEpoch: 0), expires: nil) != nil }
}

/// A pack of a stock.
package struct StockLot: Sendable, Hashable {
  package let id: LotID
  /// In the order in which packs came.
  package let number: Int64
  package let size: StockQuantity
  /// The last day that is printed on it.
  package internal(set) var expires: CivilDate?
  package internal(set) var opened: CivilDate?
  /// The number of the lot, as printed.
  package let label: String?
  /// Whether somebody said that it is used past its last day.
  package internal(set) var isKept: Bool
  /// Whether it was added by mistake.
  package internal(set) var isVoid: Bool
  /// Whether it came on the prescription.
  package let isPrescribed: Bool
  /// The last day on which it is to be used: the printed one, or how long it keeps once opened.
  package let lastDay: CivilDate?
  package var left: StockQuantity

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

  /// Whether its last day is over.
  package func isExpired(on date: CivilDate) -> Bool { lastDay.map { $0 < date } ?? false }

  /// Whether it may be planned with and taken from.
  package func isUsable(on date: CivilDate) -> Bool {
    !isVoid && (isKept || !isExpired(on: date))
  }
}
