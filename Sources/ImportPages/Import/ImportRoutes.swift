// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HealthData
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Prescriptions
import Presentation
import SiteMap
import Storage
import Web

/// The import of prescriptions from a file, and the decisions about them.
package enum ImportRoutes {
  /// The routes of the upload, its review, and the proposals on Today.
  package static let all: [Route] = [
    .page(.get, Address.medicineImport, form),
    .page(.post, Address.medicineImport, upload)
      .taking(upTo: { $0.maximumUpload + ReceivedFile.formBytes }),
    .page(.get, MedicineColumns.pattern, MedicineColumns.show),
    .form(MedicineColumns.pattern, MedicineColumns.decide),
    .form(MedicineColumns.undoPattern, MedicineColumns.undo),
    .page(.get, "/import/:upload", ImportReview.show),
    .form("/import/:upload", ImportReview.decide),
    .form("/proposals/:proposal", ProposalDecisions.decide),
  ]

  /// The routes that are served only on the Unix socket: anyone who can open it owns the data
  /// folder.
  package static let host: [Route] = [
    .open(.post, socketPath, as: .api, importOnHost).taking(upTo: ImportOptions.maximumBytes)
  ]

  private static let socketPath = "/administration/import"

  /// Returns the path and query to which the command line sends a file.
  package static func hostPath(_ options: ImportOptions) -> String {
    hostPath(options, to: socketPath)
  }

  static func hostPath(_ options: ImportOptions, to path: String) -> String {
    var pairs = [("name", options.fileName)]
    if let patient = options.patient { pairs.append(("patient", patient.text)) }
    if let name = options.personName { pairs.append(("person-name", name)) }
    if options.accept { pairs.append(("accept", "1")) }
    if options.isTrial { pairs.append(("dry-run", "1")) }
    return path + "?"
      + pairs.map { "\($0.0)=\(QueryText.encode($0.1))" }.joined(separator: "&")
  }

  private static func importOnHost(_ call: Call) async throws -> Response {
    var options = ImportOptions(
      patient: call.queryValue("patient").map(PatientID.init),
      accept: call.queryValue("accept") != nil,
      isTrial: call.queryValue("dry-run") != nil, fileName: call.queryValue("name") ?? "")
    options.personName = call.queryValue("person-name")
    let reader = FileInParts(fileName: options.fileName)
    try await BodyReader.pieces(of: call) { reader.append(Array($0)) }
    let lines = try await HostImport(environment: call.environment).perform(
      reader.reader, options)
    return JSONResponse.make(["lines": .array(lines)])
  }

  // MARK: Upload

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, "MedicationRequest", of: patient)
    let zones = call.environment.zones
    let (tables, zone) = try await call.environment.database.read { reader in
      (
        try TableImports.all(patient: patient, in: reader),
        try PeopleQueries.zone(patient, zones: zones, in: reader)
      )
    }
    var page = ImportFormPage(mistake: nil)
    page.tables = tables
    page.words = DoseFormatter(localizer: call.localizer, zone: zone, now: call.now)
    return page.response(call)
  }

  private static func upload(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    _ = try call.authorize(.create, "MedicationRequest", of: call.patient(of: signedIn))
    let type = call.request.headers[.contentType] ?? ""
    guard MultipartReader(contentType: type) != nil else {
      // A form without a file: it still must come from a page of this server.
      try ForgeryGuard.check(try await FormBody.read(call), of: call)
      return ImportFormPage(mistake: .missing).response(call)
    }
    let upload = ReceivedUpload(call: call, signedIn: signedIn, contentType: type)
    do {
      try await BodyReader.pieces(of: call) { try await upload.append($0) }
      try await upload.finish()
    } catch let mistake as ImportMistake {
      try await upload.discard()
      return ImportFormPage(mistake: mistake).response(call)
    } catch {
      try await upload.discard()
      throw error
    }
    let isTable = await upload.isTable
    return call.redirect(
      to: isTable ? MedicineColumns.address(upload.id) : "\(Address.medicineImport)/\(upload.id)")
  }
}

/// A mistake in an uploaded file as a whole.
enum ImportMistake: String, Error, Sendable, CaseIterable {
  case missing
  case tooLarge = "too-large"
  case notFHIR = "not-fhir"
  case encoding
  case tooManyRows = "too-many-rows"
  case tableTooLarge = "table-too-large"

  /// Creates the mistake from a problem with a table.
  init(_ problem: TableText.Problem) {
    switch problem {
    case .empty: self = .missing
    case .oneColumn, .binary: self = .notFHIR
    case .encoding: self = .encoding
    case .tooManyRows: self = .tooManyRows
    case .tooLarge: self = .tableTooLarge
    }
  }
}
