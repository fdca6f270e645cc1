// SPDX-License-Identifier: Apache-2.0

import Plans
import Web

extension IngredientLimitError: FailureConvertible {
  /// The failure of setting a limit.
  package var failure: Failure {
    .unprocessable("value", "A value is missing or not allowed: \(rawValue).")
  }
}
