// SPDX-License-Identifier: Apache-2.0

/// The columns of a row type, in the order in which they are read and written.
///
/// A case has the name of its column in camel case.
@usableFromInline
package protocol SQLColumn: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {}

/// A row of a table, or of a named projection, whose columns have names instead of numbers.
///
/// Statements stay hand-written: `"SELECT \(DoseRow.columns) FROM doses d WHERE …"`.
@usableFromInline
package protocol SQLRowType {
  associatedtype Column: SQLColumn
  /// The columns, a `static let` so that the list is created once.
  static var columns: SQLColumns<Column> { get }
}

extension SQLRowType {
  /// The placeholders `$1, $2, …`, one for each column, for an `INSERT`.
  package static var placeholders: SQLText { columns.placeholders }
}

/// A row that is written with all its columns: `"INSERT INTO t (\(Row.columns)) VALUES
/// (\(Row.placeholders))"`.
@usableFromInline
package protocol SQLWritableRow: SQLRowType {
  /// Returns the value of a column; a `switch` over all cases, so that none is left out.
  func value(of column: Column) -> SQLValue
}

extension SQLWritableRow {
  /// The values of all columns, in their order.
  @inlinable package var values: [SQLValue] { Self.columns.all.map(value(of:)) }
}

/// The column list of a row type as SQL.
@usableFromInline
package struct SQLColumns<Column: SQLColumn>: Sendable {
  /// The names of the columns, separated by commas.
  @usableFromInline let all: [Column]
  package let text: SQLText
  let placeholders: SQLText

  /// Creates the list from the names of the cases.
  ///
  /// - Parameters:
  ///   - alias: the table's name in the statement, put before each name.
  ///   - expressions: the SQL for columns that are not plain columns of that table.
  package init(of alias: StaticString = "", _ expressions: [Column: SQLText] = [:]) {
    all = Array(Column.allCases)
    let prefix = alias.description.isEmpty ? "" : "\(alias)."
    let names = all.map { column in
      expressions[column]?.text ?? prefix + Self.name(of: column)
    }
    text = SQLText(columnNames: names)
    var numbers: SQLText = ""
    numbers.appendPlaceholders(all.count, startingAt: 1)
    placeholders = numbers
  }

  /// Returns the name of a case in snake case.
  private static func name(of column: Column) -> String {
    var name = ""
    for character in String(describing: column) {
      if character.isUppercase { name += "_" }
      name += character.lowercased()
    }
    return name
  }
}
