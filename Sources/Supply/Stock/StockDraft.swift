// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Scheduling

/// What is said of a stock.
package struct StockDraft: Sendable, Hashable {
  package var name: String
  package var unit: StockUnit
  package var form: StockForm
  package var openDays: Int?
  package var leadDays: Int?
  package var repeats: Int?
  /// How many weeks it takes to get a new prescription.
  package var doctorWeeks: Int?
  package var isQuiet: Bool
  /// How much a full pack holds; nil for as much as the last one.
  package var packSize: StockQuantity?

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

  /// What it says already.
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

/// A pack as it is put in.
package struct StockPack: Sendable, Hashable {
  package var amount: StockQuantity
  package var expires: CivilDate?
  package var opened: CivilDate?
  package var label: String?
  /// Whether somebody said that it is used although it is past its day.
  package var isConfirmed: Bool
  /// Whether it came on the prescription: such a pack uses up a repeat.
  package var isPrescribed: Bool

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
