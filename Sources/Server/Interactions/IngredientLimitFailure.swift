// SPDX-License-Identifier: Apache-2.0

import Adherence

extension IngredientLimitError: FailureConvertible {
  /// The failure of setting a limit.
  package var failure: Failure {
    .unprocessable("value", "A value is missing or not allowed: \(rawValue).")
  }
}
