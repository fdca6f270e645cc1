// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Storage
import TestSupport
import Testing

@testable import Records

/// The history of several types and patients.
@Suite struct RecordHistoryTests {
  private func history(
    types: [ResourceType] = [.medicationRequest, .practitioner],
    _ patients: SearchAuthorization.Patients, since: Timestamp? = nil, count: Int,
    in database: Database
  ) async throws -> [String] {
    var versions: [StoredRecord] = []
    while true {
      let before = versions.last.map { RecordHistoryPlace($0) }
      let page = try await database.read { reader in
        try RecordStore().history(
          types: types, patients: patients, since: since, before: before, count: count,
          in: reader)
      }
      #expect(page.count <= count)
      versions += page
      if page.count < count || versions.count > 20 { break }
    }
    return versions.map { "\($0.id) \($0.version) \($0.operation.rawValue)" }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `versions come newest first, page by page`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.create("r1", at: time(0))
      try await database.create("r2", patient: "p2", at: time(1))
      try await database.update("r1", status: "on-hold", at: time(2))
      try await database.store(#"{"resourceType":"Practitioner","id":"d1"}"#, at: time(3))
      try await database.create("r3", at: time(3))
      let delete = try allowed(.delete)
      try await database.write { writer in
        _ = try RecordStore().delete(
          "MedicationRequest", "r1", ifVersion: nil, authorization: delete, at: time(4),
          in: writer)
      }
      let all = [
        "r1 3 delete", "d1 1 create", "r3 1 create", "r1 2 update", "r2 1 create",
        "r1 1 create",
      ]
      for count in [1, 2, 10] {
        #expect(try await history(.all, count: count, in: database) == all)
        #expect(
          try await history(.only(["p1"]), count: count, in: database)
            == all.filter { !$0.hasPrefix("r2") })
        #expect(
          try await history(.all, since: time(3), count: count, in: database)
            == Array(all.prefix(3)))
      }
      #expect(
        try await history(types: [.practitioner], .only([]), count: 5, in: database) == [all[1]])
      #expect(try await history(types: [.condition], .all, count: 5, in: database) == [])
      let none = try await database.read { reader in
        try RecordStore().history(
          types: [.medicationRequest], patients: .only([]), since: nil, before: nil, count: 5,
          in: reader)
      }
      #expect(none == [])
    }
  }

  @Test func `each part has its own patients`() async throws {
    try await DatabaseForm.allCases[0].withDatabase { database async throws in
      try await database.create("r1", at: time(0))
      try await database.create("r2", patient: "p2", at: time(1))
      try await database.store(
        #"{"resourceType":"Patient","id":"p1"}"#, at: time(2))
      try await database.store(
        #"{"resourceType":"Patient","id":"p2"}"#, at: time(3))
      let found = try await database.read { reader in
        try RecordStore().history(
          [
            RecordHistoryPart(types: [.medicationRequest], patients: .only(["p2"])),
            RecordHistoryPart(types: [.patient], patients: .only(["p1"])),
          ], since: nil, before: nil, count: 9, in: reader)
      }
      #expect(found.map(\.id) == ["p1", "r2"])
    }
  }
}
