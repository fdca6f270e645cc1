// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Storage
import TestSupport
import Testing

@testable import Records

/// SQLite finds everything that a search for given patients needs through a key or an index.
@Suite(.enabled(if: TestDatabase.engine != .postgres))
struct RecordSearchPlanTests {
  private static let token = TokenSearchValue(system: "http://s", code: "a")
  private static let identified = SearchCriterion(parameter: "identifier", test: .token([token]))

  private static let criteria: [SearchCriterion] = {
    let dates = ["2026", "ne2026", "ge2026", "ap2026"].compactMap { DateSearchValue($0) }
    let number = NumberSearchValue(prefix: .eq, lower: 1, upper: 2, value: 1.5)
    let quantity = QuantitySearchValue(number: number, system: nil, code: "mg")
    let tests: [(String, SearchTest)] = [
      ("_id", .ids(["a", "b"])), ("_lastUpdated", .lastUpdated(dates)),
      ("code", .token([token, TokenSearchValue(system: nil, code: "b")])),
      ("code", .token([TokenSearchValue(system: "http://s", code: nil)])),
      ("code", .notToken([token])), ("identifier", .token([token])),
      ("status", .token([TokenSearchValue(system: nil, code: "final")])), ("code", .text(["a"])),
      ("value-string", .string(["a", "b"], .start)), ("value-string", .string(["a"], .contains)),
      ("value-string", .string(["a"], .exact)), ("date", .date(dates)),
      ("value-quantity", .quantity([quantity])),
      ("focus", .reference([.local(type: nil, id: "1"), .identifier(token)])),
      ("subject", .reference([.local(type: "Patient", id: "p1")])),
      ("_profile", .uri(["http://a"], .below)), ("_profile", .uri(["http://a"], .above)),
      ("code", .missing(true)), ("focus", .missing(false)),
      ("subject", .chain(target: .patient, identified)),
      ("device", .chain(target: .device, identified)),
      ("performer", .chain(target: .practitioner, identified)),
      ("_has", .has(source: .provenance, reference: "target", identified)),
    ]
    return tests.map { SearchCriterion(parameter: $0.0, test: $0.1) }
  }()

  private static let sorts = [
    "_id", "_lastUpdated", "status", "code", "date", "value-quantity", "value-string", "focus",
    "subject",
  ]

  @Test(arguments: [nil, "p1"] as [PatientID?])
  func `no search for patients reads a whole table`(patient: PatientID?) async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let authorization = try searching(patient, by: ann, "Observation")
      var searches = Self.criteria.map {
        RecordSearch(type: .observation, criteria: [$0], count: 10)
      }
      searches += Self.sorts.map { parameter in
        RecordSearch(
          type: .observation, sort: [SearchSort(parameter: parameter, isDescending: true)],
          count: 10)
      }
      for var search in searches {
        search.chainAuthorizations = Dictionary(
          uniqueKeysWithValues: ResourceType.allCases.map { ($0, .only(["p1", "p2"])) })
        search.after = RecordCursor(
          keys: search.sort.map { _ in .none }, patient: "p1", id: "a")
        let asked = search
        let lines = try await database.read { reader in
          let log = PlanLog()
          _ = try RecordStore().search(
            asked, authorization: authorization,
            in: ExplainingReader(reader: reader, log: log))
          return log.lines
        }
        #expect(lines.contains { $0.contains("SEARCH r USING") })
        let scans = lines.filter { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN s1") }
        #expect(scans.isEmpty, "\(search.criteria) \(search.sort): \(lines)")
      }
    }
  }

  @Test func `an identifier is found among all patients through its index`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let authorization = try searching(by: system, "Observation")
      let lines = try await database.read { reader in
        let log = PlanLog()
        _ = try RecordStore().search(
          RecordSearch(type: .observation, criteria: [Self.identified], count: 10),
          authorization: authorization, in: ExplainingReader(reader: reader, log: log))
        return log.lines
      }
      #expect(lines.contains { $0.contains("record_tokens_by_identifier") }, "\(lines)")
    }
  }
}

/// The query plans of the statements that ran.
private final class PlanLog {
  var lines: [String] = []
}

/// A reader that logs the query plan of each statement built at run time.
private struct ExplainingReader: SQLReader {
  let reader: any SQLReader
  let log: PlanLog

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try reader.query(sql, arguments)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    var plan: SQLText = "EXPLAIN QUERY PLAN "
    plan.append(contentsOf: sql)
    for row in try reader.query(dynamic: plan, arguments) { log.lines.append(try row.text(3)) }
    return try reader.query(dynamic: sql, arguments)
  }
}
