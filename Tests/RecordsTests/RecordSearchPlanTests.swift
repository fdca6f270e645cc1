// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage
import TestSupport
import Testing

@testable import Records

/// SQLite finds everything that a search for given patients needs through a key or an index.
@Suite(.enabled(if: TestDatabase.engine != .postgres))
struct RecordSearchPlanTests {
  private static let token = TokenSearchValue(system: "http://s", code: "a")
  private static let other = TokenSearchValue(system: "http://t", code: "b")
  private static let identified = SearchCriterion(parameter: "identifier", test: .token([token]))

  private static let criteria: [SearchCriterion] = {
    let dates = ["2026", "ne2026", "ge2026", "ap2026"].compactMap { DateSearchValue($0) }
    let number = NumberSearchValue(prefix: .eq, lower: 1, upper: 2, value: 1.5)
    let quantity = QuantitySearchValue(number: number, system: nil, code: "mg")
    let tests: [(String, SearchTest)] = [
      ("_id", .ids(["a", "b"])), ("_lastUpdated", .lastUpdated(dates)),
      ("code", .token([token, TokenSearchValue(system: nil, code: "b")])),
      ("code", .token([TokenSearchValue(system: "http://s", code: nil)])),
      ("code", .token([token, other])),
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
      ("component-code-value-concept", .token([TokenSearchValue(system: nil, code: "a")])),
      ("component-code-value-quantity", .quantity([quantity])),
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
        let scans = lines.filter {
          $0.hasPrefix("SCAN") && !Self.givenRows.contains(where: $0.hasPrefix)
        }
        #expect(scans.isEmpty, "\(search.criteria) \(search.sort): \(lines)")
      }
    }
  }

  /// The rows that a statement itself names or has found.
  private static let givenRows = [
    "SCAN s1", "SCAN sought", "SCAN found", "SCAN CONSTANT ROW", "SCAN 2 CONSTANT ROWS",
  ]

  @Test(arguments: [[token], [token, other]])
  func `an identifier is found among all patients through its index`(
    tokens: [TokenSearchValue]
  ) async throws {
    let criterion = SearchCriterion(parameter: "identifier", test: .token(tokens))
    let lines = try await plan(of: criterion, by: system)
    let index = "record_index_by_identifier (type=? AND value=? AND detail=?)"
    #expect(lines.contains { $0.contains(index) }, "\(lines)")
  }

  /// Conditions, and the columns of the key by which their entries are found.
  private static let seeks: [(String, SearchTest, String)] = {
    let code = TokenSearchValue(system: nil, code: "b")
    let number = NumberSearchValue(prefix: .eq, lower: 1, upper: 2, value: 1.5)
    let quantity = QuantitySearchValue(number: number, system: "http://u", code: "mg")
    let named = QuantitySearchValue(number: number, system: nil, code: "mg")
    return [
      ("code", .token([token]), "value=? AND detail=?"),
      ("code", .token([token, other]), "value=? AND detail=?"),
      ("code", .token([token, other, code]), "value=?"),
      ("focus", .reference([.local(type: "Device", id: "1")]), "value=? AND detail=?"),
      ("focus", .reference([.local(type: nil, id: "1")]), "value=?"),
      ("value-string", .string(["a"], .start), "value>? AND value<?"),
      ("value-string", .string(["a"], .exact), "value=? AND detail=?"),
      ("_profile", .uri(["http://a"], .below), "value>? AND value<?"),
      (
        "date", .date(["2026"].compactMap { DateSearchValue($0) }),
        "value=? AND detail=? AND lower>?"
      ),
      ("value-quantity", .quantity([quantity]), "value=? AND detail=?"),
      ("value-quantity", .quantity([named]), "value=?"),
    ]
  }()

  @Test(arguments: seeks)
  func `a condition reads only the entries between its values`(
    parameter: String, test: SearchTest, columns: String
  ) async throws {
    let criterion = SearchCriterion(parameter: parameter, test: test)
    let lines = try await plan(of: criterion, by: ann)
    let key = "record_index_1 (patient=? AND type=? AND parameter=? AND \(columns)"
    #expect(lines.contains { $0.contains(key) }, "\(lines)")
  }

  @Test func `rows of the index are removed through its key`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let entries = ["a", "b"].map { code in
        SearchIndexEntry(parameter: "code", value: .token(system: "s", code: code))
      }
      let rows = RecordIndexRows(SearchIndex(entries: entries))
      let resource = IndexedResource(patient: "p1", type: "Observation", id: "o1")
      let lines = try await database.write { writer in
        let log = PlanLog()
        try RecordIndex.remove(rows, of: resource, in: ExplainingWriter(writer: writer, log: log))
        return log.lines
      }
      let columns = ["patient", "type", "parameter", "value", "detail"]
      let key = columns.map { "\($0)=?" }.joined(separator: " AND ")
      #expect(lines.contains { $0.contains("record_index_1 (\(key)") }, "\(lines)")
    }
  }

  private func plan(of criterion: SearchCriterion, by actor: Actor) async throws -> [String] {
    let authorization = try searching(by: actor, "Observation")
    var lines: [String] = []
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      lines = try await database.read { reader in
        let log = PlanLog()
        _ = try RecordStore().search(
          RecordSearch(type: .observation, criteria: [criterion], count: 10),
          authorization: authorization, in: ExplainingReader(reader: reader, log: log))
        return log.lines
      }
    }
    return lines
  }

  @Test(arguments: [.all, .only(["p1"]), .only(["p1", "p2"])] as [SearchAuthorization.Patients])
  func `a page of a history comes from an index`(
    patients: SearchAuthorization.Patients
  ) async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let place = RecordHistoryPlace(
        lastUpdated: time(1), type: "MedicationRequest", id: "r1", version: 2)
      for (types, before) in [
        ([ResourceType.medicationRequest], nil), ([.medicationRequest], place),
        ([.condition, .medicationRequest, .practitioner], nil),
        ([.condition, .medicationRequest, .practitioner], place),
      ] as [([ResourceType], RecordHistoryPlace?)] {
        let lines = try await database.read { reader in
          let log = PlanLog()
          _ = try RecordStore().history(
            types: types, patients: patients, since: time(0), before: before, count: 5,
            in: ExplainingReader(reader: reader, log: log))
          return log.lines
        }
        let reads = lines.filter { $0.contains(" r USING ") || $0.contains("SCAN r") }
        #expect(!reads.isEmpty, "\(lines)")
        #expect(
          reads.allSatisfy { $0.hasPrefix("SEARCH") && $0.contains("last_updated") }, "\(lines)")
        for line in reads {
          // The resources of a patient are found by the patient, whoever else has such resources.
          let isByTime = patients == .all || line.contains("shared_")
          #expect(line.contains(isByTime ? "_by_time" : "_by_change (patient=?"), "\(line)")
        }
      }
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

/// A writer that does the same for statements that change rows.
private struct ExplainingWriter: SQLWriter {
  let writer: any SQLWriter
  let log: PlanLog

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try writer.query(sql, arguments)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try writer.query(dynamic: sql, arguments)
  }

  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    try writer.execute(sql, arguments)
  }

  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    var plan: SQLText = "EXPLAIN QUERY PLAN "
    plan.append(contentsOf: sql)
    for row in try writer.query(dynamic: plan, arguments) { log.lines.append(try row.text(3)) }
    return try writer.execute(dynamic: sql, arguments)
  }

  func audit(_ entry: AuditEntry) { writer.audit(entry) }

  func announce(_ patients: Set<PatientID>) { writer.announce(patients) }
}
