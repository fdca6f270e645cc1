// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import HTTPTypes
import Prescriptions
import Web

extension ImportError: FailureConvertible {
  /// The response to a failed command on a proposal or an imported entry.
  package var failure: Failure {
    switch self {
    case .notFound, .answer(.notFound): .notFound
    case .decided(let state):
      Failure(
        .conflict, code: "decided", detail: "This proposal was already decided. See state.",
        members: ["state": .string(state.rawValue)])
    case .problem(let reason): reason.failure
    case .plan(let error): error.failure
    case .answer(.storage(let error)), .storage(let error): error.failure
    case .answer(.records(let error)): error.failure
    case .answer: .unprocessable("value", "An administration in the file is not valid.")
    }
  }
}

extension ImportProblemReason: FailureConvertible {
  /// The response to a problem of one entry.
  package var failure: Failure {
    .unprocessable("value", "The entry is not valid: \(code).")
  }
}
