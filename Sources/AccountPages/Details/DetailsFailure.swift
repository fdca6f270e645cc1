// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTTPTypes
import People
import Presentation
import Web

extension PeopleError: FailureConvertible {
  /// The failure of a command on a person's details.
  package var failure: Failure {
    switch self {
    case .notFound, .notAuthorized: .notFound
    case .invalid(let issues):
      .unprocessable(
        "invalid",
        "Not valid: "
          + issues.map { "\($0.field.rawValue): \($0.reason.rawValue)" }.joined(separator: "; "))
    case .versionConflict(let current): .versionConflict(current)
    case .plans(let error): error.failure
    }
  }
}
