// SPDX-License-Identifier: Apache-2.0

import FHIR
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

  /// Creates a connection; the outbound policy decides which hosts it reaches.
  package init(network: ProviderNetwork) {
    self.network = network
  }

  /// A connection that reaches nothing.
  package static let none = AppKeyNetwork(
    network: ProviderNetwork { _ throws(ProviderError) in throw .unreachable })

  /// Returns the document at an address.
  func keySet(at address: String) async throws(ProviderError) -> JSONValue {
    try await network.document(address)
  }
}

extension ServerEnvironment {
  /// The connection over which the public keys of apps are fetched; none unless one was set up.
  package var appKeyNetwork: AppKeyNetwork { features[ifSet: AppKeyNetwork.self] ?? .none }
}
