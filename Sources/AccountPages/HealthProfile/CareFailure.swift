// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Observations
import Web

extension HealthProfileError: FailureConvertible {
  /// The failure of an entry about allergies or weight.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .alreadyThere: Failure(.conflict, code: rawValue, detail: "This entry exists already.")
    case .tooMany: Failure(.conflict, code: rawValue, detail: "There is no room for more entries.")
    case .weight, .weightMissing, .date, .dateInTheFuture, .nameMissing, .tooLong:
      .unprocessable("value", "A value is missing or not allowed: \(rawValue).")
    }
  }
}
