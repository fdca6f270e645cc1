// SPDX-License-Identifier: Apache-2.0

import Exchange
import HTTPTypes
import Web

extension HospitalError: FailureConvertible {
  /// The failure of a command on a connection to a hospital.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .tooMany(let maximum):
      Failure(
        .conflict, code: "conflict",
        detail: "A person can have \(maximum) connections. Remove one first.")
    case .known:
      Failure(.conflict, code: "conflict", detail: "This person is already connected.")
    case .otherBirthDate:
      Failure(.conflict, code: "conflict", detail: "The dates of birth differ.")
    }
  }
}
