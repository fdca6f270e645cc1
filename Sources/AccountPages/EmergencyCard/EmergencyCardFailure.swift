// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTTPTypes
import Web

extension EmergencyCardError: FailureConvertible {
  /// The failure of a command on emergency cards.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .tooMany(let maximum):
      Failure(
        .conflict, code: "conflict",
        detail: "A person can have \(maximum) open cards. End one first.")
    }
  }
}
