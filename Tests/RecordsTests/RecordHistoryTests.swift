// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
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

  /// Each row is a period in seconds, with the versions that were current in it.
  private static let periods: [(from: Int, to: Int, expected: [String])] = [
    (0, 1, ["r1 1", "d1 1"]), (1, 2, ["r1 1", "d1 1"]), (2, 3, ["r1 2", "d1 1"]),
    (1, 4, ["r1 2", "r1 1", "d1 1"]), (4, 5, ["r1 3", "d1 1"]), (5, 6, ["d1 1"]),
    (0, 9, ["r1 3", "r1 2", "r1 1", "d1 1"]),
  ]

  @Test(arguments: DatabaseForm.allCases)
  func `versions are found and counted by the time in which they were current`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase { database async throws in
      try await database.store(#"{"resourceType":"Practitioner","id":"d1"}"#, at: time(0))
      try await database.create("r1", at: time(0))
      try await database.update("r1", status: "on-hold", at: time(2))
      let delete = try allowed(.delete)
      try await database.write { writer in
        _ = try RecordStore().delete(
          "MedicationRequest", "r1", ifVersion: nil, authorization: delete, at: time(4),
          in: writer)
      }
      for patients in [SearchAuthorization.Patients.all, .only(["p1"]), .only(["p1", "p2"])] {
        let parts = [
          RecordHistoryPart(types: [.medicationRequest, .practitioner], patients: patients)
        ]
        for row in Self.periods {
          let period = RecordHistoryPeriod(from: time(row.from), to: time(row.to))
          let (found, total) = try await database.read { reader in
            (
              try RecordStore().history(
                parts, since: nil, during: period, before: nil, count: 9, in: reader),
              try RecordStore().historyCount(parts, since: nil, during: period, in: reader)
            )
          }
          #expect(Set(found.map { "\($0.id) \($0.version)" }) == Set(row.expected), "\(row)")
          #expect(total == row.expected.count, "\(row)")
        }
        let (all, late) = try await database.read { reader in
          (
            try RecordStore().historyCount(parts, since: nil, in: reader),
            try RecordStore().historyCount(parts, since: time(2), in: reader)
          )
        }
        #expect(all == 4 && late == 2)
      }
      let none = [RecordHistoryPart(types: [.medicationRequest], patients: .only([]))]
      let total = try await database.read { reader in
        try RecordStore().historyCount(none, since: nil, in: reader)
      }
      #expect(total == 0)
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

  @Test(arguments: DatabaseForm.allCases)
  func `versions of one moment keep their order over pages and types`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase { database async throws in
      for id in ["r1", "r2", "r3"] { try await database.create(id, at: time(0)) }
      try await database.store(#"{"resourceType":"Patient","id":"p1"}"#, at: time(0))
      try await database.store(#"{"resourceType":"Practitioner","id":"d1"}"#, at: time(0))
      try await database.update("r2", status: "on-hold", at: time(0))
      let types: [ResourceType] = [.medicationRequest, .patient, .practitioner]
      let all = [
        "d1 1 create", "p1 1 create", "r3 1 create", "r2 2 update", "r2 1 create", "r1 1 create",
      ]
      for count in 1...6 {
        #expect(try await history(types: types, .all, count: count, in: database) == all)
        #expect(
          try await history(types: types, .only(["p1"]), count: count, in: database) == all)
      }
    }
  }

  @Test func `many patients are read with few searches`() async throws {
    try await DatabaseForm.allCases[0].withDatabase { database async throws in
      try await database.create("r1", at: time(0))
      try await database.create("r2", patient: "p2", at: time(1))
      let others = (0..<400).map { PatientID("other-\($0)") }
      #expect(
        try await history(.only(others + ["p1", "p2"]), count: 1, in: database)
          == ["r2 1 create", "r1 1 create"])
    }
  }
}
