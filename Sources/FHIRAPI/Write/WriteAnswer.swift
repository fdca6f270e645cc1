// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage
import Web

/// The answer to one change.
struct WriteAnswer: Sendable {
  let result: WriteResult
  let baseURL: String

  /// The entity tag of the version that was written; nil if nothing was.
  var etag: String? { (result.resource?.version ?? result.deletion).map { "W/\"\($0)\"" } }

  /// The address of the version that was written.
  var location: String? {
    result.resource.map { resource in
      let address = "\(baseURL)/fhir/\(resource.type.rawValue)/\(resource.id)"
      // Subscriptions have no history.
      return resource.type == .subscription
        ? address : "\(address)/_history/\(resource.version)"
    }
  }

  /// An OperationOutcome with the warnings, or with the news that there are none.
  var outcome: JSONValue {
    if let resource = result.resource, !resource.warnings.isEmpty || !resource.findings.isEmpty {
      return OperationOutcomeBuilder.json(resource.warnings, resource.findings)
    }
    let news =
      switch result.outcome {
      case .created: "The resource was created."
      case .updated: "The resource was stored."
      case .found: "The resource exists already. Nothing was changed."
      case .deleted:
        result.deletion == nil ? "There was nothing to delete." : "The resource was deleted."
      }
    return OperationOutcomeBuilder.json([
      FHIRIssue(severity: .information, code: .informational, diagnostics: news)
    ])
  }

  /// Returns the answer with the body that the client prefers.
  func written(_ preference: ReturnPreference?) -> WrittenAnswer {
    guard let resource = result.resource else {
      guard let preference, preference != .minimal else {
        return WrittenAnswer(status: 204, mediaType: FHIRMedia.type, body: [])
      }
      return WrittenAnswer(status: 200, mediaType: FHIRMedia.type, body: outcome.bytes)
    }
    let body: [UInt8] =
      switch preference ?? .representation {
      case .minimal: []
      case .representation: resource.body
      case .operationOutcome: outcome.bytes
      }
    return WrittenAnswer(
      status: result.status, mediaType: FHIRMedia.type,
      location: result.outcome == .created ? location : nil, etag: etag,
      lastModified: HTTPDate.text(milliseconds: resource.lastUpdated.milliseconds), body: body)
  }
}
