// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Storage

@Suite struct RowTypeTests {
  private enum Medicine: SQLRowType {
    enum Column: Int, SQLColumn { case patient, shownName, takenAt2 }

    static let columns = SQLColumns<Column>(
      of: "m", [.shownName: "COALESCE(m.shown_name, m.name)"])
  }

  private struct Setting: SQLWritableRow {
    enum Column: Int, SQLColumn { case name, value }

    static let columns = SQLColumns<Column>()

    let name: String
    let number: String

    func value(of column: Column) -> SQLValue {
      switch column {
      case .name: .text(name)
      case .value: .text(number)
      }
    }
  }

  private static let both = SQLStatement(
    "SELECT \(Setting.columns), 3 FROM (SELECT 'a' AS name, 'b' AS value) s")
  private static let sum = SQLStatement("SELECT CAST($1 AS BIGINT) + 1")

  @Test func `a column list has the names of the cases, or their expressions`() {
    #expect(
      Medicine.columns.text.text == "m.patient, COALESCE(m.shown_name, m.name), m.taken_at2")
    #expect(Setting.columns.text.text == "name, value")
    #expect(Setting.placeholders.text == "$1, $2")
  }

  @Test func `values are in the order of their columns`() {
    #expect(Setting(name: "a", number: "1").values == [.text("a"), .text("1")])
  }

  @Test func `a statement keeps the text between its columns`() {
    let sql: SQLText = "INSERT INTO t (\(Setting.columns)) VALUES (\(Setting.placeholders))"
    #expect(sql.text == "INSERT INTO t (name, value) VALUES ($1, $2)")
  }

  @Test func `columns are read by name, also behind those of another row type`() throws {
    let row = SQLRow(
      values: [.text("ann"), .null, .integer(5), .text("x"), .text("y")], start: 0, count: 5)
    let medicine = row.read(Medicine.self)
    #expect(try medicine.text(.patient) == "ann")
    #expect(try medicine.optionalText(.shownName) == nil)
    #expect(try medicine.timestamp(.takenAt2) == Timestamp(milliseconds: 5))
    let setting = row.read(Setting.self, after: Medicine.self)
    #expect(try setting.text(.name) == "x")
    #expect(setting[.value] == .text("y"))
    #expect(throws: StorageError.unexpectedValue(column: 4, expected: .integer)) {
      try setting.integer(.value)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a statement built once can run repeatedly`(_ form: DatabaseForm) async throws {
    try await form.withDatabase { database in
      for number in [1, 2, 3] as [Int64] {
        let found = try await database.read { reader in
          let row = try #require(try reader.first(Self.both, []))
          let sum = try #require(try reader.first(Self.sum, [.integer(number)]))
          return (text: try row.read(Setting.self).text(.value), sum: try sum.integer(0))
        }
        #expect(found.text == "b")
        #expect(found.sum == number + 1)
      }
    }
  }
}
