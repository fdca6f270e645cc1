// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Observations
import Web

extension HealthProfileError: FailureConvertible {
  /// The failure of an entry about allergies or weight.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .alreadyThere: Failure(.conflict, code: rawValue, detail: "This entry already exists.")
    case .tooMany:
      Failure(.conflict, code: rawValue, detail: "The list is full. Remove an entry first.")
    case .weight, .weightMissing, .date, .dateInTheFuture, .nameMissing, .tooLong:
      .unprocessable("value", "A value is missing or not allowed: \(rawValue).")
    }
  }
}
