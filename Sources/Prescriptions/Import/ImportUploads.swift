// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Files between their upload and the decision about them, stored in the database in chunks.
///
/// Each account has one at a time, and old ones are deleted after 24 hours. Every node sees them, and none
/// has more than a chunk in memory.
package struct ImportUploads: Sendable {
  /// The maximum size of a chunk, in bytes.
  package static let pieceBytes = 256 * 1024
  private static let lifetime: Int64 = 24 * 3_600_000

  private let database: Database
  private let patient: PatientID

  /// Creates the store of one patient's files.
  package init(database: Database, patient: PatientID) {
    self.database = database
    self.patient = patient
  }

  /// Deletes the earlier uploads of an account.
  package func clear(account: AccountID) async throws {
    let patient = patient
    try await database.write { writer in
      try writer.execute(
        "DELETE FROM import_uploads WHERE patient = $1 AND account = $2",
        [SQLValue(patient), SQLValue(account)])
    }
  }

  /// Stores the next chunk of a file.
  ///
  /// - Parameters:
  ///   - piece: the number of the chunk, from 0.
  ///   - upload: the identifier of the file.
  package func add(
    _ bytes: [UInt8], piece: Int, to upload: String, account: AccountID, fileName: String,
    at now: Timestamp
  ) async throws {
    let patient = patient
    try await database.write { writer in
      try writer.execute(
        """
        INSERT INTO import_uploads (patient, upload, piece, account, file_name, bytes, created)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        [
          SQLValue(patient), SQLValue(upload), SQLValue(piece), SQLValue(account),
          SQLValue(fileName), .blob(bytes), SQLValue(now),
        ])
    }
  }

  /// Deletes a file.
  package func remove(_ upload: String) async throws {
    let patient = patient
    try await database.write { writer in
      try writer.execute(
        "DELETE FROM import_uploads WHERE patient = $1 AND upload = $2",
        [SQLValue(patient), SQLValue(upload)])
    }
  }

  /// Reads a file chunk by chunk; returns nil if there is none with this identifier.
  package func file(_ upload: String) async throws -> (file: ImportFile, name: String)? {
    var piece = 0
    var name: String?
    var reader = ImportFileReader(fileName: "")
    while let found = try await read(piece, of: upload) {
      if name == nil { reader = ImportFileReader(fileName: found.name) }
      name = found.name
      reader.append(found.bytes)
      piece += 1
    }
    guard let name else { return nil }
    return (reader.finish(), name)
  }

  /// Returns the files that wait for a decision.
  package func list() async throws -> [(id: String, name: String)] {
    let patient = patient
    return try await database.read { reader in
      try reader.query(Self.listStatement, [.text(patient)]).map { row in
        let upload = row.read(ListedUploadRow.self)
        return (id: try upload.text(.upload), name: try upload.text(.fileName))
      }
    }
  }

  private static let listStatement = SQLStatement(
    """
    SELECT \(ListedUploadRow.columns) FROM import_uploads WHERE patient = $1 AND piece = 0
    ORDER BY upload
    """)

  /// Returns one chunk of a file; nil after the last.
  ///
  /// - Parameter piece: the number of the chunk, from 0.
  package func piece(_ piece: Int, of upload: String) async throws -> [UInt8]? {
    try await read(piece, of: upload)?.bytes
  }

  private func read(_ piece: Int, of upload: String) async throws
    -> (bytes: [UInt8], name: String)?
  {
    let patient = patient
    return try await database.read { reader in
      let row = try reader.first(
        Self.pieceStatement, [.text(patient), .text(upload), SQLValue(piece)])
      guard let piece = row?.read(UploadPieceRow.self) else { return nil }
      return (try piece.blob(.bytes), try piece.text(.fileName))
    }
  }

  private static let pieceStatement = SQLStatement(
    """
    SELECT \(UploadPieceRow.columns) FROM import_uploads
    WHERE patient = $1 AND upload = $2 AND piece = $3
    """)

  /// Deletes files about which no one decided within 24 hours.
  package static func forgetOld(at now: Timestamp, in writer: any SQLWriter) throws {
    try writer.execute(
      "DELETE FROM import_uploads WHERE created < $1",
      [SQLValue(now.adding(milliseconds: -lifetime))])
  }
}

enum ListedUploadRow: SQLRowType {
  enum Column: Int, SQLColumn { case upload, fileName }

  static let columns = SQLColumns<Column>()
}

enum UploadPieceRow: SQLRowType {
  enum Column: Int, SQLColumn { case bytes, fileName }

  static let columns = SQLColumns<Column>()
}
