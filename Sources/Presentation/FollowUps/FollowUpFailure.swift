// SPDX-License-Identifier: Apache-2.0

import Diary
import HTTPTypes
import Web

extension FollowUpError: FailureConvertible {
  /// The response to an answer or a choice about a follow-up that was not saved.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .closed:
      Failure(.conflict, code: "conflict", detail: "The question is not asked any more.")
    case .minutes:
      .wrong(
        "minutes",
        "must be \(FollowUpTiming.allowed.lowerBound) to \(FollowUpTiming.allowed.upperBound)")
    }
  }
}
