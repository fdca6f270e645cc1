// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Presentation
import Storage
import Studies
import Web

/// `/api/v1/research`: the counts and the pseudonymised export of the study whose researcher's token is sent.
package enum ResearchAPI {
  /// The routes for researchers.
  ///
  /// They are open to strangers, because the token of a researcher opens nothing else and is read there.
  package static let all: [Route] = [
    .open(.get, "\(path)/counts", as: .api, counts),
    .open(.get, "\(path)/files", as: .api, files),
    .open(.get, "\(path)/files/:file", as: .api, export),
  ]

  static let path = "/api/v1/research"

  private static func counts(_ call: Call) async throws -> Response {
    let caller = try await Self.caller(of: call)
    let authorization = try caller.authorize(.read)
    let counts = try await call.environment.database.read { reader in
      try StudyCounts.read(authorization, in: reader)
    }
    return JSONResponse.make([
      "study": .string(authorization.study.text), "open": .bool(counts.isOpen),
      "taking": .string(counts.taking), "withdrawn": .string(counts.withdrawn),
      "allocated": .string(counts.allocated),
    ])
  }

  private static func files(_ call: Call) async throws -> Response {
    let authorization = try await Self.caller(of: call).authorize(.read)
    let definition = try await call.environment.database.read { reader in
      guard let row = try StudyQueries.study(authorization.study, in: reader) else {
        throw StudyError.notFound
      }
      return try StudyQueries.definition(of: row.study, version: row.version, in: reader)
    }
    let names = StudyExportFile.all(of: definition).map { JSONValue.string($0.rawValue) }
    return JSONResponse.make(["files": .array(names)])
  }

  /// Answers with one file of the export, which is noted for the participants before its first byte.
  private static func export(_ call: Call) async throws -> Response {
    let caller = try await Self.caller(of: call)
    let authorization = try caller.authorize(.export)
    guard let file = StudyExportFile(rawValue: try call.parameter("file")) else {
      throw Failure.notFound
    }
    let environment = call.environment
    let export = try await StudyExport.begin(
      authorization, files: [file], byName: caller.researcher.name,
      id: environment.newIdentifier(), accounts: environment.accounts, zones: environment.zones,
      at: call.now, database: environment.database)
    return HistoryExport.file(file.rawValue, mediaType: file.mediaType) { sink in
      try await export.write(from: environment.database) { _, bytes in
        try await sink.write(ByteBuffer(bytes: bytes))
      }
    }
  }

  private static func caller(of call: Call) async throws -> ResearcherCaller {
    let scheme = "bearer "
    guard let header = call.request.headers[.authorization], header.utf8.count < 512,
      header.lowercased().hasPrefix(scheme)
    else { throw Failure.signInNeeded }
    let secret = Secret(text: String(header.dropFirst(scheme.count)))
    // An account may do more than a researcher, but it is none.
    guard call.signedIn == nil else { throw DenialReason.scopeNotAllowed }
    let caller = try await call.environment.database.read { reader in
      try ResearcherCaller.find(secret, in: reader)
    }
    guard let caller else { throw Failure.signInNeeded }
    return caller
  }
}
