// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Storage
import Testing
import TestSupport

@testable import Records

@Suite struct RecordStoreTests {
  private let store = RecordStore()
  private let type = "MedicationRequest"

  @Test(arguments: DatabaseForm.allCases)
  func `a resource reads back unchanged, except for id and meta`(form: DatabaseForm) async throws {
    let extra = #"""
      ,"meta":{"versionId":"77","profile":["http://example.org/p"],"lastUpdated":"2001-01-01T00:00:00Z"}\#
      ,"extension":[{"url":"http://example.org/x","valueDecimal":72.10}]\#
      ,"note":[{"text":"a \"quoted\" ÷ ยา \u00e9"}],"dispenseRequest":{"quantity":{"value":1.20E+2}}
      """#
    try await form.withDatabase { database async throws in
      let resource = try request(extra: extra)
      let (create, read) = (try allowed(.create), try allowed(.read))
      let created = try await database.write { writer in
        try store.create(
          resource, type: type, id: "r1", authorization: create, at: time(5), in: writer)
      }
      let found = try await database.read {
        try store.read(type, "r1", authorization: read, in: $0)
      }
      #expect(found == created)
      #expect(found.version == 1)
      #expect(found.lastUpdated == time(5))
      var expected = resource
      let json = try found.json()
      #expect(json["id"] == "r1")
      #expect(json["meta"]?["versionId"] == "1")
      #expect(json["meta"]?["profile"]?[0] == "http://example.org/p")
      let updated = json["meta"]?["lastUpdated"]?.string.flatMap { FHIRDateTime($0) }
      #expect(updated?.epochMilliseconds == time(5).milliseconds)
      #expect(json.object?.keys.prefix(2) == ["resourceType", "id"])
      var rest = json
      for key in ["id", "meta"] {
        rest[key] = nil
        expected[key] = nil
      }
      #expect(rest.bytes == expected.bytes)
      #expect(found.body.contains("72.10") && found.body.contains("1.20E+2"))
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `versions are kept and never overwritten`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let read = try allowed(.read)
      let first = try await database.create("r1")
      let second = try await database.update("r1", status: "on-hold", ifVersion: 1)
      let third = try await database.update("r1", status: "stopped", at: time(2))
      let store = store
      let type = type
      let history = try await database.read {
        try store.history(type, "r1", count: 10, authorization: read, in: $0)
      }
      #expect(history == [third, second, first])
      #expect(history.map(\.version) == [3, 2, 1])
      let page = try await database.read {
        try store.history(type, "r1", count: 1, before: 3, authorization: read, in: $0)
      }
      #expect(page == [second])
      for record in history {
        let version = try await database.read {
          try store.read(type, "r1", version: record.version, authorization: read, in: $0)
        }
        #expect(version == record)
      }
      await #expect(throws: RecordsError.notFound) {
        try await database.read {
          try store.read(type, "r1", version: 4, authorization: read, in: $0)
        }
      }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `changing an older version is a conflict`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.create("r1")
      try await database.update("r1", status: "on-hold", ifVersion: 1)
      await #expect(throws: RecordsError.versionConflict(current: 2)) {
        try await database.update("r1", status: "stopped", ifVersion: 1)
      }
      await #expect(throws: RecordsError.notFound) {
        try await database.update("r2", status: "stopped")
      }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a record is replaced only while it is current`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let (store, type) = (store, type)
      let (read, update) = (try allowed(.read), try allowed(.update))
      let first = try await database.create("r1")
      let second = try await database.write { writer in
        try store.update(
          try request(status: "on-hold"), type: type, id: "r1", ifVersion: nil, replacing: first,
          authorization: update, at: time(1), in: writer)
      }
      #expect(second.version == 2)
      await #expect(throws: RecordsError.versionConflict(current: 1)) {
        try await database.write { writer in
          try store.update(
            try request(status: "stopped"), type: type, id: "r1", ifVersion: nil,
            replacing: first, authorization: update, at: time(2), in: writer)
        }
      }
      let history = try await database.read {
        try store.history(type, "r1", count: 10, authorization: read, in: $0)
      }
      #expect(history == [second, first])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `exactly one of several parallel changes wins`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.create("r1")
      let winners = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          group.addTask {
            do {
              try await database.update("r1", status: "stopped", ifVersion: 1, at: time(number))
              return true
            } catch RecordsError.versionConflict(current: 2) {
              return false
            } catch {
              Issue.record(error)
              return false
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
      let created = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<20 {
          group.addTask { (try? await database.create("r2")) != nil }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(created == 1)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a deleted record keeps its versions and can be restored`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let (store, type) = (store, type)
      let (read, delete) = (try allowed(.read), try allowed(.delete))
      try await database.create("r1")
      await #expect(throws: RecordsError.versionConflict(current: 1)) {
        try await database.write {
          try store.delete(
            type, "r1", ifVersion: 9, authorization: delete, at: time(1), in: $0)
        }
      }
      let deletion = try await database.write {
        try store.delete(type, "r1", ifVersion: 1, authorization: delete, at: time(1), in: $0)
      }
      #expect(deletion.isDeleted && deletion.version == 2)
      await #expect(throws: RecordsError.gone) {
        try await database.read { try store.read(type, "r1", authorization: read, in: $0) }
      }
      await #expect(throws: RecordsError.gone) {
        try await database.write {
          try store.delete(type, "r1", ifVersion: nil, authorization: delete, at: time(1), in: $0)
        }
      }
      await #expect(throws: RecordsError.idTaken) { try await database.create("r1") }
      let page = try await database.find(RecordSearch(type: type, count: 10), searching("p1"))
      #expect(page == RecordPage(records: [], total: 0, next: nil))
      let back = try await database.update("r1", status: "active", at: time(2))
      #expect(back.version == 3)
      let history = try await database.read {
        try store.history(type, "r1", count: 10, authorization: read, in: $0)
      }
      #expect(history.map(\.operation) == [.update, .delete, .create])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `no one can reach another patient's record`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let (store, type) = (store, type)
      try await database.create("r1", patient: "p1")
      let foreign = try allowed(.read, "p9", by: stranger)
      await #expect(throws: RecordsError.notFound) {
        try await database.read { try store.read(type, "r1", authorization: foreign, in: $0) }
      }
      await #expect(throws: RecordsError.notFound) {
        try await database.update("r1", patient: "p9", status: "stopped")
      }
      await #expect(throws: RecordsError.idTaken) {
        try await database.create("r1", patient: "p9")
      }
      // An authorization for another action or type allows nothing.
      let (update, other) = (try allowed(.update), try allowed(.read, "p1", "Patient"))
      for wrong in [update, other] {
        await #expect(throws: RecordsError.notAuthorized) {
          try await database.read { try store.read(type, "r1", authorization: wrong, in: $0) }
        }
      }
      let owner = try await database.read { try store.patient(of: type, id: "r1", in: $0) }
      #expect(owner == "p1")
    }
  }

  @Test func `an invalid resource is refused and leaves no trace`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let (store, type) = (store, type)
      let create = try allowed(.create)
      let faults: [(id: String, resource: JSONValue, expression: String)] = [
        ("r1", try request(extra: #","colour":"red""#), "MedicationRequest.colour"),
        ("r1", try request(status: "running"), "MedicationRequest.status"),
        ("r1", try request(patient: "p2"), "MedicationRequest.subject"),
        ("r1", try request(patient: "p1/x"), "MedicationRequest.subject"),
        ("r1", try request(extra: #","id":"r2""#), "MedicationRequest.id"),
        ("r 1", try request(), "MedicationRequest.id"),
        ("r1", ["resourceType": "Patient"], "Patient"),
        ("r1", [1, 2], "MedicationRequest"),
      ]
      for fault in faults {
        do {
          try await database.write { writer in
            try store.create(
              fault.resource, type: type, id: fault.id, authorization: create, at: time(0),
              in: writer)
          }
          Issue.record("Accepted: \(fault.expression)")
        } catch RecordsError.invalid(let issues) {
          #expect(!issues.isEmpty)
          if fault.expression.contains(".") {
            #expect(
              issues.contains { $0.expression?.hasPrefix(fault.expression) ?? false },
              "\(fault.expression): \(issues)")
          }
        }
      }
      #expect(try await database.auditLines() == [])
    }
  }

  @Test func `every change leaves one audit row in its transaction`() async throws {
    struct Undo: Error {}
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let (store, type) = (store, type)
      let (create, delete) = (try allowed(.create), try allowed(.delete))
      try await database.create("r1")
      try await database.update("r1", status: "stopped")
      try await database.write {
        try store.delete(type, "r1", ifVersion: nil, authorization: delete, at: time(3), in: $0)
      }
      await #expect(throws: Undo.self) {
        try await database.write { writer in
          _ = try store.create(
            try request(), type: type, id: "r5", authorization: create, at: time(0), in: writer)
          throw Undo()
        }
      }
      #expect(
        try await database.auditLines() == [
          "create p1 MedicationRequest r1 1 1", "update p1 MedicationRequest r1 2 1",
          "delete p1 MedicationRequest r1 3 1",
        ])
      #expect(try await database.verifyAudit().isIntact)
    }
  }
}
