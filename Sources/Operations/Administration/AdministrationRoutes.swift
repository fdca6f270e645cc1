// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// The routes of the Unix socket.
///
/// Who can open the socket owns the data folder, so they have no door of their own; they are never
/// served over TCP.
package enum AdministrationRoutes {
  package static let path = "/administration"

  package static func all(environment: ServerEnvironment) -> [Route] {
    [
      .open(.post, path, as: .api) { call in
        let json = try await BodyReader.json(of: call)
        guard let command = AdministrationCommand(json: json) else {
          throw Failure.unprocessable("value", "This is not an administration command.")
        }
        let line = try await Administration(environment: environment).perform(command)
        return JSONResponse.make(["line": .string(line)])
      }
    ]
  }
}
