// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Telemetry
import Web

/// The route of the metrics on the Unix socket; never served over TCP.
package enum MetricsRoutes {
  /// The address of the metrics on the socket.
  package static let path = "/administration/metrics"

  /// The route, without a sign-in: anyone who can open the socket owns the data folder.
  package static let host: [Route] = [
    .open(.get, path, as: .api) { call in
      let text = await ServerMetrics(environment: call.environment).text()
      return TextResponse.make(text, type: MetricsText.contentType)
    }
  ]
}
