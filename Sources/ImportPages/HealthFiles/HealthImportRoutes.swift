// SPDX-License-Identifier: Apache-2.0

import FHIR
import HealthData
import Hummingbird
import Identifiers
import Storage
import Web

/// The upload of files of measurements by the operator.
package enum HealthImportRoutes {
  /// The routes that are served only on the Unix socket: anyone who can open it owns the data
  /// folder.
  package static let host: [Route] = [
    .open(.post, path, as: .api, take).taking(upTo: maximumFile, within: 3 * 3_600)
  ]

  static let path = "/administration/health-import"
  /// Ten times the size of a compressed export of many years.
  static let maximumFile = 16 << 30

  /// Returns the path and query to which the command line sends a file.
  package static func hostPath(
    _ options: ImportOptions, columns: [TableMapping.Question: String]
  ) -> String {
    ImportRoutes.hostPath(options, to: path)
      + columns.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "&column-\($0.key.rawValue)=\(QueryText.encode($0.value))" }.joined()
  }

  private static func take(_ call: Call) async throws -> Response {
    let environment = call.environment
    let options = ImportOptions(
      patient: call.queryValue("patient").map(PatientID.init),
      accept: call.queryValue("accept") != nil,
      isTrial: call.queryValue("dry-run") != nil, fileName: call.queryValue("name") ?? "")
    let upload = try TemporaryUpload(
      name: environment.newIdentifier(), settings: environment.settings)
    try await BodyReader.pieces(of: call) { try upload.append($0) }
    try upload.close()
    var columns: [TableMapping.Question: String] = [:]
    for question in TableMapping.Question.allCases {
      columns[question] = call.queryValue("column-\(question.rawValue)")
    }
    let line = try await HostImport(environment: environment).performHealth(
      path: upload.path, options, columns: columns)
    return JSONResponse.make(["lines": [line]])
  }
}

extension HostImport {
  /// Imports a file of measurements and returns its counts as JSON.
  ///
  /// The patient is the one named by the options, or the only one. In an empty installation, a
  /// patient without a name is created.
  ///
  /// - Parameters:
  /// - path: The path of the file on this machine.
  /// - isPrivate: True if no one else can write to the file; otherwise a database is copied before
  ///   it is read.
  /// - columns: The columns of a table as typed; empty to recognize them by their names.
  /// - progress: Called from time to time; an error that it throws stops the import.
  /// - Throws: ``Failure`` with the code of the problem if the file, a column or the patient is not
  ///   usable.
  package func performHealth(
    path: String, isPrivate: Bool = true, _ options: ImportOptions,
    columns: [TableMapping.Question: String] = [:],
    progress: @escaping @Sendable (HealthImportProgress) throws -> Void = { _ in }
  ) async throws -> JSONValue {
    var path = path
    var copy: TemporaryUpload?
    defer { copy?.remove() }
    if !isPrivate, Self.isDatabase(path) {
      let made = try TemporaryUpload(
        copying: path, name: environment.newIdentifier(), settings: environment.settings)
      path = made.path
      copy = made
    }
    do {
      // Checked before a patient is created for an unreadable file.
      let mapping = try Self.mapping(path, columns)
      let patient = try await onlyPatient(options)
      let run = HealthFileImport(
        environment: environment, patient: patient, context: context, isTrial: options.isTrial,
        mapping: mapping)
      return try await run.perform(path: path, accept: options.accept, progress: progress)
        .json(patient: patient)
    } catch let error as HealthFileError {
      throw Failure.unprocessable(error.rawValue, Self.detail(error))
    }
  }

  private static func isDatabase(_ path: String) -> Bool {
    guard let head = try? HealthFile(path: path).head(64) else { return false }
    return HealthFileFormat.of(head: head) == .gadgetbridge
  }

  /// Detects the kind of file, and the meaning of columns if it is a table.
  private static func mapping(_ path: String, _ columns: [TableMapping.Question: String]) throws
    -> TableMapping?
  {
    guard case .table(let table) = try HealthFileSource(try HealthFile(path: path)) else {
      return nil
    }
    var mapping = TableMapping(guessedFrom: table.header)
    do throws(TableMapping.Question) {
      let typed = try TableMapping(answers: columns, header: table.header)
      for question in typed.answers.keys { mapping[question] = typed[question] }
    } catch {
      throw Failure.unprocessable(
        "columns", "--\(error.rawValue) does not name a column. Use one of: \(Self.names(table)).")
    }
    if let missing = mapping.mistake(columns: table.header.count) {
      throw Failure.unprocessable(
        "columns",
        """
        No column was recognised as the \(missing.rawValue). Name it with --\(missing.rawValue). \
        Columns: \(Self.names(table)).
        """)
    }
    return mapping
  }

  private static func names(_ table: TableFile) -> String {
    table.header.prefix(50).map { String($0.prefix(40)) }.joined(separator: ", ")
  }

  private static func detail(_ error: HealthFileError) -> String {
    switch error {
    case .unreadable: "The file cannot be read."
    case .empty: "The file is empty."
    case .brokenArchive: "The zip archive is damaged or incomplete. Export it again."
    case .encrypted: "The zip archive has a password. Send one without."
    case .unknownCompression:
      "The zip archive uses an unknown compression. Make the archive again."
    case .archiveTooLarge: "The zip archive is much larger inside than an export can be."
    case .noExport:
      """
      The file has no known form. Send an Apple Health export, a Gadgetbridge database, a table \
      (CSV), or what a health app sends. Send FHIR as JSON.
      """
    case .brokenDatabase: "The database is damaged, or not from Gadgetbridge."
    case .tooLarge: "The file is too large. Export fewer days at once."
    case .unknownColumns: "The columns of the table are not recognised. Name them."
    case .cancelled: "The import was stopped."
    }
  }
}
