// SPDX-License-Identifier: Apache-2.0
import Outbound

/// The outcome of a message sent to a server that a person or the operator named.
package enum ChannelOutcome: Sendable, Hashable {
  /// The server accepted it, which does not mean that the device has it.
  case accepted
  /// Retry, no earlier than after `afterSeconds` if the server asked for a pause.
  case retry(afterSeconds: Int?, PushTrouble)
  /// The server rejects the request, or is not the one expected at the address: a person must correct the
  /// settings.
  case misconfigured(status: Int)
  /// The address is not allowed.
  case refused(OutboundError)
}

extension ChannelOutcome {
  /// Interprets a response: 429 and 5xx are temporary, other errors are not.
  init(_ response: OutboundResponse, now: Int64) {
    switch PushOutcome(response, now: now) {
    case .accepted: self = .accepted
    case .retry(let seconds, let trouble): self = .retry(afterSeconds: seconds, trouble)
    // There are no subscriptions here that could end: a missing page is a wrong address.
    case .gone, .tooLarge, .misconfigured, .refused: self = .misconfigured(status: response.status)
    }
  }

  init(_ error: OutboundError) {
    switch PushOutcome(error) {
    case .retry(let seconds, let trouble): self = .retry(afterSeconds: seconds, trouble)
    case .accepted, .gone, .tooLarge, .misconfigured, .refused: self = .refused(error)
    }
  }
}
