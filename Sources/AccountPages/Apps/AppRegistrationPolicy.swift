// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Outbound
import Storage
import Web

/// The operator's decision on which apps can register themselves (RFC 7591).
package enum AppRegistrationPolicy: String, Sendable, Hashable, CaseIterable {
  /// None: the operator registers apps on the host.
  case closed
  /// Every app, which works once the operator approves it.
  case approval
  /// Every app, which works at once.
  case open
}

extension ServerSettings {
  /// The policy for apps that register themselves; closed if the operator set none.
  package var appRegistration: AppRegistrationPolicy {
    get { features[ifSet: AppRegistrationPolicy.self] ?? .closed }
    set { features[ifSet: AppRegistrationPolicy.self] = newValue }
  }
}

/// The connection over which the public keys of apps are fetched.
package struct AppKeyNetwork: Sendable {
  private let network: ProviderNetwork
  private let cache = AppKeyCache()

  /// Creates a connection; the outbound policy decides which hosts it reaches.
  package init(network: ProviderNetwork) {
    self.network = network
  }

  /// The hosts that a connection may reach: apps name the addresses of their keys themselves, so only https addresses
  /// that are public.
  package static let policy = OutboundPolicy(
    allowed: [], operatorAllowed: [], allowsAnyPublicHost: true)

  /// A connection that reaches nothing.
  package static let none = AppKeyNetwork(
    network: ProviderNetwork { _ throws(ProviderError) in throw .unreachable })

  /// Returns the key set at an address, from the cache if it can serve.
  ///
  /// - Parameter key: The name of the key that is needed; nil for any.
  func keySet(
    at address: String, with key: String?, now: Timestamp
  ) async throws(ProviderError) -> JSONValue {
    if let known = cache.document(at: address, with: key, now: now) { return known }
    do throws(ProviderError) {
      let found = try await network.agedDocument(address)
      guard SigningKeys(found.body) != nil else { throw .unreachable }
      cache.keep(found.body, at: address, age: found.age, now: now)
      return found.body
    } catch {
      guard let spare = cache.spare(at: address, now: now) else { throw error }
      return spare
    }
  }
}

extension ServerEnvironment {
  /// The connection over which the public keys of apps are fetched; none unless one was set up.
  package var appKeyNetwork: AppKeyNetwork { features[ifSet: AppKeyNetwork.self] ?? .none }
}
