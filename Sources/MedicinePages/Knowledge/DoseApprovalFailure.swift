// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Prescriptions
import Web

extension DoseApprovalError: FailureConvertible {
  /// The failure of approving a dose table.
  package var failure: Failure {
    switch self {
    case .notAPractitioner:
      Failure(
        .forbidden, code: "forbidden",
        detail: "Only confirmed practitioners may approve dose tables.")
    case .changed:
      Failure(.conflict, code: "conflict", detail: "The table has changed. Read it again.")
    }
  }
}
