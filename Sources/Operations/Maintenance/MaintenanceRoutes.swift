// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// The route of maintenance commands on the Unix socket; never served over TCP.
package enum MaintenanceRoutes {
  /// The address of the commands on the socket.
  package static let path = "/administration/maintenance"

  /// The route, without a sign-in: anyone who can open the socket owns the data folder.
  package static let host: [Route] = [
    .open(.post, path, as: .api) { call in
      let json = try await BodyReader.json(of: call)
      guard let command = MaintenanceCommand(json: json) else {
        throw Failure.unprocessable("value", "Unknown maintenance command.")
      }
      let report = try await Maintenance(environment: call.environment).perform(command)
      return JSONResponse.make(report.json)
    }
  ]
}
