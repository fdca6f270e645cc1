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
  /// The last pseudonym of each page.
  private var ends: [StudyPseudonym] = []

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
    var export = try await database.write { writer -> StudyExport in
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
          closed: row.closed, now: now, zones: zones, seed: seed), ends: [])
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
  private mutating func note(
    _ actor: AccountID, at now: Timestamp, _ database: Database
  ) async throws -> Int {
    let source = source
    var count = 0
    while true {
      let after = ends.last ?? StudyPseudonym("")
      let (end, number) = try await database.write { writer -> (StudyPseudonym?, Int) in
        let page = try StudyQueries.page(
          of: source.study.id, after: after, limit: StudyPage.size, in: writer)
        let exported = page.filter(source.exports)
        for participant in exported {
          writer.audit(
            AuditEntry(
              at: now, actor: actor, kind: .export, patient: participant.patient,
              resource: StudyCommands.resource, resourceID: source.study.id.text,
              purpose: Purpose.administration.rawValue))
        }
        return (page.last?.pseudonym, exported.count)
      }
      guard let end else { return count }
      ends.append(end)
      count += number
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
    var tally = StudyTally()
    let pages = wanted == [.dictionary] ? [] : ends
    // Two pages are read at the same time, so that memory stays small and two processors work.
    for index in stride(from: 0, to: pages.count, by: 2) {
      async let first = Self.page(index, of: pages, source, wanted, database)
      async let second = Self.page(index + 1, of: pages, source, wanted, database)
      for page in [try await first, try await second].compactMap(\.self) {
        for file in files {
          guard let bytes = page.bytes[file], !bytes.isEmpty else { continue }
          try await sink(file, bytes)
        }
        tally.add(page.tally)
      }
    }
    if wanted.contains(.summary) {
      var line = StudyLine()
      for row in tally.rows(of: source.study) { line.line(row) }
      try await sink(.summary, line.bytes)
    }
    if wanted.contains(.dictionary) { try await sink(.dictionary, dictionary) }
  }

  /// Reads a page; nil for one after the last.
  private static func page(
    _ index: Int, of ends: [StudyPseudonym], _ source: StudySource,
    _ files: Set<StudyExportFile>, _ database: Database
  ) async throws -> StudyPage? {
    guard ends.indices.contains(index) else { return nil }
    let (after, end) = (index == 0 ? StudyPseudonym("") : ends[index - 1], ends[index])
    return try await database.read { reader in
      try StudyPage(after: after, through: end, of: source, files, in: reader)
    }
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
