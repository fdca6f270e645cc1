// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Studies
import Web

extension StudyError: FailureConvertible {
  /// The response to a failed command on a study.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .closed: Self.conflict("The study is closed. No one can join any more.")
    case .open: Self.conflict("The study is open. Its allocation stays sealed until it is closed.")
    case .version(let loaded):
      Self.conflict("Version \(loaded) is loaded. A change needs a higher version.")
    case .allocationChanged:
      Self.conflict(
        "A new version cannot change the arms, their changes, the weights or the blocks.")
    case .alreadyJoined: Self.conflict("The person takes part, or did. No one joins twice.")
    case .oldConsent: Self.conflict("The consent has changed. Read it again.")
    case .notOneself:
      Failure(
        .forbidden, code: "forbidden", detail: "Only the person joins, signed in themselves.")
    case .notEligible(let hindrance):
      .unprocessable("value", "The person cannot take part: \(hindrance.rawValue).")
    case .misunderstood(let questions):
      .unprocessable(
        "value", "Questions answered wrongly: \(questions.joined(separator: ", ")).")
    case .signature(let maximum):
      .unprocessable("value", "A name has 1 to \(maximum) characters.")
    }
  }

  private static func conflict(_ detail: String) -> Failure {
    Failure(.conflict, code: "conflict", detail: detail)
  }
}

extension StudyFile.Refused: FailureConvertible {
  /// The response to a study file with faults: each with its line, place and rule.
  package var failure: Failure {
    .unprocessable("value", problems.map(\.description).joined(separator: " | "))
  }
}
