// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage
import Supply

/// The supply of the demonstration, which is running low.
enum DemoStock {
  /// The days since it was counted.
  static let days = 25
  private static let packSize = StockQuantity(millionths: 30_000_000)

  static func begin(
    _ plan: PlanID, patient: PatientID, on date: CivilDate, context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    _ = try StockCommands(owner: patient, context: context).create(
      StockDraft(
        name: DemoMedicines.betaBlocker, unit: StockUnit(unit: "tablet", code: "{tablet}"),
        form: .blister, leadDays: 5, repeats: 2, packSize: packSize),
      pack: StockPack(amount: packSize, expires: date.adding(months: 14)),
      uses: [StockUse(patient: patient, medicine: plan.text)], in: writer)
  }
}
