// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Prescriptions
import Web

extension IntakeError: FailureConvertible {
  /// The failure of applying proposed times.
  package var failure: Failure {
    switch self {
    case .outdated:
      Failure(
        .conflict, code: "outdated", detail: "The medicines have changed. Ask for a new proposal.")
    case .nothing: Failure(.conflict, code: "nothing", detail: "The proposal changes nothing.")
    }
  }
}
