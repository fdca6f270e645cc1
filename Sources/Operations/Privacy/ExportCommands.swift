// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import NIOCore
import People
import Presentation
import Storage
import Web

/// The export of everything about a person, made from the page or by the operator's command.
package enum ExportCommands {
  /// The resource that `Access` checks and that the audit trail names.
  static let resource = "Export"

  /// Answers a form of the page with the file.
  static func download(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let allowed = try form.authorize(.read, resource)
    let export = try await prepare(
      form.patient, by: allowed.actor.accountID, purpose: allowed.purpose,
      authorization: try form.authorize(.read, "Dose"),
      localizer: call.localizer, baseURL: call.baseURL, at: call.now, call.environment)
    return HistoryExport.file(PersonExport.fileName, mediaType: "application/zip") { sink in
      try await export.write { try await sink.write(ByteBuffer(bytes: $0)) }
    }
  }

  /// Writes the file on the host, readable only by its owner; it must not exist yet.
  static func write(
    _ patient: PatientID, to path: String, environment: ServerEnvironment
  ) async throws -> MaintenanceReport {
    let now = environment.now()
    let language = try await environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.unknownPatient }
      return try PeopleQueries.language(patient, in: reader) ?? .en
    }
    let actor = Actor.host(accountID: .hostOperator)
    guard
      case .allow(let authorization) = decide(
        actor: actor, action: .read, patient: patient, resource: "Dose", purpose: .administration)
    else { throw Failure.unknownPatient }
    let file = try NewPrivateFile(path: path)
    do {
      let export = try await prepare(
        patient, by: actor.accountID, purpose: .administration, authorization: authorization,
        localizer: Localizer.of(language), baseURL: environment.baseURL, at: now, environment)
      try await export.write { try file.write($0) }
      try file.close()
    } catch {
      file.discard()
      throw error
    }
    return MaintenanceReport(lines: ["Written: \(path), \(file.count) bytes."], isWell: true)
  }

  /// Records the export in the audit trail; the copy itself is made while it is written.
  private static func prepare(
    _ patient: PatientID, by actor: AccountID, purpose: Purpose, authorization: Authorization,
    localizer: Localizer, baseURL: String, at now: Timestamp, _ environment: ServerEnvironment
  ) async throws -> PersonExport {
    let zones = environment.zones
    let zone = try await environment.database.write { writer in
      writer.audit(
        AuditEntry(
          at: now, actor: actor, kind: .export, patient: patient, resource: resource,
          purpose: purpose.rawValue))
      return try PeopleQueries.zone(patient, zones: zones, in: writer)
    }
    return PersonExport(
      patient: patient, now: now, zone: zone, authorization: authorization, localizer: localizer,
      baseURL: baseURL, environment: environment)
  }
}

extension Failure {
  /// The operator may be told that the patient is unknown.
  static let unknownPatient = Failure(
    .notFound, code: "not-found", detail: "No patient has this id.")
}

/// A new file that only its owner can read.
final class NewPrivateFile {
  private let path: String
  private let handle: FileHandle
  private(set) var count = 0

  init(path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw StorageError.file(path: path, code: errno) }
      throw Failure(
        .conflict, code: "conflict",
        detail: "A file with this name already exists. Choose another name.")
    }
    self.path = path
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  func write(_ bytes: [UInt8]) throws {
    do {
      try handle.write(contentsOf: Data(bytes))
    } catch {
      throw StorageError.file(path: path, code: errno)
    }
    count += bytes.count
  }

  func close() throws {
    try handle.synchronize()
    try handle.close()
  }

  /// Deletes an incomplete copy.
  func discard() {
    try? handle.close()
    try? FileManager.default.removeItem(atPath: path)
  }
}
