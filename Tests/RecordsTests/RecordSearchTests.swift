// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Records

@Suite struct RecordSearchTests {
  private static let type = "MedicationRequest"
  private static let statuses = ["active", "stopped", "on-hold", "completed"]

  struct Case: Sendable {
    var ids: [String]?
    var statuses: [String]?
    var updated: [String] = []
    var patient: PatientID?
    var actor = system
  }

  /// Each condition and their combinations, compared with a plain filter over all records.
  @Test(
    arguments: DatabaseForm.allCases,
    [
      Case(), Case(patient: "p2"), Case(actor: ann), Case(patient: "p1", actor: ann),
      Case(statuses: ["active"]), Case(statuses: ["active", "on-hold"], patient: "p1"),
      Case(statuses: []), Case(statuses: ["nonsense"]),
      Case(ids: ["r03", "r11", "r99"]), Case(ids: []), Case(ids: ["r03"], patient: "p1"),
      Case(ids: ["r03", "r04", "r05"], statuses: ["stopped"], actor: ann),
      Case(updated: ["gt2026-03-01T00:00:10Z"]), Case(updated: ["le2026-03-01T00:00:10Z"]),
      Case(updated: ["2026-03-01T00:00:07Z"]), Case(updated: ["ne2026-03-01T00:00:07Z"]),
      Case(updated: ["ge2026-03-01T00:00:05Z", "lt2026-03-01T00:00:09Z"], patient: "p0"),
      Case(updated: ["lt2026-03-01"]), Case(updated: ["2026-03-01"], actor: ann),
      Case(actor: stranger),
    ])
  func `conditions match exactly what they say`(form: DatabaseForm, example: Case) async throws {
    try await form.withDatabase { database async throws in
      let all = try await fill(database)
      let dates = example.updated.compactMap { DateSearchValue($0) }
      #expect(dates.count == example.updated.count)
      let authorization = try searching(example.patient, by: example.actor)
      let expected = all.filter { record in
        let isMine =
          switch authorization.patients {
          case .all: true
          case .only(let patients): patients.contains(record.patient)
          }
        let status = try? record.json()["status"]?.string
        return isMine && example.ids?.contains(record.id) ?? true
          && example.statuses?.contains(status ?? "") ?? true
          && dates.allSatisfy { $0.matches(milliseconds: record.lastUpdated.milliseconds) }
      }
      for count in [1, 4, 100] {
        var search = RecordSearch(
          type: Self.type, ids: example.ids, statuses: example.statuses, lastUpdated: dates,
          count: count)
        var found: [StoredRecord] = []
        repeat {
          let page = try await database.find(search, authorization)
          #expect(page.total == expected.count)
          #expect(page.records.count <= count)
          found += page.records
          search.after = page.next
        } while search.after != nil && found.count <= all.count
        #expect(found == expected)
      }
      let counted = try await database.find(
        RecordSearch(
          type: Self.type, ids: example.ids, statuses: example.statuses, lastUpdated: dates,
          count: 0), authorization)
      #expect(counted == RecordPage(records: [], total: expected.count, next: nil))
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `paging returns each record once while others change`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let before = try await fill(database).map(\.id)
      var search = RecordSearch(type: Self.type, count: 3)
      var found: [String] = []
      var round = 0
      repeat {
        let page = try await database.find(search, searching(by: system))
        found += page.records.map(\.id)
        search.after = page.next
        round += 1
        try await database.create("a\(round)", patient: "p0")
        try await database.create("z\(round)", patient: "p2")
        try await database.update(before[round], patient: owner(of: before[round]), status: "draft")
      } while search.after != nil && round < 20
      #expect(Set(found).count == found.count)
      #expect(Set(before).isSubset(of: Set(found)))
    }
  }

  @Test func `pattern and SQL characters are plain text`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      _ = try await fill(database)
      for text in ["%", "r0_", "' OR 1=1 --", "r01' --", "\u{0}"] {
        let byID = try await database.find(
          RecordSearch(type: Self.type, ids: [text], count: 9), searching(by: system))
        let byStatus = try await database.find(
          RecordSearch(type: Self.type, statuses: [text], count: 9), searching(by: system))
        #expect(byID.total == 0 && byStatus.total == 0)
      }
    }
  }

  @Test func `an authorization for another type gives no access`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      await #expect(throws: RecordsError.notAuthorized) {
        try await database.find(
          RecordSearch(type: Self.type, count: 9), searching(by: system, "Patient"))
      }
    }
  }

  /// Sixteen records of three patients, in the order of results.
  private func fill(_ database: Database) async throws -> [StoredRecord] {
    var all: [StoredRecord] = []
    for number in 0..<16 {
      let id = number < 10 ? "r0\(number)" : "r\(number)"
      all.append(
        try await database.create(
          id, patient: owner(of: id), status: Self.statuses[number % 4], at: time(number)))
    }
    return all.sorted { ($0.patient, $0.id) < ($1.patient, $1.id) }
  }

  private func owner(of id: String) -> PatientID {
    "p\((Int(id.dropFirst()) ?? 0) % 3)"
  }
}
