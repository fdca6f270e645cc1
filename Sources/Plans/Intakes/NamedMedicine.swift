// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers

/// A medicine that a free text refers to, with the gap between its intakes.
package struct NamedMedicine: Sendable, Hashable {
  /// The medicine, with the plan if one matches.
  package let medicine: Medicine
  /// The least time between two intakes in milliseconds; nil if no plan states one.
  package let minimumGap: Int64?

  /// True if the plan's hours may be counted from the last intake.
  package let mayFollowIntake: Bool

  /// Creates a named medicine.
  package init(medicine: Medicine, minimumGap: Int64?, mayFollowIntake: Bool) {
    self.medicine = medicine
    self.minimumGap = minimumGap
    self.mayFollowIntake = mayFollowIntake
  }

  /// Returns the medicine that a text refers to: the plan with that id, else the only plan with
  /// that name.
  ///
  /// Any other name is a medicine of its own, whose gap is the longest of the plans that share an
  /// ingredient with it. Nil if the text is the id of no plan of this patient.
  package static func find(_ text: String, among plans: [NamedMedicine]) -> NamedMedicine? {
    var sameName: [NamedMedicine] = []
    /// The gaps of all plans that contain any ingredient of the named medicine.
    var gaps: [Int64] = []
    let key = Ingredient.key(name: text)
    let contents = Ingredient.contents(column: key)
    for named in plans {
      if named.medicine.plan?.text == text { return named }
      if let gap = named.minimumGap,
        !Ingredient.contents(column: named.medicine.ingredients).isDisjoint(with: contents)
      {
        gaps.append(gap)
      }
      if Ingredient.key(name: named.medicine.name) == key
        || Ingredient.key(name: named.medicine.shownName) == key
        || Ingredient.keys(column: named.medicine.ingredients).contains(key)
      {
        sameName.append(named)
      }
    }
    if let only = sameName.first, sameName.count == 1 { return only }
    // An id that is not among this patient's plans is a mistake, not the name of a medicine.
    if UUID(uuidString: text) != nil { return nil }
    return NamedMedicine(
      medicine: Medicine(plan: nil, name: text, ingredients: key), minimumGap: gaps.max(),
      mayFollowIntake: false)
  }
}
