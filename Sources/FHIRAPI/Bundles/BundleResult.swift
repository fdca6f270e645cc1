// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Storage
import Web

/// The result of one entry.
enum BundleResult: Sendable {
  case change(WriteResult)
  case read(BundleRead.Answer)
  /// An entry of a batch that failed.
  case failure(Failure)

  /// The change, if there was one.
  var change: WriteResult? {
    if case .change(let result) = self { result } else { nil }
  }

  /// Returns the entry of the response.
  ///
  /// - Parameter preference: The content that the client asked for; without one, changes have no
  ///   body.
  func entry(_ preference: ReturnPreference?, baseURL: String) -> JSONValue {
    switch self {
    case .change(let result): Self.entry(result, preference, baseURL)
    case .read(let answer): answer.entry
    case .failure(let failure):
      [
        "response": [
          "status": .string(Self.status(failure.status)),
          "outcome": OperationOutcomeBuilder.json(failure.issues),
        ]
      ]
    }
  }

  private static func entry(
    _ result: WriteResult, _ preference: ReturnPreference?, _ baseURL: String
  ) -> JSONValue {
    let answer = WriteAnswer(result: result, baseURL: baseURL)
    var response: JSONValue = [
      "status": .string(status(of: result))
    ]
    response["location"] = answer.location.map(JSONValue.string)
    response["etag"] = answer.etag.map(JSONValue.string)
    response["lastModified"] = result.resource.map { resource in
      .string(
        FHIRDateTime.instantText(
          milliseconds: resource.lastUpdated.milliseconds, offsetMinutes: 0))
    }
    if preference == .operationOutcome { response["outcome"] = answer.outcome }
    var entry: JSONValue = [:]
    if let resource = result.resource {
      entry["fullUrl"] = .string("\(baseURL)/fhir/\(resource.type.rawValue)/\(resource.id)")
      if preference == .representation {
        entry["resource"] = try? JSONValue(parsing: resource.body)
      }
    }
    entry["response"] = response
    return entry
  }

  /// Returns the status of a change with its phrase, which a status made from a number lacks.
  private static func status(of result: WriteResult) -> String {
    switch result.status {
    case 201: status(.created)
    case 204: status(.noContent)
    default: status(.ok)
    }
  }

  /// Returns a status as in a response, such as `201 Created`.
  static func status(_ status: HTTPResponse.Status) -> String {
    "\(status.code) \(status.reasonPhrase)"
  }
}
