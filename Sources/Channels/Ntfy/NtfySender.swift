// SPDX-License-Identifier: Apache-2.0
import Outbound

/// Hands messages to ntfy servers.
package struct NtfySender: Sendable {
  typealias Transport = @Sendable (OutboundRequest) async -> Result<OutboundResponse, OutboundError>

  private let transport: Transport
  private let policy: OutboundPolicy

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

  /// Publishes a message at the root of a server.
  ///
  /// - Parameters:
  ///   - server: the base address.
  ///   - token: an access token; empty for a topic that is open.
  ///   - nowSeconds: the wall clock, in seconds since 1970.
  package func send(
    _ message: NtfyMessage, server: String, token: String, nowSeconds: Int64
  ) async -> ChannelOutcome {
    let url: CheckedURL
    do throws(OutboundError) {
      url = try policy.check(server)
    } catch {
      return ChannelOutcome(error)
    }
    var headers = [("Content-Type", "application/json")]
    if !token.isEmpty { headers.append(("Authorization", "Bearer \(token)")) }
    switch await transport(OutboundRequest(url: url, headers: headers, body: message.json)) {
    case .success(let response): return ChannelOutcome(response, now: nowSeconds)
    case .failure(let error): return ChannelOutcome(error)
    }
  }
}
