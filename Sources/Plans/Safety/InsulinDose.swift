// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation

/// The limit above which the app asks about a single dose of insulin: ten times too much can kill within
/// hours.
struct InsulinDose {
  /// The units of a full syringe of the usual strength, 1 mL of 100 units/mL; most pens give fewer.
  private static let mostUnits = Decimal(100)
  /// The ATC group of insulins and their analogues.
  private static let group = "A10A"
  private static let names = [
    "insulin", "อินซูลิน", "abasaglar", "actrapid", "apidra", "basaglar", "fiasp", "humalog",
    "huminsulin", "humulin", "insulatard", "insuman", "lantus", "levemir", "liprolog", "lyumjev",
    "mixtard", "novolog", "novomix", "novorapid", "protaphane", "ryzodeg", "semglee", "suliqua",
    "toujeo", "tresiba", "xultophy",
  ]

  private let stated: StatedUnits?

  /// Creates the bound for a request; nil if its medicine is not an insulin.
  init?(_ request: MedicationRequestView, name: String, codes: [String]) {
    let names = ([name] + codes).map { Ingredient.normalised($0.nameToSearch) }
    guard
      codes.contains(where: { $0.hasPrefix(Self.group) })
        || names.contains(where: { name in Self.names.contains { name.contains($0) } })
    else { return nil }
    stated = StatedUnits(request)
  }

  /// Returns true if an amount is more than the bound; a volume without a stated strength counts as the
  /// usual one.
  func isExceeded(by amount: Amount) -> Bool {
    guard let measure = Measure(amount) else { return false }
    let usual = measure.kind == .volume ? measure.value * Self.mostUnits : nil
    let units = stated?.units(of: amount) ?? measure.internationalUnits ?? usual
    return units.map { $0 > Self.mostUnits } ?? false
  }
}
