// SPDX-License-Identifier: Apache-2.0

import Exchange
import Web

/// The way to hospitals' servers, and the signal that wakes the exchange with them.
package struct HospitalExchange: Sendable {
  let network: HospitalNetwork
  let wake = WakeSignal()

  package init(network: HospitalNetwork) {
    self.network = network
  }
}

extension ServerEnvironment {
  /// The way to hospitals' servers.
  var hospitals: HospitalNetwork { features[HospitalExchange.self].network }
  /// Wakes the exchange with hospitals.
  var hospitalWake: WakeSignal { features[HospitalExchange.self].wake }
}
