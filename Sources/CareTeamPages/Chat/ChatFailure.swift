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
      Failure(.forbidden, code: "forbidden", detail: "You may read this and not change it.")
    case .ended:
      Failure(
        .conflict, code: "ended",
        detail: "Messages are not shared with the other side any more. Nothing was sent.")
    case .empty: .wrong("text", "must be given")
    case .tooLong(let maximum): .wrong("text", "must have \(maximum) characters at most")
    case .link: .wrong("dose", "or warning must be one of the patient's that you may see")
    case .event: .wrong("event", "must be a UUID")
    case .tooMany(let seconds):
      Failure(
        .tooManyRequests, code: "throttled",
        detail: "Too many messages were sent lately. Nothing was lost: send it again later.",
        headers: [.retryAfter: "\(seconds)"])
    }
  }
}
