// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTTPTypes
import Web

extension NudgeError: FailureConvertible {
  /// The failure of a nudge.
  package var failure: Failure {
    switch self {
    case .notAllowed: .notFound
    case .nothingOpen:
      Failure(.conflict, code: "conflict", detail: "No dose is waiting for an answer.")
    case .tooMany(let maximum):
      Failure(
        .tooManyRequests, code: "throttled",
        detail: "A person can be reminded \(maximum) times a day. Try again tomorrow.")
    }
  }
}
