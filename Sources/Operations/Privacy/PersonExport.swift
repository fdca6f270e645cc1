// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import Diary
import Dosing
import Encodings
import FHIR
import Identifiers
import Localization
import Observations
import Prescriptions
import Presentation
import Records
import Reminders
import Scheduling
import Storage
import Web

/// An export of everything about a person, as one zip file written in pieces, so that memory use
/// does not depend on its length.
///
/// The caller has checked `Access` and recorded the export before the first byte.
struct PersonExport: Sendable {
  let patient: PatientID
  let now: Timestamp
  let zone: Zone
  /// The permission for doses and answers, which the readable table needs.
  let authorization: Authorization
  let localizer: Localizer
  let baseURL: String
  let environment: ServerEnvironment

  /// The name of the file.
  static let fileName = "regimen-export.zip"  // not a message

  /// Writes the archive from its first to its last byte.
  func write(_ sink: ([UInt8]) async throws -> Void) async throws {
    var zip = ZipArchive()
    try await file("about.txt", Array(about.utf8), in: &zip, sink)
    try await history(in: &zip, sink)
    try await doses(in: &zip, sink)
    try await accessLog(in: &zip, sink)
    try await file("account.json", try await accounts().bytes, in: &zip, sink)
    for table in try await environment.database.patientTables()
    where !Self.toldElsewhere.contains(table.name) {
      try await rows(of: table, in: &zip, sink)
    }
    try await photo(in: &zip, sink)
    try await medicinePhotos(in: &zip, sink)
    try await diaryPhotos(in: &zip, sink)
    try await careNotes(in: &zip, sink)
    try await ChatExport(export: self).write(in: &zip, sink)
    try await uploads(in: &zip, sink)
    try await sink(try zip.finish())
  }

  /// Tables whose content is in the Bundle or in files.
  private static let toldElsewhere = PatientHistory.tables.union([
    "import_uploads", "person_photos", "diary_photos", "chat_messages", "chat_photos",
    "communications",
  ])

  func file(
    _ name: String, _ content: [UInt8], in zip: inout ZipArchive,
    _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    try await sink(try zip.begin(name) + zip.add(content) + zip.end())
  }

  private var about: String {
    let lines = [
      "about", "history", "doses", "looked", "account", "data", "photo", "medicine-photos",
      "diary-photos", "care-notes", "chat",
      "uploads",
    ].map {
      localizer.text("privacy.export.file", ["file": .text($0)])
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  // MARK: FHIR

  /// Writes a Bundle of type history with every version of every resource, including deletions.
  private func history(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    try await sink(try zip.begin("fhir-history.json"))
    let head: JSONValue = [
      "resourceType": "Bundle", "type": "history",
      "timestamp": .string(
        FHIRDateTime.instantText(milliseconds: now.milliseconds, offsetMinutes: 0)),
    ]
    var bytes = Array(head.bytes.dropLast())
    var isFirst = true
    for type in ResourceType.allCases {
      var place: PatientHistory.Place?
      while true {
        let (patient, from) = (patient, place)
        let records = try await environment.database.read { reader in
          try PatientHistory.page(type, of: patient, after: from, in: reader)
        }
        for record in records {
          bytes.append(contentsOf: (isFirst ? ",\"entry\":[" : ",").utf8)
          isFirst = false
          append(record, to: &bytes)
        }
        try await sink(try zip.add(bytes))
        bytes.removeAll(keepingCapacity: true)
        guard let last = records.last else { break }
        place = PatientHistory.Place(last)
      }
    }
    let tail = isFirst ? "}" : "]}"
    try await sink(try zip.add(Array(tail.utf8)) + zip.end())
  }

  private func append(_ record: StoredRecord, to bytes: inout [UInt8]) {
    let address = "\(record.type)/\(record.id)"
    let (method, status) =
      switch record.operation {
      case .create: ("POST", "201")
      case .update: ("PUT", "200")
      case .delete: ("DELETE", "204")
      }
    bytes.append(contentsOf: "{\"fullUrl\":".utf8)
    JSONValue.string("\(baseURL)/fhir/\(address)").write(into: &bytes)
    if !record.isDeleted {
      bytes.append(contentsOf: ",\"resource\":".utf8)
      bytes.append(contentsOf: record.body.utf8)
    }
    let request: JSONValue = [
      "method": .string(method), "url": .string(method == "POST" ? record.type : address),
    ]
    let response: JSONValue = [
      "status": .string(status), "etag": .string("W/\"\(record.version)\""),
      "lastModified": .string(
        FHIRDateTime.instantText(
          milliseconds: record.lastUpdated.milliseconds, offsetMinutes: 0)),
    ]
    bytes.append(contentsOf: ",\"request\":".utf8)
    bytes.append(contentsOf: request.bytes)
    bytes.append(contentsOf: ",\"response\":".utf8)
    bytes.append(contentsOf: response.bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  // MARK: Tables

  /// Writes the history as a person reads it.
  private func doses(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    let export = HistoryExport(
      filter: HistoryFilter(), patient: patient, from: Timestamp(milliseconds: .min),
      until: Timestamp(milliseconds: zone.startOfDay(today.adding(days: 1)).milliseconds),
      now: now, zone: zone, authorization: authorization, environment: environment)
    try await sink(try zip.begin("doses.csv"))
    try await HistoryCSV(export: export, localizer: localizer).write { text in
      try await sink(try zip.add(Array(text.utf8)))
    }
    try await sink(try zip.end())
  }

  private func accessLog(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let header = [
      "at", "account", "name", "kind", "resource", "id", "version", "purpose", "outcome", "count",
      "app",
    ]
    try await sink(try zip.begin("who-looked.csv") + zip.add(Array(CSVText.line(header).utf8)))
    var query = AuditQuery(patient: patient)
    while true {
      let (wanted, accounts) = (query, environment.accounts)
      let part = try await environment.database.read { reader in
        try AccessLogPart.read(wanted, limit: 500, accounts: accounts, in: reader)
      }
      let lines = part.events.map { event in
        let entry = event.entry
        return CSVText.line([
          FHIRDateTime.instantText(milliseconds: entry.at.milliseconds, offsetMinutes: 0),
          entry.actor.text, part.names[entry.actor] ?? "", entry.kind.rawValue, entry.resource,
          entry.resourceID ?? "", entry.version.map { "\($0)" } ?? "", entry.purpose,
          entry.outcome.rawValue, "\(entry.count)",
          entry.app.map { part.apps[$0] ?? $0.text } ?? "",
        ])
      }
      try await sink(try zip.add(Array(lines.joined().utf8)))
      guard let next = part.next else { break }
      query.after = next
    }
    try await sink(try zip.end())
  }

  /// Writes a stored table, without columns that give access to anything.
  private func rows(
    of table: PatientTable, in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let shown = table.columns.indices.filter { !ExportedCell.isSecret(table.columns[$0]) }
    var last: SQLRow?
    while true {
      let (patient, from) = (patient, last)
      let rows = try await environment.database.read { reader in
        try table.rows(of: patient, after: from, in: reader)
      }
      if last == nil {
        guard !rows.isEmpty else { return }
        let header = CSVText.line(shown.map { table.columns[$0] })
        try await sink(
          try zip.begin("data/\(table.name).csv") + zip.add(Array(header.utf8)))
      }
      guard let end = rows.last else { break }
      let lines = rows.map { row in
        shown.map { ExportedCell.text(row[$0]) }.joined(separator: ",") + "\r\n"
      }
      try await sink(try zip.add(Array(lines.joined().utf8)))
      last = end
    }
    try await sink(try zip.end())
  }

  // MARK: Accounts and files

  private func accounts() async throws -> JSONValue {
    let (patient, now, accounts) = (patient, now, environment.accounts)
    return try await environment.database.read { reader in
      .array(
        try accounts.copies(ofPatient: patient, in: reader).map { account, copy in
          var copy = copy
          copy["devices"] = .array(
            try PushSubscriptions.list(account, now: now, in: reader).map { device in
              [
                "address": .string(device.maskedAddress),
                "label": device.label.map(JSONValue.string) ?? .null,
                "created": .string(
                  FHIRDateTime.instantText(
                    milliseconds: device.created.milliseconds, offsetMinutes: 0)),
              ]
            })
          return .object(copy)
        })
    }
  }

  private func photo(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let patient = patient
    let found = try await environment.database.read { try PersonPhotos.photo(of: patient, in: $0) }
    if let found { try await file("photo.jpg", found.bytes, in: &zip, sink) }
  }

  /// Writes the large picture of each photo of a medicine, by plan and position.
  private func medicinePhotos(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let (patient, cipher) = (patient, environment.accounts.cipher)
    let photos = try await environment.database.read { reader in
      try AppearanceQueries.photos(of: patient, in: reader)
    }
    for (plan, photo) in photos {
      let found = try await environment.database.read { reader in
        try AppearanceQueries.picture(
          photo.id, .large, patient: patient, cipher: cipher, in: reader)
      }
      guard let found else { continue }
      try await file("medicine-photos/\(plan)-\(photo.place).jpg", found, in: &zip, sink)
    }
  }

  /// Writes each photo of the diary under the id of its entry.
  private func diaryPhotos(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let (patient, cipher) = (patient, environment.accounts.cipher)
    let photos = try await environment.database.read { try DiaryPhotos.all(of: patient, in: $0) }
    for photo in photos {
      let found = try await environment.database.read { reader in
        try DiaryPhotos.photo(photo.id, patient, cipher: cipher, in: reader)
      }
      guard let found else { continue }
      try await file("diary-photos/\(photo.entry)-\(photo.id).jpg", found, in: &zip, sink)
    }
  }

  /// Writes practitioners' notes, which are sealed in their table.
  private func careNotes(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let (patient, cipher) = (patient, environment.accounts.cipher)
    let notes = try await environment.database.read {
      try CareNotes.all(of: patient, cipher: cipher, in: $0)
    }
    guard !notes.isEmpty else { return }
    let lines =
      [CSVText.line(["at", "name", "note"])]
      + notes.map { note in
        CSVText.line([
          FHIRDateTime.instantText(milliseconds: note.created.milliseconds, offsetMinutes: 0),
          note.byName, note.text,
        ])
      }
    try await file("care-notes.csv", Array(lines.joined().utf8), in: &zip, sink)
  }

  private func uploads(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let uploads = ImportUploads(database: environment.database, patient: patient)
    for (number, upload) in try await uploads.list().enumerated() {
      let name = upload.name.replacing("/", with: "_")
      try await sink(try zip.begin("uploads/\(number + 1)-\(name)"))
      var piece = 0
      while let found = try await uploads.piece(piece, of: upload.id) {
        try await sink(try zip.add(found))
        piece += 1
      }
      try await sink(try zip.end())
    }
  }
}

/// The values of a table in a copy.
enum ExportedCell {
  /// Returns true if a column holds a secret, or only serves lookups: digests, seals.
  static func isSecret(_ column: String) -> Bool {
    ["digest", "_sealed", "_index", "_hash"].contains { column.hasSuffix($0) }
  }

  /// Returns numbers as they are; text that a spreadsheet would run is escaped.
  static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: ""
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): CSVText.cell(text)
    case .blob(let bytes): Base64URL.encode(bytes)
    }
  }
}
