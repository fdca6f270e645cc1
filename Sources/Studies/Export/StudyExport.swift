// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage
import TimeZones

/// An export of a study's pseudonymised data, written in pieces, so that memory use does not depend on its length.
package struct StudyExport: Sendable {
  /// The files of the export.
  package let files: [StudyExportFile]
  private let source: StudySource

  /// Prepares the export of some files, and notes it for the participants and in the audit trail before anything is
  /// read.
  ///
  /// - Parameters:
  ///   - files: The files; nil for all of the study.
  ///   - byName: The name that participants see.
  ///   - id: A new identifier.
  /// - Throws: ``StudyError/notFound`` for an unknown study, or a file that it does not have.
  package static func begin(
    _ authorization: StudyAuthorization, files: [StudyExportFile]?, byName: String, id: String,
    accounts: AccountStore, zones: ZoneCatalog, at now: Timestamp, database: Database
  ) async throws -> StudyExport {
    guard authorization.action == .export else { throw StudyError.notFound }
    let (study, actor) = (authorization.study, authorization.actor.accountID)
    let export = try await database.write { writer -> StudyExport in
      guard let row = try StudyQueries.study(study, in: writer) else { throw StudyError.notFound }
      let definition = try StudyQueries.definition(of: study, version: row.version, in: writer)
      let known = StudyExportFile.all(of: definition)
      let chosen = files ?? known
      guard Set(chosen).isSubset(of: known) else { throw StudyError.notFound }
      let seed = try StudySeed.of(study, orKeep: [], accounts: accounts, in: writer)
      return StudyExport(
        files: chosen,
        source: StudySource(
          study: definition, versions: try StudyQueries.versions(of: study, in: writer),
          closed: row.closed, now: now, zones: zones, seed: seed,
          scores: StudyQuestionnaires.connected))
    }
    let count = try await export.note(actor, at: now, database)
    let note = StudyExportNote(
      study: study, export: id, made: now, byName: byName,
      files: export.files.map(\.rawValue).joined(separator: " "), participants: count)
    try await database.write { writer in
      try StudyStore.insert(note, in: writer)
      writer.audit(
        AuditEntry(
          at: now, actor: actor, kind: .export, patient: nil, resource: StudyCommands.resource,
          resourceID: study.text, purpose: Purpose.administration.rawValue, count: max(1, count)))
    }
    return export
  }

  /// Writes the export into the access log of each participant, and returns their number.
  private func note(
    _ actor: AccountID, at now: Timestamp, _ database: Database
  ) async throws -> Int {
    let source = source
    var (count, last) = (0, StudyPseudonym(""))
    while true {
      let after = last
      let page = try await database.write { writer -> StudyPage in
        let page = try StudyPage(after: after, of: source, [], in: writer)
        for patient in page.patients {
          writer.audit(
            AuditEntry(
              at: now, actor: actor, kind: .export, patient: patient,
              resource: StudyCommands.resource, resourceID: source.study.id.text,
              purpose: Purpose.administration.rawValue))
        }
        return page
      }
      guard let end = page.last else { return count }
      count += page.patients.count
      last = end
    }
  }

  /// Writes the files, piece by piece; the pieces of one file come in its order.
  package func write(
    from database: Database, _ sink: (StudyExportFile, [UInt8]) async throws -> Void
  ) async throws {
    let wanted = Set(files)
    for file in files where file != .dictionary {
      var line = StudyLine()
      let columns = file.columns(of: source.study)
      if !columns.isEmpty { line.line(columns.map(\.name)) }
      try await sink(file, line.bytes)
    }
    var (tally, last) = (StudyTally(), StudyPseudonym(""))
    let source = source
    while wanted != [.dictionary] {
      let after = last
      let page = try await database.read { reader in
        try StudyPage(after: after, of: source, wanted, in: reader)
      }
      guard let end = page.last else { break }
      for file in files {
        guard let bytes = page.bytes[file], !bytes.isEmpty else { continue }
        try await sink(file, bytes)
      }
      tally.add(page.tally)
      last = end
    }
    if wanted.contains(.summary) {
      var line = StudyLine()
      for row in tally.rows(of: source.study) { line.line(row) }
      try await sink(.summary, line.bytes)
    }
    if wanted.contains(.dictionary) { try await sink(.dictionary, dictionary) }
  }

  /// The data dictionary: every column of every file of the study.
  private var dictionary: [UInt8] {
    var line = StudyLine()
    line.line(StudyExportFile.dictionary.columns(of: source.study).map(\.name))
    for file in StudyExportFile.all(of: source.study) {
      for column in file.columns(of: source.study) {
        line.line([file.rawValue, column.name, column.meaning])
      }
    }
    return line.bytes
  }
}
