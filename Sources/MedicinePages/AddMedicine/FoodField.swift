// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Web

/// The question whether a medicine is taken with food.
struct FoodField: PagePart {
  /// The raw value of a `FoodInstruction`, or empty.
  let value: String
  /// The food advice of the medicine list.
  var hint: String?
  let localizer: Localizer

  var markup: Markup {
    FormField(
      "food", label: localizer.text("add-medicine.food"),
      kind: .select(
        FoodInstruction.allCases.map {
          FieldChoice(
            $0.rawValue, localizer.text("add-medicine.food-choice", ["food": .text($0.rawValue)]))
        }),
      value: value, hint: hint, isRequired: false, localizer: localizer
    ).markup
  }
}
