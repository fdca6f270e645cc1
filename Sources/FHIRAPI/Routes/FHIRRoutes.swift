// SPDX-License-Identifier: Apache-2.0

import FHIR
import Hummingbird
import Web

/// `/fhir`: the FHIR R4 API, as described by `/fhir/metadata`.
package enum FHIRRoutes {
  /// All routes below `/fhir`; only the metadata can be read without signing in.
  package static let all: [Route] =
    [.open(.get, "/fhir/metadata", as: .fhir, metadata)] + FHIRReadRoutes.all
    + FHIRSearchRoutes.all + FHIRHistoryRoutes.all + FHIRWriteRoutes.all + BundleRoutes.all
    + FHIROperationRoutes.all + SubscriptionRoutes.all

  private static func metadata(_ call: Call) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let servesOrigins = !call.environment.settings.crossOrigins.isEmpty
    return JSONResponse.make(
      CapabilityStatement.json(baseURL: call.baseURL, servesOrigins: servesOrigins),
      mediaType: FHIRMedia.type)
  }
}
