// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTTPTypes

extension EmergencyCardError: FailureConvertible {
  /// The failure of a command on emergency cards.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .tooMany(let maximum):
      Failure(.conflict, code: "conflict", detail: "A person has \(maximum) open cards at most.")
    }
  }
}
