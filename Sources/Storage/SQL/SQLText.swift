// SPDX-License-Identifier: Apache-2.0

/// SQL assembled at run time from pieces written in the source, never from data.
///
/// Placeholders are `$1`, `$2`, … numbered in the order of their first appearance.
package struct SQLText: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The SQL for the engine.
  package private(set) var text: String

  /// Creates SQL from a piece written in the source.
  package init(_ piece: StaticString) {
    text = piece.description
  }

  /// Creates a statement from text that a test found in the source.
  init(fromSource text: String) {
    self.text = text
  }

  /// Creates SQL from a literal.
  package init(stringLiteral value: StaticString) {
    self.init(value)
  }

  /// Creates SQL from an interpolation of literals, other SQL and columns.
  package init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }

  /// Creates a list of the column names of a row type.
  init(columnNames: [String]) {
    text = columnNames.joined(separator: ", ")
  }

  /// Appends a piece written in the source.
  package mutating func append(_ piece: StaticString) {
    text += piece.description
  }

  /// Appends other SQL.
  package mutating func append(contentsOf other: SQLText) {
    text += other.text
  }

  /// Appends a number, such as that of a part to which another one refers.
  package mutating func append(number: Int) {
    text += String(number)
  }

  /// Appends one placeholder, such as `$3`.
  package mutating func appendPlaceholder(_ number: Int) {
    text += "$\(number)"
  }

  /// Appends `$first, $first+1, …` for a list of values; `NULL` for an empty list, so that
  /// `IN (…)` stays valid and matches nothing.
  package mutating func appendPlaceholders(_ count: Int, startingAt first: Int) {
    guard count > 0 else {
      text += "NULL"
      return
    }
    text += (first..<first + count).map { "$\($0)" }.joined(separator: ", ")
  }

  /// Appends an expression from the engine's own catalogue, such as a CHECK.
  mutating func append(fromCatalogue text: String) {
    self.text += text
  }

  /// Appends names of tables or columns from the engine's own catalogue, quoted and separated by commas.
  mutating func appendIdentifiers(_ names: [String]) {
    text += names.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ", ")
  }
}

extension SQLText {
  /// Accepts other SQL and the columns of row types, never a `String`, so that no data can enter.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Creates an empty interpolation.
    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 200 * interpolationCount)
    }

    /// Appends a literal.
    package mutating func appendLiteral(_ literal: StaticString) {
      text += literal.description
    }

    /// Appends other SQL.
    package mutating func appendInterpolation(_ sql: SQLText) {
      text += sql.text
    }

    /// Appends the names of columns, separated by commas.
    package mutating func appendInterpolation<Column>(_ columns: SQLColumns<Column>) {
      text += columns.text.text
    }
  }
}
