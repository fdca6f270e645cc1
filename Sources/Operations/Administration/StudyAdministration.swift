// SPDX-License-Identifier: Apache-2.0

import Access
import AccountPages
import Accounts
import Encodings
import FHIR
import Foundation
import HTTPTypes
import Identifiers
import People
import Storage
import Studies
import Web

/// A command of the operator about studies.
package enum StudyAdministrationCommand: Sendable, Hashable {
  /// Loads the text of a study file.
  case load(text: String)
  /// Lists the studies with their researchers.
  case list
  /// Ends joining, and takes back what the arms added.
  case close(id: String)
  /// Shows the allocation of a closed study.
  case allocation(id: String)
  /// Writes the export into a new folder.
  case export(id: String, folder: String)
  /// Adds a researcher and shows the token once.
  case addResearcher(id: String, name: String)
  /// Ends the token of a researcher.
  case revokeResearcher(id: String, researcher: String)

  /// The command as it is sent through the socket.
  package var json: JSONValue {
    switch self {
    case .load(let text): ["command": "study load", "text": .string(text)]
    case .list: ["command": "study list"]
    case .close(let id): ["command": "study close", "id": .string(id)]
    case .allocation(let id): ["command": "study allocation", "id": .string(id)]
    case .export(let id, let folder):
      ["command": "study export", "id": .string(id), "folder": .string(folder)]
    case .addResearcher(let id, let name):
      ["command": "study researcher", "id": .string(id), "name": .string(name)]
    case .revokeResearcher(let id, let researcher):
      ["command": "study revoke", "id": .string(id), "researcher": .string(researcher)]
    }
  }

  /// Creates the command from JSON; nil if it is not one of these commands.
  package init?(json: JSONValue) {
    let id = json["id"]?.string
    switch json["command"]?.string {
    case "study load":
      guard let text = json["text"]?.string else { return nil }
      self = .load(text: text)
    case "study list": self = .list
    case "study close":
      guard let id else { return nil }
      self = .close(id: id)
    case "study allocation":
      guard let id else { return nil }
      self = .allocation(id: id)
    case "study export":
      guard let id, let folder = json["folder"]?.string else { return nil }
      self = .export(id: id, folder: folder)
    case "study researcher":
      guard let id, let name = json["name"]?.string else { return nil }
      self = .addResearcher(id: id, name: name)
    case "study revoke":
      guard let id, let researcher = json["researcher"]?.string else { return nil }
      self = .revokeResearcher(id: id, researcher: researcher)
    default: return nil
    }
  }
}

/// Manages studies, from the host.
extension Administration {
  /// The participants whose settings are taken back in one transaction.
  private static let pageSize = 100

  /// Runs a command and returns the lines to print.
  func perform(_ command: StudyAdministrationCommand) async throws -> String {
    let commands = StudyCommands(accounts: environment.accounts)
    let (account, now) = (AccountID.hostOperator, environment.now())
    switch command {
    case .load(let text): return try await load(text, commands)
    case .list: return try await list()
    case .close(let id): return try await close(StudyID(id), commands)
    case .allocation(let id):
      let (seed, order) = try await environment.database.write { writer in
        try commands.allocation(of: StudyID(id), by: account, at: now, in: writer)
      }
      let lines = order.enumerated().map { "\($0.offset) \($0.element)" }
      return
        ([
          "seed \(Hexadecimal.encode(seed))",
          "commitment \(StudyAllocation.commitment(to: seed))",
        ] + lines)
        .joined(separator: "\n")
    case .export(let id, let folder): return try await export(StudyID(id), to: folder)
    case .addResearcher(let id, let name):
      let secret = Secret(prefix: Secret.researcherPrefix, random: environment.random)
      let researcher = environment.newIdentifier()
      try await environment.database.write { writer in
        try commands.addResearcher(
          researcher, name: name, to: StudyID(id), token: secret, by: account, at: now,
          in: writer)
      }
      return "\(researcher) \(secret.text)"
    case .revokeResearcher(let id, let researcher):
      try await environment.database.write { writer in
        try commands.revokeResearcher(
          researcher, of: StudyID(id), by: account, at: now, in: writer)
      }
      return researcher
    }
  }

  private func load(_ text: String, _ commands: StudyCommands) async throws -> String {
    let file = try StudyFile(Array(text.utf8))
    let (seed, now) = (environment.random(32), environment.now())
    try await environment.database.write { writer in
      try commands.load(file, seed: seed, by: .hostOperator, at: now, in: writer)
    }
    return "\(file.definition.id) version \(file.definition.version)"
  }

  private func list() async throws -> String {
    let lines = try await environment.database.read { reader in
      try StudyQueries.all(in: reader).flatMap { row -> [String] in
        let state = row.closed.map { "closed \(UTC.text($0))" } ?? "open"
        let researchers = try StudyQueries.researchers(of: row.study, in: reader).map { one in
          let use = one.revoked == nil ? "enabled" : "revoked"
          return "  researcher \(one.researcher) \(use) \(TerminalText.line(one.name))"
        }
        return [
          "\(row.study) version \(row.version) \(state) loaded \(UTC.text(row.loaded)) "
            + "commitment \(row.commitment)"
        ] + researchers
      }
    }
    return lines.joined(separator: "\n")
  }

  private func close(_ study: StudyID, _ commands: StudyCommands) async throws -> String {
    let now = environment.now()
    try await environment.database.write { writer in
      try commands.close(study, by: .hostOperator, at: now, in: writer)
    }
    let context = environment.commandContext(
      for: Actor.host(accountID: .hostOperator), byName: "", now: now)
    var last: StudyPseudonym? = StudyPseudonym("")
    while let after = last {
      last = try await environment.database.write { writer in
        try commands.end(study, after: after, limit: Self.pageSize, context, in: writer)
      }
    }
    return study.text
  }

  /// Writes the files into a folder that must not exist yet, readable only by its owner.
  private func export(_ study: StudyID, to folder: String) async throws -> String {
    let decision = decideStudy(
      actor: Actor.host(accountID: .hostOperator), action: .export, study: study)
    let authorization: StudyAuthorization
    switch decision {
    case .allow(let allowed): authorization = allowed
    case .deny(let reason): throw reason
    }
    let manager = FileManager.default
    guard !manager.fileExists(atPath: folder) else {
      throw Failure(
        .conflict, code: "conflict", detail: "\(folder) exists. Name a folder that does not.")
    }
    let export = try await StudyExport.begin(
      authorization, files: nil, byName: "", id: environment.newIdentifier(),
      accounts: environment.accounts, zones: environment.zones, at: environment.now(),
      database: environment.database)
    do {
      try manager.createDirectory(
        atPath: folder, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .conflict, code: "conflict", detail: "\(folder) cannot be made by the server.")
    }
    var files: [StudyExportFile: NewPrivateFile] = [:]
    do {
      for file in export.files {
        files[file] = try NewPrivateFile(path: "\(folder)/\(file.rawValue)")
      }
      let opened = files
      try await export.write(from: environment.database) { file, bytes in
        try opened[file]?.write(bytes)
      }
      for file in export.files { try files[file]?.close() }
    } catch {
      for file in files.values { file.discard() }
      throw error
    }
    return "\(folder): \(export.files.count) files"
  }
}
