// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Storage
import TestSupport
import Testing

@testable import Records

/// Resources that belong to no patient.
@Suite struct SharedRecordStoreTests {
  private let store = SharedRecordStore()

  private static func doctor(_ family: String, extra: String = "") throws -> JSONValue {
    try JSONValue(
      parsing: Array(
        #"{"resourceType":"Practitioner","name":[{"family":"\#(family)"}]\#(extra)}"#.utf8))
  }

  @discardableResult
  private func create(
    _ id: String, _ family: String, at: Timestamp = time(0), in database: Database
  ) async throws -> StoredRecord {
    let (store, doctor) = (store, try Self.doctor(family))
    let authorization = try sharedAllowed(.create, .practitioner)
    return try await database.write { writer in
      try store.create(
        doctor, type: .practitioner, id: id, authorization: authorization, at: at, in: writer)
    }
  }

  @discardableResult
  private func update(
    _ id: String, _ family: String, ifVersion: Int64? = nil, in database: Database
  ) async throws -> StoredRecord {
    let (store, doctor) = (store, try Self.doctor(family))
    let authorization = try sharedAllowed(.update, .practitioner)
    return try await database.write { writer in
      try store.update(
        doctor, type: .practitioner, id: id, ifVersion: ifVersion, authorization: authorization,
        at: time(1), in: writer)
    }
  }

  @discardableResult
  private func delete(
    _ id: String, ifVersion: Int64? = nil, in database: Database
  ) async throws -> StoredRecord {
    let store = store
    let authorization = try sharedAllowed(.delete, .practitioner)
    return try await database.write { writer in
      try store.delete(
        .practitioner, id, ifVersion: ifVersion, authorization: authorization, at: time(2),
        in: writer)
    }
  }

  private func read(
    _ id: String, version: Int64? = nil, in database: Database
  ) async throws -> StoredRecord {
    let store = store
    let authorization = try sharedAllowed(.read, .practitioner, by: ann)
    return try await database.read { reader in
      guard let version else {
        return try store.read(.practitioner, id, authorization: authorization, in: reader)
      }
      return try store.read(
        .practitioner, id, version: version, authorization: authorization, in: reader)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `versions are kept, and everyone reads them`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let first = try await create("d1", "Berg", in: database)
      #expect(first.patient == .shared && first.version == 1)
      #expect(try await read("d1", in: database) == first)
      let second = try await update("d1", "Dahl", ifVersion: 1, in: database)
      await #expect(throws: RecordsError.versionConflict(current: 2)) {
        try await update("d1", "Lie", ifVersion: 1, in: database)
      }
      #expect(try await read("d1", in: database) == second)
      #expect(try await read("d1", version: 1, in: database) == first)
      await #expect(throws: RecordsError.notFound) {
        try await read("d1", version: 3, in: database)
      }
      let deletion = try await delete("d1", in: database)
      await #expect(throws: RecordsError.gone) { try await read("d1", in: database) }
      await #expect(throws: RecordsError.gone) { try await delete("d1", in: database) }
      await #expect(throws: RecordsError.gone) { try await read("d1", version: 3, in: database) }
      await #expect(throws: RecordsError.idTaken) {
        try await create("d1", "Berg", in: database)
      }
      await #expect(throws: RecordsError.notFound) { try await update("d9", "x", in: database) }
      #expect(try await database.indexRows() == [])
      let back = try await update("d1", "Moe", in: database)
      #expect(back.version == 4)
      let store = store
      let authorization = try sharedAllowed(.read, .practitioner, by: ann)
      let history = try await database.read { reader in
        try store.history(
          .practitioner, "d1", count: 9, authorization: authorization, in: reader)
      }
      #expect(history == [back, deletion, second, first])
      #expect(
        try await database.auditLines() == [
          "create - Practitioner d1 1 1", "update - Practitioner d1 2 1",
          "delete - Practitioner d1 3 1", "update - Practitioner d1 4 1",
        ])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a search finds them by name, in order and page by page`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase { database async throws in
      for (number, family) in ["Dahl", "Berg", "Øst", "Berge", "Lie"].enumerated() {
        try await create("d\(number)", family, at: time(number), in: database)
      }
      let name = SearchCriterion(parameter: "name", test: .string(["berg", "ost"], .start))
      #expect(try await database.ids(.practitioner, [name]) == ["d1", "d2", "d3"])
      var search = RecordSearch(
        type: .practitioner, sort: [SearchSort(parameter: "family", isDescending: true)], count: 2)
      var found: [String] = []
      repeat {
        let authorization = try sharedSearching(.practitioner)
        let (store, page) = (store, search)
        let result = try await database.read { reader in
          try store.search(page, authorization: authorization, in: reader)
        }
        #expect(result.total == 5)
        found += result.records.map(\.id)
        search.after = result.next
      } while search.after != nil && found.count < 9
      #expect(found == ["d2", "d4", "d0", "d3", "d1"])
    }
  }

  @Test func `only system scope writes, and a patient's type has no place here`() async throws {
    for action in [Action.create, .update, .delete, .export] {
      #expect(throws: NotAllowed.self) { try sharedAllowed(action, .practitioner, by: ann) }
    }
    let vitals = Actor(
      accountID: "ann", kind: .token, relationships: ["p1": .self_], scope: .vitals)
    #expect(throws: NotAllowed.self) { try sharedAllowed(.read, .practitioner, by: vitals) }
    try await DatabaseForm.allCases[0].withDatabase { database async throws in
      let store = store
      let (wrong, foreign) = (
        try sharedAllowed(.create, .condition), try allowed(.create, "p1", by: system, "Group")
      )
      await #expect(throws: RecordsError.notAuthorized) {
        try await database.write { writer in
          _ = try store.create(
            ["resourceType": "Condition"], type: .condition, id: "c", authorization: wrong,
            at: time(0), in: writer)
        }
      }
      await #expect(throws: RecordsError.notAuthorized) {
        try await database.write { writer in
          _ = try store.create(
            ["resourceType": "Group"], type: .group, id: "g", authorization: foreign, at: time(0),
            in: writer)
        }
      }
    }
  }

  @Test func `a change behind the program's back is detected`() async throws {
    try await DatabaseForm.allCases[0].withDatabase { database async throws in
      try await create("d1", "Berg", in: database)
      try await update("d1", "Dahl", in: database)
      try await create("d2", "Lie", in: database)
      let seal = database.contentSeal
      func check() async throws -> RecordAuditCheck.Result {
        try await database.read { try RecordAuditCheck.perform(seal, in: $0) }
      }
      let well = try await check()
      #expect(well.faults == [] && well.versions == 3 && well.digests == 3)
      try await database.write { writer in
        try writer.execute(
          "UPDATE shared_resource_versions SET body = body || ' ' WHERE id = 'd1'", [])
        try writer.execute("DELETE FROM shared_resources WHERE id = 'd2'", [])
      }
      let found = try await check()
      #expect(
        Set(found.faults) == [
          RecordFault(kind: .changed, type: "Practitioner", id: "d1", version: 1),
          RecordFault(kind: .missing, type: "Practitioner", id: "d2", version: 1),
        ])
    }
  }
}
