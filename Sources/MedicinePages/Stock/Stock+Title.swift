// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Supply

extension Stock {
  /// Returns the name of the medicine with its strength, even for a supply that no plan uses.
  func title(_ localizer: Localizer) -> String {
    guard let strength = unit.strength else { return medicineName }
    return ShownName.of(medicineName, strength: strength, in: localizer.language)
  }
}
