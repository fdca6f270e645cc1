// SPDX-License-Identifier: Apache-2.0

import Exchange
import Web

/// The network access to hospitals' servers, and the signal that wakes the exchange with them.
package struct HospitalExchange: Sendable {
  let network: HospitalNetwork
  let wake = WakeSignal()

  /// Creates the exchange with a signal of its own.
  package init(network: HospitalNetwork) {
    self.network = network
  }
}

extension HospitalExchange: FeatureValue {
  /// An exchange that reaches no hospital.
  package static let absent = HospitalExchange(network: .none)
}

extension ServerEnvironment {
  /// The connection to hospitals' servers.
  var hospitals: HospitalNetwork { features[HospitalExchange.self].network }
  /// Wakes the exchange with hospitals.
  var hospitalWake: WakeSignal { features[HospitalExchange.self].wake }
}
