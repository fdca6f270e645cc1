// SPDX-License-Identifier: Apache-2.0

import Foundation
import Knowledge
import Localization
import People
import Plans
import Presentation
import Web

/// A form and strength to choose with one tap.
struct ProductChoice: Sendable, Hashable {
  /// The answer for a form and strength that are not offered.
  static let other = "other"
  /// The most choices that fit on a phone's screen.
  private static let most = 7

  let form: MedicineForm
  /// A decimal number with a point.
  let strength: String
  let unit: StrengthUnit
  /// The strength as printed on packages, if it differs.
  let printed: String?

  /// The answer that the form sends.
  var code: String { "\(form.rawValue)|\(strength)|\(unit.rawValue)" }

  /// Creates a choice from a known product; nil if its form or unit is not supported.
  init?(_ product: KnownProduct) {
    guard let form = MedicineForm(rawValue: product.form),
      let unit = StrengthUnit(rawValue: product.unit)
    else { return nil }
    self.form = form
    self.unit = unit
    strength = product.strength
    printed = product.printed
  }

  /// Returns the choices for an entry of the medicine list; empty if its strengths are not known.
  static func choices(of medicine: CatalogueMedicine?) -> [ProductChoice] {
    Array((medicine?.products ?? []).compactMap(ProductChoice.init).prefix(most))
  }

  /// Returns the label, such as "Tablet, 50 mg", or "Liquid, 120 mg/5 mL" as the package says it.
  func label(_ localizer: Localizer) -> String {
    let words = MedicineFormatter(localizer: localizer)
    let number = Decimal(string: strength).map { localizer.number($0) } ?? strength
    return localizer.text(
      "add-medicine.product",
      [
        "form": .text(words.name(of: form)),
        "number": .text(printed.map { MedicineInput.typed($0, localizer) } ?? number),
        "unit": .text(printed == nil ? words.name(ofStrengthUnit: unit.rawValue) : ""),
      ]
    ).trimmingCharacters(in: .whitespaces)
  }

  /// Returns true if the fields contain this form and strength.
  func isStated(by input: MedicineInput) -> Bool {
    guard input.form == form.rawValue, input.strengthUnit == unit.rawValue,
      let typed = DraftText.decimal(input.strengthValue)
    else { return false }
    return Decimal(string: typed) == Decimal(string: strength)
  }
}

extension AddedFields {
  /// The medicine list's entry that was chosen in the first step.
  var known: CatalogueMedicine? { pick.flatMap { Handbook.shipped.medicine($0) } }

  /// The chosen form and strength; empty if nothing is chosen yet.
  var product: String {
    let (choices, input) = (ProductChoice.choices(of: known), input)
    if let stated = choices.first(where: { $0.isStated(by: input) }) { return stated.code }
    if form.raw("product") == ProductChoice.other { return ProductChoice.other }
    let isTyped = !input.form.isEmpty || isFilled("strength-value")
    return isTyped ? ProductChoice.other : ""
  }

  /// Takes form and strength from the choice.
  ///
  /// - Returns: False if another form or strength was typed as well.
  mutating func takeProduct(_ localizer: Localizer) -> Bool {
    let code = form.raw("product") ?? ""
    guard let choice = ProductChoice.choices(of: known).first(where: { $0.code == code }) else {
      return true
    }
    let isTyped = isFilled("form") || isFilled("strength-value")
    guard !isTyped || choice.isStated(by: input) else { return false }
    set("form", [choice.form.rawValue])
    set("strength-value", [MedicineInput.typed(choice.strength, localizer)])
    set("strength-unit", [choice.unit.rawValue])
    return true
  }
}
