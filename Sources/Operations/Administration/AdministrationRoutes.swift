// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// The route of administration commands on the Unix socket.
///
/// Whoever can open the socket owns the data folder, so no sign-in is needed; the route is never
/// served over TCP.
package enum AdministrationRoutes {
  /// The address of the commands on the socket.
  package static let path = "/administration"

  /// Returns the route, whose commands run in the given server.
  package static func all(environment: ServerEnvironment) -> [Route] {
    [
      .open(.post, path, as: .api) { call in
        let json = try await BodyReader.json(of: call)
        guard let command = AdministrationCommand(json: json) else {
          throw Failure.unprocessable("value", "Unknown administration command.")
        }
        let line = try await Administration(environment: environment).perform(command)
        return JSONResponse.make(["line": .string(line)])
      }
    ]
  }
}
