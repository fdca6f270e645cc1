// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage
import TestSupport
import Testing

@testable import Records

/// A reproducible random sequence (SplitMix64).
struct RandomSequence: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(next() % UInt64(values.count))]
  }

  /// Returns true once in `count` times.
  mutating func chance(_ count: UInt64) -> Bool { next() % count == 0 }

  /// Returns one to three of the values, some perhaps twice.
  mutating func some<Value>(_ values: [Value]) -> [Value] {
    (0...Int(next() % 3)).map { _ in pick(values) }
  }
}

func sharedAllowed(
  _ action: Action, _ type: ResourceType, by actor: Actor = system
) throws -> Authorization {
  let decision = decideShared(
    actor: actor, action: action, resource: type.rawValue, purpose: .care)
  guard case .allow(let authorization) = decision else { throw NotAllowed() }
  return authorization
}

func sharedSearching(_ type: ResourceType, by actor: Actor = ann) throws -> SearchAuthorization {
  let decision = decideSharedSearch(actor: actor, resource: type.rawValue, purpose: .care)
  guard case .allow(let authorization) = decision else { throw NotAllowed() }
  return authorization
}

extension Database {
  /// Stores a new resource with an id, of the patient that it names or of none.
  @discardableResult
  func store(_ text: String, at: Timestamp = time(0)) async throws -> StoredRecord {
    let resource = try JSONValue(parsing: Array(text.utf8))
    let type = try #require(resource["resourceType"]?.string.flatMap(ResourceType.init(rawValue:)))
    let id = try #require(resource["id"]?.string)
    guard !RecordSubject.isShared(type) else {
      let authorization = try sharedAllowed(.create, type)
      return try await write { writer in
        try SharedRecordStore().create(
          resource, type: type, id: id, authorization: authorization, at: at, in: writer)
      }
    }
    return try await write { writer in
      let store = RecordStore()
      let patient = try RecordSubject.patient(of: resource, type: type, id: id) {
        (type, id) throws(RecordsError) in
        try store.patient(of: type, id: id, in: writer)
      }
      let authorization = try allowed(
        .create, try #require(patient), by: system, type.rawValue)
      return try store.create(
        resource, type: type.rawValue, id: id, authorization: authorization, at: at, in: writer)
    }
  }

  /// Replaces a patient's resource by another text.
  @discardableResult
  func change(
    _ text: String, of patient: PatientID = "p1", at: Timestamp = time(9)
  ) async throws -> StoredRecord {
    let resource = try JSONValue(parsing: Array(text.utf8))
    let type = try #require(resource["resourceType"]?.string)
    let id = try #require(resource["id"]?.string)
    let authorization = try allowed(.update, patient, by: system, type)
    return try await write { writer in
      try RecordStore().update(
        resource, type: type, id: id, ifVersion: nil, authorization: authorization, at: at,
        in: writer)
    }
  }

  /// Deletes a patient's resource.
  func delete(_ type: ResourceType, _ id: String, of patient: PatientID = "p1") async throws {
    let authorization = try allowed(.delete, patient, by: system, type.rawValue)
    try await write { writer in
      _ = try RecordStore().delete(
        type.rawValue, id, ifVersion: nil, authorization: authorization, at: time(20), in: writer)
    }
  }

  /// Returns the ids that a search finds, in order.
  func ids(
    _ type: ResourceType, _ criteria: [SearchCriterion], by actor: Actor = ann,
    sort: [SearchSort] = [], chains: [ResourceType: SearchAuthorization.Patients] = [:]
  ) async throws -> [String] {
    let search = RecordSearch(
      type: type, criteria: criteria, sort: sort, count: 100, chainAuthorizations: chains)
    if RecordSubject.isShared(type) {
      let authorization = try sharedSearching(type, by: actor)
      return try await read { reader in
        try SharedRecordStore().search(search, authorization: authorization, in: reader)
      }.records.map(\.id)
    }
    return try await find(search, try searching(by: actor, type.rawValue)).records.map(\.id)
  }

  /// Returns every row of the search index as text, in order.
  func indexRows() async throws -> [String] {
    try await read { reader in
      let tables: [(StaticString, Int)] = [
        (
          """
          SELECT patient, type, parameter, value, detail, lower, upper, id FROM record_index
          """, 8
        ),
        ("SELECT type, parameter, value, detail, lower, upper, id FROM shared_index", 7),
      ]
      var lines: [String] = []
      for (index, table) in tables.enumerated() {
        for row in try reader.query(table.0) {
          lines.append("\(index) \((0..<table.1).map { row[$0] })")
        }
      }
      return lines.sorted()
    }
  }
}
