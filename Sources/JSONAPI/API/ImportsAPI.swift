// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import ImportPages
import Localization
import People
import Prescriptions
import Presentation
import Storage
import Web

/// `POST /api/v1/imports`: imports a file of prescriptions, administrations and dispenses.
package enum ImportsAPI {
  /// The route that imports a file; it accepts bodies up to the maximum upload of the settings.
  package static let all: [Route] = [
    .api(.post, path, take).taking(upTo: { $0.maximumUpload })
  ]

  static let path = "/api/v1/imports"

  /// The most prescriptions that a dry run shows one by one.
  private static let mostPreviewed = 200
  /// The media types of files, with whether each line is a resource.
  private static let mediaTypes: [String: Bool] = [
    "application/fhir+json": false, "application/json": false, "application/fhir+ndjson": true,
    "application/x-ndjson": true, "application/ndjson": true,
  ]

  private static func take(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    _ = try call.authorize(.create, "MedicationRequest", of: patient)
    let environment = call.environment
    guard try await environment.database.read({ try PeopleQueries.exists(patient, in: $0) })
    else { throw Failure.notFound }
    let isLines = try isLines(call)
    var options = ImportOptions(
      patient: patient, accept: try flag("accept", call), isTrial: try flag("dryRun", call),
      fileName: String((call.queryValue("name") ?? "").prefix(120)))
    options.language = call.localizer.language
    let taken = options
    let file = FileInParts(fileName: isLines ? "lines.ndjson" : "", isDigested: true)
    try await BodyReader.pieces(of: call) { file.append(Array($0)) }
    let question = "\(patient)\n\(options.accept)\n\(options.isTrial)\n\(options.fileName)"
    return try await IdempotentWrite.performInSteps(
      call, signedIn, digest: file.digest(with: question)
    ) {
      var reader = file.reader
      try HostImport.checkFormat(reader.format)
      let patientImport = PatientImport(
        environment: environment, patient: patient, region: call.region,
        context: { environment.commandContext(for: signedIn, now: environment.now()) })
      let own = try await patientImport.own(reader.finish())
      var answer = JSONValue.object(JSONObject())
      if options.isTrial {
        answer["previews"] = .array(
          try await patientImport.previews(
            of: own.prescriptions.prefix(mostPreviewed), in: call.localizer.language))
      }
      for (name, value) in try await patientImport.perform(own, taken).object ?? JSONObject() {
        answer[name] = value
      }
      return WrittenAnswer(status: 200, json: answer)
    }
  }

  private static func isLines(_ call: Call) throws -> Bool {
    let type = call.request.headers[.contentType] ?? ""
    let essence = type.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
    guard let isLines = essence.flatMap({ mediaTypes[$0] }) else {
      let known = mediaTypes.keys.sorted().joined(separator: ", ")
      throw Failure(
        .unsupportedMediaType, code: "media-type", detail: "Send the file as one of \(known).")
    }
    return isLines
  }

  private static func flag(_ name: String, _ call: Call) throws -> Bool {
    switch call.queryValue(name) {
    case nil, "false": return false
    case "true": return true
    default: throw Failure.unprocessable("value", "\(name) must be true or false.")
    }
  }
}
