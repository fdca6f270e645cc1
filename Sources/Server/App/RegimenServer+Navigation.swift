// SPDX-License-Identifier: Apache-2.0

import SiteMap
import Web

extension RegimenServer {
  /// The addresses of the places in the navigation.
  static let navigation = NavigationAddresses([
    .today: "/", .medicines: Address.medicines, .lookup: Address.knowledge,
    .progress: Address.progress, .people: Address.people, .inbox: Address.conversations,
    .me: Address.me, .patients: Address.careTeam,
  ])
}
