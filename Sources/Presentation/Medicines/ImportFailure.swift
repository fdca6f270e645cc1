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
        .conflict, code: "decided", detail: "This was decided before, in another way.",
        members: ["state": .string(state.rawValue)])
    case .problem(let reason): reason.failure
    case .plan(let error): error.failure
    case .answer(.storage(let error)), .storage(let error): error.failure
    case .answer(.records(let error)): error.failure
    case .answer: .unprocessable("value", "An administration of the file was refused.")
    }
  }
}

extension ImportProblemReason: FailureConvertible {
  /// The response to a problem of one entry.
  package var failure: Failure {
    .unprocessable("value", "The entry was refused: \(code).")
  }
}
