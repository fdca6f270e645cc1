// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Storage

/// The number of statements that record one answer, for each path by which it arrives.
///
/// The answer: a dose of a daily plan whose reminder was sent is taken, without other consequences.
/// Statements that a batch of answers shares are not counted: its savepoints, its audit rows, BEGIN
/// and COMMIT.
@Suite struct AnswerStatementTests {
  /// The most statements for the dose of a plan, without a supply and with one.
  ///
  /// Eight belong to the answer: they read the dose, write its record with the id and the search
  /// index, the answer, the dose and the intake, and wake the reminder. The rest checks access, or
  /// stores the request. Whatever updates a record removes entries of the index and adds others.
  static let budget: [AnswerPath: (plain: Int, withStock: Int)] = [
    .page: (9, 11), .doseAPI: (8, 10), .administrationsAPI: (9, 11), .link: (13, 15),
    .queue: (8, 10), .phone: (9, 11), .fhirCreate: (10, 12), .fhirUpdate: (13, 18),
    .file: (12, 14), .hospital: (77, 77),
  ]

  @Test(arguments: AnswerPath.allCases, [false, true])
  func `an answer executes few statements`(path: AnswerPath, hasStock: Bool) async throws {
    let count = StatementCount()
    try await ServerHarness.run(
      open: { keys, logger in
        let location = try await TestDatabase.location(TestDatabase.engine)
        return try await TestDatabase.apart {
          try Database.open(
            location, keys: keys, node: "test", logger: logger, migrations: Migration.embedded,
            wrapping: { CountingEngine(base: $0, count: count) })
        }
      },
      { harness in
        let house = try await AnswerHouse(
          harness, request: AnswerHouse.daily, hasStock: hasStock)
        try await path.prepare(house)
        count.reset()
        try await path.answer(house.open, in: house)
        let statements = count.transactions.filter(Self.records).joined().filter(Self.isCounted)
        let budget = try #require(Self.budget[path])
        let most = hasStock ? budget.withStock : budget.plain
        #expect(!statements.isEmpty)
        let list = statements.map { String($0.prefix(60)) }.joined(separator: "\n")
        #expect(
          statements.count <= most,
          "\(path.rawValue): \(statements.count) statements instead of \(most):\n\(list)")
      })
  }

  /// Returns true for the transaction of an answer, or of an intake that counts differently from
  /// now on.
  private static func records(_ transaction: [String]) -> Bool {
    transaction.contains {
      $0.hasPrefix("INSERT INTO answers") || $0.hasPrefix("INSERT INTO intakes")
        || $0.hasPrefix("UPDATE intakes")
    }
  }

  private static func isCounted(_ sql: String) -> Bool {
    !["SAVEPOINT", "RELEASE", "COMMIT", "INSERT INTO audit"].contains(where: sql.hasPrefix)
      && !sql.contains("FROM audit_heads")
  }
}
