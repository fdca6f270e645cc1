// SPDX-License-Identifier: Apache-2.0
import Outbound
import Secrecy

/// A message as one HTTP POST to an address that is checked when it is sent.
package struct ChannelRequest: Sendable, Unprintable {
  /// The condition on the body of a 2xx response for the message to count as accepted.
  package enum Receipt: Sendable, Hashable {
    /// No condition: the status decides.
    case status
    /// seven.io: `success` is `100`.
    case seven
    /// Vonage: the `status` of each message is `0`; `1` and `5` are temporary.
    case vonage
  }

  /// The address as the person or operator wrote it.
  package let address: String
  /// The header fields, including those that carry a secret.
  package let headers: [(String, String)]
  /// The body, such as JSON or a form.
  package let body: [UInt8]
  /// The body that a response must have for the message to count as accepted.
  package let receipt: Receipt
  /// The time limit in seconds for everything together; nil for the usual one.
  package var timeoutSeconds: Int?

  /// Creates a request; unless `receipt` says otherwise, the status of the response decides.
  package init(
    address: String, headers: [(String, String)], body: [UInt8], receipt: Receipt = .status
  ) {
    self.address = address
    self.headers = headers
    self.body = body
    self.receipt = receipt
  }
}

/// Posts messages to servers that people named, and interprets their responses.
package struct ChannelSender: Sendable {
  typealias Transport = @Sendable (OutboundRequest) async -> Result<OutboundResponse, OutboundError>

  private let transport: Transport
  private let policy: OutboundPolicy

  /// Creates a sender that uses a client, for addresses that a policy allows.
  package init(client: OutboundClient, policy: OutboundPolicy) {
    self.init(policy: policy) { request in
      do throws(OutboundError) {
        return .success(try await client.send(request))
      } catch {
        return .failure(error)
      }
    }
  }

  init(policy: OutboundPolicy, transport: @escaping Transport) {
    self.policy = policy
    self.transport = transport
  }

  /// Posts a message and returns its outcome; the address is checked against the policy first.
  ///
  /// - Parameter nowSeconds: the wall clock, in seconds since 1970.
  package func send(_ request: ChannelRequest, nowSeconds: Int64) async -> ChannelOutcome {
    let url: CheckedURL
    do throws(OutboundError) {
      url = try policy.check(request.address)
    } catch {
      return ChannelOutcome(error)
    }
    var outbound = OutboundRequest(url: url, headers: request.headers, body: request.body)
    if let timeout = request.timeoutSeconds { outbound.timeoutSeconds = timeout }
    switch await transport(outbound) {
    case .success(let response):
      let outcome = ChannelOutcome(response, now: nowSeconds)
      guard outcome == .accepted else { return outcome }
      return request.receipt.outcome(response.body)
    case .failure(let error): return ChannelOutcome(error)
    }
  }
}
