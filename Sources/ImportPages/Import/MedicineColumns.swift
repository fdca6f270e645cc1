// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HealthData
import Hummingbird
import Identifiers
import Localization
import People
import Prescriptions
import Scheduling
import SiteMap
import Storage
import Web

/// The page that assigns the columns of a table of medicines, between its upload and its review.
package enum MedicineColumns {
  static let pattern = "/import/columns/:upload"
  static let undoPattern = "/import/tables/:table/undo"

  /// The suffix that turns the name of a table into the name of its lines.
  private static let linesSuffix = ".ndjson"

  /// Returns the name of the uploaded table from the name of the lines made from it.
  static func tableName(_ lines: String) -> String {
    lines.hasSuffix(linesSuffix) ? String(lines.dropLast(linesSuffix.count)) : lines
  }

  /// The address of a table's page.
  static func address(_ upload: String) -> String { "/import/columns/\(upload)" }

  /// Reads an upload as a table; nil if there is none with that id.
  static func table(
    _ upload: String, in uploads: ImportUploads
  ) async throws -> (table: TableText, name: String)? {
    var bytes: [UInt8] = []
    var piece = 0
    while let more = try await uploads.piece(piece, of: upload) {
      bytes += more
      // One byte more shows that it is too large.
      if bytes.count > TableText.mostBytes { break }
      piece += 1
    }
    guard !bytes.isEmpty else { return nil }
    let name = try await uploads.list().first { $0.id == upload }?.name ?? ""
    return (try TableText(bytes), name)
  }

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, "MedicationRequest", of: patient)
    let (upload, table, name) = try await found(call, patient)
    return MedicineColumnsPage(
      upload: upload, name: name, table: table,
      mapping: MedicineTableMapping(guessedFrom: MedicineColumnsPage.header(table))
    ).response(call)
  }

  static func decide(_ form: PostedForm) async throws -> Response {
    let (call, patient) = (form.call, form.patient)
    _ = try form.authorize(.create, "MedicationRequest")
    let (upload, table, name) = try await found(call, patient)
    let uploads = ImportUploads(database: call.environment.database, patient: patient)
    if form.text("action") == "discard" {
      try await uploads.remove(upload)
      return form.redirect(to: Address.medicineImport)
    }
    let mapping = MedicineTableMapping(form.fields)
    var page = MedicineColumnsPage(
      upload: upload, name: name, table: table, mapping: mapping)
    guard mapping.fits(columns: MedicineColumnsPage.header(table).count) else {
      page.isUnmapped = true
      return page.response(call)
    }
    let read = MedicineTable(
      table.rows.dropFirst(), broken: table.broken, mapping: mapping,
      reader: try await reader(call, patient))
    guard form.text("action") == "take", !read.drafts.isEmpty || !read.taken.isEmpty else {
      page.read = read
      return page.response(call)
    }
    // From here on it is a file like any other: reviewed, accepted, and recognized if sent again.
    let lines = read.lines
    try await uploads.remove(upload)
    let next = call.environment.newIdentifier()
    var piece = 0
    while piece * ImportUploads.pieceBytes < lines.count {
      let begin = piece * ImportUploads.pieceBytes
      let end = min(lines.count, begin + ImportUploads.pieceBytes)
      try await uploads.add(
        Array(lines[begin..<end]), piece: piece, to: next, account: form.signedIn.account.id,
        fileName: "\(name.prefix(100))\(linesSuffix)", at: call.now)
      piece += 1
    }
    return form.redirect(to: "\(Address.medicineImport)/\(next)")
  }

  static func undo(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, "MedicationRequest")
    let id = try form.parameter("table")
    let (environment, signedIn) = (form.call.environment, form.signedIn)
    try await TableImports.takeBack(
      id, patient: form.patient, reason: form.localizer.text("import.table.undone-reason"),
      in: environment.database,
      context: { environment.commandContext(for: signedIn, now: environment.now()) })
    return form.redirect(to: "\(Address.medicineImport)?done=undone")
  }

  private static func found(
    _ call: Call, _ patient: PatientID
  ) async throws -> (upload: String, table: TableText, name: String) {
    let upload = try call.parameter("upload")
    let uploads = ImportUploads(database: call.environment.database, patient: patient)
    guard let found = try? await table(upload, in: uploads) else { throw Failure.notFound }
    return (upload, found.table, found.name)
  }

  private static func reader(
    _ call: Call, _ patient: PatientID
  ) async throws -> MedicineTable.Reader {
    let (zones, now) = (call.environment.zones, call.now)
    return try await call.environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      return MedicineTable.Reader(
        patient: patient, today: zone.date(at: Instant(milliseconds: now.milliseconds)), zone: zone,
        rhythm: try PeopleQueries.rhythm(patient, in: reader), now: now.milliseconds,
        generation: try TableImports.generation(patient: patient, in: reader))
    }
  }
}
