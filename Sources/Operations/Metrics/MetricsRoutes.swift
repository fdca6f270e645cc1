// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Web

/// Metrics over the Unix socket; never served over TCP.
package enum MetricsRoutes {
  package static let path = "/administration/metrics"

  /// Who can open the socket owns the data folder, so no sign-in is needed.
  package static let host: [Route] = [
    .open(.get, path, as: .api) { call in
      let text = await ServerMetrics(environment: call.environment).text()
      return TextResponse.make(text, type: MetricsText.contentType)
    }
  ]
}
