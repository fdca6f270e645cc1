// SPDX-License-Identifier: Apache-2.0

/// A table of separated values in memory: lists that people keep, at most a few megabytes.
package struct TableText: Sendable {
  /// A reason why bytes cannot be read as a table.
  package enum Problem: String, Error, Sendable, Hashable, CaseIterable {
    case empty
    case tooLarge = "too-large"
    /// The encoding is neither UTF-8 nor UTF-16 with a byte order mark.
    case encoding
    /// There are bytes that do not occur in text.
    case binary
    case tooManyRows = "too-many-rows"
    /// There is only one column: no known separator.
    case oneColumn = "one-column"
  }

  /// A row of the table.
  package struct Row: Sendable, Hashable {
    /// The line on which the row begins, from 1.
    package let line: Int
    /// The fields in the order of the columns.
    package let fields: [String]
  }

  /// All rows, including the heading.
  package let rows: [Row]
  /// The lines of rows that cannot be read: a quote is not closed, or the row is too long.
  package let broken: [Int]

  /// The maximum size of a table, in bytes.
  package static let mostBytes = 16 << 20
  /// The maximum number of rows.
  package static let mostRows = 100_000

  /// Creates a table from bytes whose columns are separated by comma, semicolon or tab.
  ///
  /// - Parameter remark: the first character of lines above the heading that are skipped; nil for none.
  package init(
    _ bytes: [UInt8], mostBytes: Int = Self.mostBytes, mostRows: Int = Self.mostRows,
    remark: Unicode.Scalar? = nil
  ) throws(Problem) {
    guard bytes.count <= mostBytes else { throw .tooLarge }
    let text = try Self.text(bytes)
    var heading = text
    while let remark, let first = heading.first, UInt32(first) == remark.value {
      heading = heading.drop { !Self.isEnd($0) }.drop(while: Self.isEnd)
    }
    guard let separator = TableFile.separator(of: heading) else {
      throw text.contains { $0 > 0x20 } ? .oneColumn : .empty
    }
    var reading = TableRows(separator: separator)
    var found: [Row] = []
    var isFull = false
    func take(_ row: TableRows.Row) {
      if found.count < mostRows + 1 {
        found.append(Row(line: row.line, fields: row.fields))
      } else {
        isFull = true
      }
    }
    reading.read(text, take)
    reading.finish(take)
    guard !isFull else { throw .tooManyRows }
    guard !found.isEmpty else { throw .empty }
    rows = found
    broken = reading.broken
  }

  private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Returns the bytes as UTF-8 without a byte order mark.
  private static func text(_ bytes: [UInt8]) throws(Problem) -> ArraySlice<UInt8> {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isLittle = bytes[0] == 0xFF
      guard bytes.count.isMultiple(of: 2) else { throw .encoding }
      var units: [UInt16] = []
      units.reserveCapacity(bytes.count / 2)
      var place = 2
      while place < bytes.count {
        let (low, high) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
        units.append(isLittle ? low | high << 8 : high | low << 8)
        place += 2
      }
      guard let text = String(validating: units, as: UTF16.self) else { throw .encoding }
      guard !units.contains(0) else { throw .binary }
      return Array(text.utf8)[...]
    }
    let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    guard !rest.contains(0) else { throw .binary }
    guard String(validating: rest, as: UTF8.self) != nil else { throw .encoding }
    return rest
  }
}
