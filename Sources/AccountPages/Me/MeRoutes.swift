// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import SiteMap
import Web

/// The list of a person's settings, and the lists below it.
package enum MeRoutes {
  /// The routes of the lists, which hold nothing but links.
  package static let all: [Route] =
    [Route.page(.get, Address.me) { call, _ in MePage.response(call) }]
    + SettingsList.allCases.map { list in
      Route.page(.get, list.address) { call, _ in list.response(call) }
    }
}
