// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import Identifiers
import Records
import Testing
import TestSupport

@testable import Adherence
@testable import Dosing
@testable import Observations
@testable import Plans
@testable import Statistics
@testable import Storage

/// Prepares every statement of the program against the real schema, on the engine of this test run.
///
/// `Scripts/test` runs it on SQLite and on PostgreSQL.
@Suite struct StatementTests {
  /// The files whose statements no test of this module runs, with the storage test suites that run
  /// them on both engines, or the test that runs them on PostgreSQL.
  private static let elsewhere: [String: String] = [
    "Storage/Catalogue/IndexCheck.swift": "test_damage.py",
    "Storage/Catalogue/RuleCheck.swift": "SchemaTests",
    "Storage/Moving/MovedTable.swift": "DatabaseMoveTests",
    "Storage/Backup/BackupLoader.swift": "PostgresBackupTests",
    "Storage/KeyRotation/KeyRotation.swift": "KeyRotationTests",
    "Dosing/Answers/PossibleConsequences.swift": "AnswerStatementTests",
  ]

  /// A statement that the engine rejects; the ones after it were not tried.
  private struct Refused: Error {
    let index: Int
    let text: String
  }

  /// Returns the statements that the engine rejects, with its messages.
  private func refusals(
    of statements: [SourceStatements.Literal], in database: Database
  ) async throws -> [String] {
    var refused: [String] = []
    var rest = statements[...]
    while true {
      do {
        let next = rest
        // All run in one snapshot, which ends with the first one that is rejected.
        try await database.read { reader in
          for (index, statement) in next.enumerated() {
            guard let why = Self.refusal(of: statement.text, in: reader) else { continue }
            throw Refused(index: index, text: "\(statement.place): \(why): \(statement.text)")
          }
        }
        return refused
      } catch let error as Refused {
        refused.append(error.text)
        rest = rest.dropFirst(error.index + 1)
      }
    }
  }

  /// A wrong number of arguments is reported only after preparation, and the statement does not run.
  private static func refusal(of sql: String, in reader: any SQLReader) -> String? {
    do throws(StorageError) {
      _ = try reader.query(
        dynamic: SQLText(fromSource: sql), [SQLValue](repeating: .null, count: 999))
      return "it ran"
    } catch {
      if case .argumentCount = error { return nil }
      return "\(error)"
    }
  }

  private func refusal(of sql: String, in database: Database) async throws -> String? {
    try await refusals(of: [.init(place: "here", text: sql)], in: database).first
  }

  private func isForThisEngine(_ sql: String) -> Bool {
    let isPostgres = TestDatabase.engine == .postgres
    let others =
      isPostgres ? ["sqlite_", "pragma_"] : ["pg_", "::", "current_schema", "current_setting"]
    return !others.contains(where: sql.contains)
  }

  @Test func `every statement in the source is valid SQL for the engine`() async throws {
    let source = try SourceStatements.read()
    #expect(source.unresolved.isEmpty, "RowTypes.all must list every row type")
    let statements = source.whole
    // Fewer would mean that the search misses some.
    #expect(statements.count > 800)
    let database = try await TestPlace().database
    let refused = try await refusals(
      of: statements.filter { isForThisEngine($0.text) }, in: database)
    #expect(refused.isEmpty)
    await database.close()
  }

  @Test func `statements with the columns of a row type are found`() throws {
    let places = try SourceStatements.read().whole.filter { $0.text.contains("d.on_time_until") }
    #expect(places.contains { $0.place.hasPrefix("Plans/Doses/DoseStore.swift") })
  }

  @Test(arguments: [
    "SELCT 1", "SELECT nothing FROM people", "SELECT patient FROM nobody",
    "UPDATE people SET nothing = $1", "INSERT INTO people (patient) VALUES ($1, $2)",
  ])
  func `a misspelt statement is refused`(_ sql: String) async throws {
    let database = try await TestPlace().database
    #expect(try await refusal(of: sql, in: database) != nil)
    await database.close()
  }

  @Test(.enabled(if: TestDatabase.engine == .postgres))
  func `an argument of unknown type is refused`() async throws {
    let database = try await TestPlace().database
    #expect(
      try await refusal(
        of: "SELECT backup FROM backups WHERE ($1 IS NULL OR kind = $1)", in: database) != nil)
    await database.close()
  }

  @Test func `every fragment of a dynamic statement is prepared`() async throws {
    let log = StatementLog()
    let place = try await TestPlace()
    try await place.database.write { writer in
      let logged = LoggingWriter(writer: writer, log: log)
      try Self.history(logged)
      try Self.intakes(logged)
      try Self.doses(logged, place)
      try Self.projections(logged, place)
      try Self.observations(logged)
      try Self.records(logged)
      try SearchStatements.run(logged)
      try Self.auditTrail(logged)
    }
    let catalogue = place.database.catalogue
    try await place.database.write { writer in
      let logged = LoggingWriter(writer: writer, log: log)
      for table in try catalogue.tables(in: logged) {
        let reading = try #require(TableReading(table))
        _ = try TableReading.count(table.name, in: logged)
        if let sql = catalogue.readingAll(of: table.name) {
          _ = try logged.query(dynamic: sql, [])
        }
        let row = SQLRow(
          values: [SQLValue](repeating: .null, count: table.columns.count), start: 0,
          count: table.columns.count)
        #expect(try reading.rows(after: reading.place(of: row), in: logged).isEmpty)
        _ = try reading.rows(after: nil, in: logged)
        if let all = catalogue.readingAll(of: table.name) { _ = try logged.query(dynamic: all, []) }
      }
      for table in try PatientTable.all(catalogue, in: logged) {
        let row = SQLRow(
          values: [SQLValue](repeating: .null, count: table.columns.count), start: 0,
          count: table.columns.count)
        _ = try table.rows(of: "nobody", after: nil, in: logged)
        _ = try table.rows(of: "nobody", after: row, in: logged)
        _ = try table.count(of: "nobody", in: logged)
      }
    }
    await place.database.close()
    let prepared = log.statements
    let keyword =
      /\b(AND|OR|WHERE|FROM|SELECT|ORDER BY|LIMIT|OFFSET|JOIN|CASE|INSERT|UPDATE|DELETE|SET|IN)\b/
    for (file, pieces) in try SourceStatements.read().pieces
    where Self.elsewhere[file] == nil && !file.hasPrefix("Storage/Engine/")
      // Only PostgreSQL reads whole tables this way.
      && (TestDatabase.engine == .postgres || file != "Storage/Catalogue/EngineCatalogue.swift")
    {
      for piece in pieces
      where piece.text.firstMatch(of: keyword) != nil && isForThisEngine(piece.text) {
        let text = StatementLog.normal(piece.text)
        #expect(prepared.contains { $0.contains(text) }, "\(piece.place): \(text)")
      }
    }
  }

  private static func history(_ reader: any SQLReader) throws {
    let (from, until) = (Timestamp(milliseconds: 0), Timestamp(milliseconds: 1))
    let outcomes = DoseOutcome.allCases
    for plan in [nil, "plan"] as [String?] {
      for chosen in [[]] + outcomes.map({ [$0] }) + [outcomes] {
        let filter = HistoryFilter(plan: plan.map(PlanID.init), outcomes: Set(chosen))
        _ = try HistoryQueries.entries(
          filter, patient: "ann", from: from, until: until, now: from, in: reader)
        _ = try HistoryQueries.entries(
          filter, patient: "ann", from: from, until: until, most: 1, now: from, in: reader)
        _ = try HistoryQueries.counts(
          filter, patient: "ann", from: from, until: until, now: from, in: reader)
        _ = try HistoryQueries.moment(
          1, before: until, filter, patient: "ann", now: from, in: reader)
        _ = try HistoryQueries.moment(
          1, from: from, until: until, filter, patient: "ann", now: from, in: reader)
        _ = try HistoryQueries.administrations(
          filter, patient: "ann", from: from, until: until, now: from, in: reader)
      }
      _ = try HistoryQueries.corrections(
        plan: plan.map(PlanID.init), patient: "ann", from: from, until: until, in: reader)
    }
  }

  private static func intakes(_ reader: any SQLReader) throws {
    let medicine = IntakeQueries.MedicineKey(plan: nil, ingredients: "name:tea")
    _ = try IntakeQueries.rows(
      of: "ann", after: 0, before: (taken: 1, administration: ""), without: [medicine], in: reader)
  }

  private static func doses(_ reader: any SQLReader, _ place: TestPlace) throws {
    let ids = ["a_1_20260301-1", "b_1_20260301-1"].compactMap(DoseID.init(text:))
    #expect(ids.count == 2)
    _ = try DoseQueries.doses(ids, patient: "ann", now: place.now, in: reader)
    let patient = PatientSnapshot(of: "ann", now: place.now, zones: place.zones, in: reader)
    let doses = ids.map { id in
      Dose(
        id: id, patient: "ann", medicineName: "Tea", due: place.now, onTimeUntil: place.now,
        lateUntil: place.now, nextDue: nil, amount: nil, stored: .open, stateReason: nil,
        laterUntil: nil, version: 2, answer: nil, now: place.now)
    }
    #expect(try !LaterChoices.asksWhy(anyOf: doses, of: patient))
  }

  private static func projections(_ writer: any SQLWriter, _ place: TestPlace) throws {
    _ = try ProjectionCheck.faults(in: writer)
    _ = try ProjectionRebuild.perform(now: place.now, zones: place.zones, in: writer)
  }

  private static func observations(_ reader: any SQLReader) throws {
    var query = ObservationQuery(patient: "ann")
    query.id = "none"
    for isExcluded in [false, true] { query.stretches.append((0, 1, isExcluded)) }
    _ = try ObservationRows.search(query, in: reader)
    _ = try ObservationRows.count(query, in: reader)
    query.metrics = []
    _ = try ObservationRows.search(query, in: reader)
  }

  private static func records(_ reader: any SQLReader) throws {
    let type = "MedicationRequest"
    let everybody = Actor.host(accountID: "host")
    let ann = Actor(
      accountID: "ann", kind: .session, relationships: ["ann": .self_], scope: .session)
    let dates = ["ge2026-01-01", "lt2026-02-01", "ne2026-03-01"].compactMap { DateSearchValue($0) }
    #expect(dates.count == 3)
    for actor in [everybody, ann] {
      let decision = decideSearch(
        actor: actor, resource: type, patient: nil, purpose: .care)
      guard case .allow(let authorization) = decision else {
        Issue.record("the search was denied")
        continue
      }
      for after in [nil, RecordCursor(patient: "ann", id: "1")] as [RecordCursor?] {
        let search = RecordSearch(
          type: type, ids: ["1", "2"], statuses: ["active"], lastUpdated: dates, count: 10,
          after: after)
        _ = try RecordStore().search(search, authorization: authorization, in: reader)
      }
    }
  }

  private static func auditTrail(_ reader: any SQLReader) throws {
    var query = AuditQuery(patient: "ann")
    query.actor = "ann"
    query.after = AuditEvent.Place(at: Timestamp(milliseconds: 1), sequence: 1)
    let (from, until) = (Int64(0), Int64(1))
    query.stretches = [
      .init(atLeast: from, before: until), .init(atLeast: from, before: until, isExcluded: true),
    ]
    _ = try AuditHistory.events(query, limit: 1, in: reader)
    _ = try AuditHistory.count(query, in: reader)
    _ = try AuditHistory.event(node: "test", sequence: 0, in: reader)
  }
}

/// The statements that were built at run time and accepted by the engine.
private final class StatementLog: @unchecked Sendable {
  private(set) var statements: Set<String> = []

  func add(_ sql: SQLText) { statements.insert(Self.normal(sql.text)) }

  static func normal(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// A writer that logs the statements built at run time.
private struct LoggingWriter: SQLWriter {
  let writer: any SQLWriter
  let log: StatementLog

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try writer.query(sql, arguments)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    let rows = try writer.query(dynamic: sql, arguments)
    log.add(sql)
    return rows
  }

  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    try writer.execute(sql, arguments)
  }

  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    let count = try writer.execute(dynamic: sql, arguments)
    log.add(sql)
    return count
  }

  func audit(_ entry: AuditEntry) { writer.audit(entry) }
  func announce(_ patients: Set<PatientID>) { writer.announce(patients) }
}
