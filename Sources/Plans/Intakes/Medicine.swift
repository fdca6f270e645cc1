// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// A medicine as plans and intakes name it.
package struct Medicine: Sendable, Hashable {
  /// The plan of the medicine; nil for a free entry.
  package let plan: PlanID?
  /// The name in the prescription; for a free entry, the name that was typed.
  package let name: String
  /// The name shown to people; for a free entry, the name that was typed.
  package let shownName: String
  /// The ingredient keys, one a line, as in the `ingredients` column.
  package let ingredients: String

  /// Creates a medicine; without a shown name, it is shown under `name`.
  package init(plan: PlanID?, name: String, shownName: String? = nil, ingredients: String) {
    self.plan = plan
    self.name = name
    self.shownName = shownName ?? name
    self.ingredients = ingredients
  }
}
