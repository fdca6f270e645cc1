// SPDX-License-Identifier: Apache-2.0
import Outbound

/// The outcome of a message sent to a server that a person or the operator named.
package enum ChannelOutcome: Sendable, Hashable {
  /// The server took it over. It promises nothing about the device.
  case accepted
  /// Try again, no earlier than after `afterSeconds` if the server asked for a pause.
  case retry(afterSeconds: Int?, PushTrouble)
  /// The server refuses the request, or is not the one that the address promised: a person must
  /// correct the settings.
  case misconfigured(status: Int)
  /// The address is not allowed.
  case refused(OutboundError)
}

extension ChannelOutcome {
  /// What an answer means: 429 and 5xx pass, other refusals do not by trying again.
  init(_ response: OutboundResponse, now: Int64) {
    switch PushOutcome(response, now: now) {
    case .accepted: self = .accepted
    case .retry(let seconds, let trouble): self = .retry(afterSeconds: seconds, trouble)
    // Here nothing is a subscription that could be over: a page that is missing is a wrong address.
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
