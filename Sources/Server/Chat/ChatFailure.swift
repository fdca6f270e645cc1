// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTTPTypes

extension Failure {
  init(_ error: ChatError) {
    switch error {
    case .notFound: self = .notFound
    case .notAllowed:
      self.init(.forbidden, code: "forbidden", detail: "You may read this and not change it.")
    case .ended:
      self.init(
        .conflict, code: "ended",
        detail: "Messages are not shared with the other side any more. Nothing was sent.")
    case .empty: self = .wrong("text", "must be given")
    case .tooLong(let maximum): self = .wrong("text", "must have \(maximum) characters at most")
    case .link: self = .wrong("dose", "or warning must be one of the patient's that you may see")
    case .event: self = .wrong("event", "must be a UUID")
    case .tooMany(let seconds):
      self.init(
        .tooManyRequests, code: "throttled",
        detail: "Too many messages were sent lately. Nothing was lost: send it again later.",
        headers: [.retryAfter: "\(seconds)"])
    }
  }
}
