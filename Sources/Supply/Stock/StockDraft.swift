// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Scheduling

/// The details of a supply as typed.
package struct StockDraft: Sendable, Hashable {
  /// The name of the medicine, of 1 to 200 characters without line breaks.
  package var name: String
  /// The unit in which everything is counted; it cannot change later.
  package var unit: StockUnit
  /// The form of the medicine, which decides how long an opened pack can be used.
  package var form: StockForm
  /// The number of days that a pack can be used once opened, from 1 to 1,000; nil to use the form's.
  package var openDays: Int?
  /// The number of days it takes to get more, from 1 to 90; nil if unknown.
  package var leadDays: Int?
  /// The number of repeats left on the prescription, from 0 to 99; nil if unknown.
  package var repeats: Int?
  /// The number of weeks it takes to get a new prescription, from 1 to 12; nil if unknown.
  package var doctorWeeks: Int?
  /// True if no notification about the supply should be sent.
  package var isQuiet: Bool
  /// The size of a full pack; nil for the size of the last one added.
  package var packSize: StockQuantity?

  /// Creates the details of a supply.
  package init(
    name: String, unit: StockUnit, form: StockForm = .other, openDays: Int? = nil,
    leadDays: Int? = nil, repeats: Int? = nil, doctorWeeks: Int? = nil, isQuiet: Bool = false,
    packSize: StockQuantity? = nil
  ) {
    self.name = name
    self.unit = unit
    self.form = form
    self.openDays = openDays
    self.leadDays = leadDays
    self.repeats = repeats
    self.doctorWeeks = doctorWeeks
    self.isQuiet = isQuiet
    self.packSize = packSize
  }

  /// Creates the details that a supply already has.
  package init(_ stock: Stock) {
    self.init(
      name: stock.medicineName, unit: stock.unit, form: stock.form, openDays: stock.openDays,
      leadDays: stock.leadDays, repeats: stock.repeats, doctorWeeks: stock.doctorWeeks,
      isQuiet: stock.isQuiet, packSize: stock.packSize)
  }

  var issues: [StockIssue] {
    var issues: [StockIssue] = []
    if !(1...200).contains(name.count) || name.contains(where: \.isNewline) { issues.append(.name) }
    if unit.unit.isEmpty || unit.unit.utf8.count > 80 { issues.append(.unit) }
    if let openDays, !(1...1_000).contains(openDays) { issues.append(.openDays) }
    if let leadDays, !(1...90).contains(leadDays) { issues.append(.leadDays) }
    if let packSize, packSize <= .zero { issues.append(.packSize) }
    if let repeats, !(0...99).contains(repeats) { issues.append(.repeats) }
    if let doctorWeeks, !(1...12).contains(doctorWeeks) { issues.append(.doctorWeeks) }
    return issues
  }
}

/// A pack as typed.
package struct StockPack: Sendable, Hashable {
  /// The amount in the pack, above zero, in the unit of the supply.
  package var amount: StockQuantity
  /// The last day printed on the pack; nil if unknown.
  package var expires: CivilDate?
  /// The day on which it was opened, no later than today; nil if it is unopened or the day is unknown.
  package var opened: CivilDate?
  /// The lot number, of 1 to 40 characters; nil if there is none.
  package var label: String?
  /// True if the person confirmed that the pack is used although it has expired.
  package var isConfirmed: Bool
  /// True if it came on the prescription; such a pack uses up a repeat.
  package var isPrescribed: Bool

  /// Creates a pack.
  package init(
    amount: StockQuantity, expires: CivilDate? = nil, opened: CivilDate? = nil,
    label: String? = nil, isConfirmed: Bool = false, isPrescribed: Bool = true
  ) {
    self.amount = amount
    self.expires = expires
    self.opened = opened
    self.label = label
    self.isConfirmed = isConfirmed
    self.isPrescribed = isPrescribed
  }

  func issues(today: CivilDate) -> [StockIssue] {
    var issues: [StockIssue] = []
    if amount <= .zero { issues.append(.amount) }
    if let expires, !isNear(expires, today, years: 30) { issues.append(.expires) }
    if let opened, opened > today || !isNear(opened, today, years: 30) { issues.append(.opened) }
    if let label, !(1...40).contains(label.count) || label.contains(where: \.isNewline) {
      issues.append(.label)
    }
    return issues
  }
}

private func isNear(_ date: CivilDate, _ today: CivilDate, years: Int) -> Bool {
  date > today.adding(months: -12 * years) && date < today.adding(months: 12 * years)
}
