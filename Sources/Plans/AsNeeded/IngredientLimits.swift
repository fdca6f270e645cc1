// SPDX-License-Identifier: Apache-2.0

import Access
import Foundation
import Identifiers
import Knowledge
import Localization
import People
import Storage

/// A maximum for an ingredient within a rolling time, added up over all products that contain it.
///
/// Checked before an intake is recorded, like the limits of a plan.
package struct IngredientLimit: Sendable, Hashable {
  /// The ingredient as the handbook names it.
  package let ingredient: String
  /// The maximum, a decimal as written, in ``unit``.
  package let value: String
  /// The unit, one of ``IngredientLimits/units``.
  package let unit: String
  /// The length of the rolling time in hours, at most 31 days.
  package let hours: Int
  /// The name of the person who set it.
  package let byName: String
  /// The time at which it was set.
  package let since: Timestamp

  /// The limit in the form that plans have.
  package var quantity: PlanLimits.Quantity {
    PlanLimits.Quantity(
      value: value, unit: unit, code: unit, milliseconds: Int64(hours) * 3_600_000)
  }
}

/// The field of an ingredient limit that is not valid.
package enum IngredientLimitError: String, Error, Sendable, Hashable, CaseIterable {
  case ingredient, value, hours
}

/// The intakes of an ingredient within the time of its limit.
package struct IngredientUse: Sendable, Hashable {
  /// The limit that the intakes count towards.
  package let limit: IngredientLimit
  /// The amount taken in the unit of the limit, as far as it can be counted.
  package let taken: Decimal
  /// The number of intakes counted.
  package let counted: Int
  /// The number of intakes that could not be counted because the content of a dose is not known.
  package let uncounted: Int
}

/// The rows of `ingredient_limits`.
package enum IngredientLimits {
  /// The units in which a limit may be set.
  package static let units = ["mg", "g", "ug"]
  static let mostHours = 31 * 24
  /// The prefix that replaces the plan's id for a limit that belongs to an ingredient.
  private static let prefix = "ingredient:"

  /// Returns the limits that were set for a patient, by ingredient.
  package static func all(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [IngredientLimit] {
    var limits: [IngredientLimit] = []
    for row in try reader.query(allStatement, [.text(patient)]) {
      let row = row.read(IngredientLimitRow.self)
      limits.append(
        IngredientLimit(
          ingredient: try row.text(.ingredient), value: try row.text(.value),
          unit: try row.text(.unit), hours: Int(clamping: try row.integer(.hours)),
          byName: try row.text(.byName), since: try row.timestamp(.since)))
    }
    return limits
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(IngredientLimitRow.columns) FROM ingredient_limits
    WHERE patient = $1 ORDER BY ingredient
    """)

  /// Sets the limit of an ingredient, replacing an earlier one, or deletes it if no value was typed.
  ///
  /// - Parameter hours: the length of the rolling time as typed: 1 to 744 hours.
  /// - Throws: ``IngredientLimitError`` for a field that is not valid, ``PlanError`` if the actor may not
  ///   change plans.
  package static func set(
    _ ingredient: String, value: String, unit: String, hours: String, patient: PatientID,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let right = try PlanCommands.authorize(.update, patient: patient, context)
    guard Handbook.shipped.ingredients(of: ingredient)?.ingredients == [ingredient] else {
      throw IngredientLimitError.ingredient
    }
    if DraftText.trimmed(value).isEmpty {
      try writer.execute(
        "DELETE FROM ingredient_limits WHERE patient = $1 AND ingredient = $2",
        [.text(patient), .text(ingredient)])
      return writer.audit(.detectedIssue(.delete, nil, right, at: context.now))
    }
    guard let text = DraftText.decimal(value), let number = Decimal(string: text), number > 0,
      number <= 1_000_000, units.contains(unit)
    else { throw IngredientLimitError.value }
    guard let length = Int(DraftText.trimmed(hours)), (1...mostHours).contains(length) else {
      throw IngredientLimitError.hours
    }
    let limit = IngredientLimit(
      ingredient: ingredient, value: text, unit: unit, hours: length, byName: context.byName,
      since: context.now)
    let row = WrittenIngredientLimitRow(
      patient: patient, limit: limit, account: right.actor.accountID)
    try writer.execute(setStatement, row.values)
    writer.audit(.detectedIssue(.update, nil, right, at: context.now))
  }

  private static let setStatement = SQLStatement(
    """
    INSERT INTO ingredient_limits (\(WrittenIngredientLimitRow.columns))
    VALUES (\(WrittenIngredientLimitRow.placeholders))
    ON CONFLICT (patient, ingredient) DO UPDATE SET value = excluded.value,
      unit = excluded.unit, hours = excluded.hours, since = excluded.since,
      account = excluded.account, by_name = excluded.by_name
    """)

  /// Returns the amount taken of each limited ingredient, within the time of its limit up to now.
  package static func use(
    patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [IngredientUse] {
    let limits = try all(patient: patient, in: reader)
    if limits.isEmpty { return [] }
    let sources = LimitRows.sources(try LimitRows.stated(patient: patient, in: reader))
    var found: [IngredientUse] = []
    for limit in limits {
      let intakes = try IntakeQueries.near(
        patient: patient,
        ingredients: Ingredient.contents(column: Ingredient.key(name: limit.ingredient)),
        around: now, within: limit.quantity.milliseconds, excluding: nil, in: reader
      ).filter { $0.taken <= now }
      let used = intakes.map { intake in
        PlanLimits().use(
          of: limit.quantity, by: intake.amount, from: intake.plan.flatMap { sources[$0] })
      }
      let sum = used.compactMap(\.self).reduce(0, +)
      // Counts in the standard unit of the kind, then converts back to the limit's own unit.
      let most = Measure(limit.quantity.amount)?.value ?? 1
      let scale = (Amount.decimal(limit.value) ?? 1) / (most == 0 ? 1 : most)
      found.append(
        IngredientUse(
          limit: limit, taken: sum * scale, counted: used.count { $0 != nil },
          uncounted: used.count { $0 == nil }))
    }
    return found
  }

  /// Returns the limits in the form of plan limits, for checks of an intake.
  static func stated(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [(medicine: Medicine, limits: PlanLimits, isActive: Bool)] {
    try all(patient: patient, in: reader).map { limit in
      var limits = PlanLimits()
      limits.amounts = [limit.quantity]
      let medicine = Medicine(
        plan: PlanID(prefix + limit.ingredient), name: limit.ingredient,
        ingredients: Ingredient.key(name: limit.ingredient))
      return (medicine, limits, true)
    }
  }
}

/// The columns of an ``IngredientLimit``.
enum IngredientLimitRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case ingredient, value, unit, hours, byName, since
  }

  static let columns = SQLColumns<Column>()
}

/// A row of `ingredient_limits`.
struct WrittenIngredientLimitRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, ingredient, value, unit, hours, since, account, byName
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let limit: IngredientLimit
  let account: AccountID

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .ingredient: .text(limit.ingredient)
    case .value: .text(limit.value)
    case .unit: .text(limit.unit)
    case .hours: SQLValue(limit.hours)
    case .since: SQLValue(limit.since)
    case .account: .text(account)
    case .byName: .text(limit.byName)
    }
  }
}
