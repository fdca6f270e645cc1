// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTTPTypes
import Web

extension AppearanceError: FailureConvertible {
  /// The response to a refused change of a medicine's appearance.
  package var failure: Failure {
    switch self {
    case .notFound, .place: .notFound
    case .noRoom:
      Failure(
        .conflict, code: "conflict", detail: "The limit of pictures is reached. Remove one first.")
    case .storage(let error): error.failure
    }
  }
}

extension AppearanceProblem: FailureConvertible {
  /// The response to a description whose parts do not fit together; it names each issue.
  package var failure: Failure {
    .unprocessable("invalid", "Not valid: " + issues.map(\.rawValue).joined(separator: "; "))
  }
}
