// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTTPTypes
import Web

extension AppearanceError: FailureConvertible {
  /// The failure of a change to how a medicine looks.
  package var failure: Failure {
    switch self {
    case .notFound, .place: .notFound
    case .noRoom:
      Failure(.conflict, code: "conflict", detail: "There are as many pictures as there may be.")
    case .storage(let error): error.failure
    }
  }
}

extension AppearanceProblem: FailureConvertible {
  /// The failure of a description that does not fit together.
  package var failure: Failure {
    .unprocessable("invalid", issues.map(\.rawValue).joined(separator: "; "))
  }
}
