// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Foundation
import Identifiers
import Logging
import Storage
import Testing
import TestSupport

@testable import Records

/// The form of database that a suite runs on; further engines are added here.
enum DatabaseForm: String, CaseIterable, Sendable {
  case sqliteMemory, sqliteFile, postgres

  static var allCases: [DatabaseForm] {
    TestDatabase.engine == .postgres ? [.postgres] : [.sqliteMemory, .sqliteFile]
  }

  /// Runs a body on an empty database, and closes it.
  func withDatabase(_ body: (Database) async throws -> Void) async throws {
    let keys = try KeyRing.generate { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    switch self {
    case .sqliteMemory:
      let database = try Database.open(.memory, keys: keys, node: "test", logger: logger)
      try await database.addPeople()
      try await body(database)
      await database.close()
    case .sqliteFile:
      let path = try #require(TemporaryFolder.make())
      defer { try? FileManager.default.removeItem(atPath: path) }
      let database = try Database.open(
        .folder(try DataFolder(path: path + "/data")), keys: keys, node: "test", logger: logger)
      try await database.addPeople()
      try await body(database)
      await database.close()
    case .postgres:
      let database = try await TestDatabase.open(keys: keys)
      try await database.addPeople()
      try await body(database)
      await database.close()
    }
  }
}

struct NotAllowed: Error {}

let ann = Actor(
  accountID: "ann", kind: .session, relationships: ["p1": .self_, "p2": .guardian],
  scope: .session)
let stranger = Actor(
  accountID: "stranger", kind: .session, relationships: ["p9": .self_], scope: .session)
let system = Actor(accountID: "s", kind: .token, relationships: [:], scope: .system)

func allowed(
  _ action: Action, _ patient: PatientID = "p1", by actor: Actor = ann,
  _ type: String = "MedicationRequest"
) throws -> Authorization {
  let decision = decide(
    actor: actor, action: action, patient: patient, resource: type, purpose: .care)
  guard case .allow(let authorization) = decision else { throw NotAllowed() }
  return authorization
}

func searching(
  _ patient: PatientID? = nil, by actor: Actor = ann, _ type: String = "MedicationRequest"
) throws -> SearchAuthorization {
  let decision = decideSearch(actor: actor, resource: type, patient: patient, purpose: .care)
  guard case .allow(let authorization) = decision else { throw NotAllowed() }
  return authorization
}

func time(_ seconds: Int) -> Timestamp {
  Timestamp(milliseconds: 1_772_323_200_000 + Int64(seconds) * 1_000)
}

func request(
  patient: PatientID = "p1", status: String = "active", extra: String = ""
) throws -> JSONValue {
  try JSONValue(
    parsing: Array(
      """
      {"resourceType":"MedicationRequest","status":"\(status)","intent":"plan",\
      "medicationCodeableConcept":{"text":"Bisoprolol"},\
      "subject":{"reference":"Patient/\(patient)"}\(extra)}
      """.utf8))
}

extension Database {
  /// Adds everyone whose records the tests store.
  func addPeople() async throws {
    try await write { writer in
      for patient in ["p0", "p1", "p2", "p9"] as [PatientID] { try writer.addPerson(patient) }
    }
  }

  /// Creates a request, and returns it as stored.
  @discardableResult
  func create(
    _ id: String, patient: PatientID = "p1", status: String = "active", at: Timestamp = time(0)
  ) async throws -> StoredRecord {
    let authorization = try allowed(.create, patient, by: system)
    let resource = try request(patient: patient, status: status)
    return try await write { writer in
      try RecordStore().create(
        resource, type: "MedicationRequest", id: id, authorization: authorization, at: at,
        in: writer)
    }
  }

  @discardableResult
  func update(
    _ id: String, patient: PatientID = "p1", status: String, ifVersion: Int64? = nil,
    at: Timestamp = time(1)
  ) async throws -> StoredRecord {
    let authorization = try allowed(.update, patient, by: system)
    let resource = try request(patient: patient, status: status)
    return try await write { writer in
      try RecordStore().update(
        resource, type: "MedicationRequest", id: id, ifVersion: ifVersion,
        authorization: authorization, at: at, in: writer)
    }
  }

  func find(
    _ search: RecordSearch, _ authorization: SearchAuthorization
  ) async throws -> RecordPage {
    try await read { reader in
      try RecordStore().search(search, authorization: authorization, in: reader)
    }
  }

  /// The audit trail as `kind patient resource id version count` lines.
  func auditLines() async throws -> [String] {
    try await read { reader in
      try reader.query(
        "SELECT kind, patient, resource, resource_id, version, count FROM audit ORDER BY sequence"
      ).map { row in
        let version = try row.optionalInteger(4).map(String.init) ?? "-"
        return
          "\(try row.text(0)) \(try row.optionalText(1) ?? "-") \(try row.text(2)) "
          + "\(try row.optionalText(3) ?? "-") \(version) \(try row.integer(5))"
      }
    }
  }
}
