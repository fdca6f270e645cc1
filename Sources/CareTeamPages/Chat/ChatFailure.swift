// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTTPTypes
import Web

extension ChatError: FailureConvertible {
  /// The failure of a command on messages.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .notAllowed:
      Failure(.forbidden, code: "forbidden", detail: "You can read this but not change it.")
    case .ended:
      Failure(
        .conflict, code: "ended",
        detail: "Messages are no longer shared with this person. Nothing was sent.")
    case .empty: .wrong("text", "must not be empty")
    case .tooLong(let maximum): .wrong("text", "must have at most \(maximum) characters")
    case .link: .wrong("dose", "or warning must belong to the patient and be shared with you")
    case .event: .wrong("event", "must be a UUID")
    case .tooMany(let seconds):
      Failure(
        .tooManyRequests, code: "throttled",
        detail: "Too many messages. Send it again after Retry-After seconds.",
        headers: [.retryAfter: "\(seconds)"])
    }
  }
}
