// SPDX-License-Identifier: Apache-2.0
import Outbound

/// A reason why a push can succeed later.
package enum PushTrouble: Sendable, Hashable {
  /// The service asked for fewer requests (429).
  case rateLimited
  /// The service has a temporary problem: a 5xx, 408, 421 or 425.
  case service(status: Int)
  case timeout
  case connection
  case tls
  case resolution
  /// The service failed several times in a row, so no request was made.
  case circuitOpen
  /// This server is stopping.
  case stopped
}

/// The outcome of a push message.
package enum PushOutcome: Sendable, Hashable {
  /// The service accepted it, which does not mean that the device has it.
  case accepted
  /// The subscription has ended: delete it and use the next channel at once.
  case gone
  /// Even the small payload is too large for the service.
  case tooLarge
  /// Retry, no earlier than after `afterSeconds` if the service asked for a pause.
  case retry(afterSeconds: Int?, PushTrouble)
  /// The service rejects the request: an alert for the operator.
  ///
  /// The subscription stays.
  case misconfigured(status: Int)
  /// The address is not allowed.
  case refused(OutboundError)
}

extension PushOutcome {
  /// The maximum pause that is honoured, in seconds: a reminder is stale after that.
  private static let longestPauseSeconds = 86_400

  /// Interprets a response (RFC 8030, and the behaviour of the large services).
  init(_ response: OutboundResponse, now: Int64) {
    switch response.status {
    case 200...299: self = .accepted
    case 404, 410: self = .gone
    case 413: self = .tooLarge
    case 429: self = .retry(afterSeconds: Self.pause(in: response, now: now), .rateLimited)
    case 408, 421, 425, 500...599:
      self = .retry(
        afterSeconds: Self.pause(in: response, now: now), .service(status: response.status))
    default: self = .misconfigured(status: response.status)
    }
  }

  init(_ error: OutboundError) {
    switch error {
    case .notAllowed, .privateAddress: self = .refused(error)
    case .resolution: self = .retry(afterSeconds: nil, .resolution)
    case .timeout: self = .retry(afterSeconds: nil, .timeout)
    case .connection, .responseTooLarge: self = .retry(afterSeconds: nil, .connection)
    case .tls: self = .retry(afterSeconds: nil, .tls)
    case .circuitOpen(let seconds): self = .retry(afterSeconds: seconds, .circuitOpen)
    case .closed: self = .retry(afterSeconds: nil, .stopped)
    }
  }

  /// Returns Retry-After in seconds from now, given as seconds or as a date (RFC 9110 section 10.2.3).
  private static func pause(in response: OutboundResponse, now: Int64) -> Int? {
    guard let text = response.header("retry-after")?.trimmed, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return min(Int(text) ?? longestPauseSeconds, longestPauseSeconds)
    }
    guard let date = InternetDate.parseHTTP(text, now: now) else { return nil }
    return Int(min(max(date - max(now, 0), 0), Int64(longestPauseSeconds)))
  }
}

extension String {
  /// The text without surrounding spaces and tabs.
  fileprivate var trimmed: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let tail = drop(while: isBlank)
    return String(tail.reversed().drop(while: isBlank).reversed())
  }
}
