// SPDX-License-Identifier: Apache-2.0

/// Lists of values in `IN (…)`, split into chunks of a few fixed lengths and padded with nulls, so that only
/// a few statements are prepared.
private enum SQLList {
  private static let lengths = [1, 8, 64, 512]

  static func pieces(
    _ head: SQLText, _ arguments: [SQLValue], _ values: [SQLValue], _ tail: SQLText
  ) -> [(sql: SQLText, arguments: [SQLValue])] {
    var pieces: [(sql: SQLText, arguments: [SQLValue])] = []
    var rest = values[...]
    while !rest.isEmpty {
      let length = lengths.first { $0 >= rest.count } ?? lengths.last ?? 1
      var piece = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      piece.append(contentsOf: repeatElement(.null, count: length - piece.count))
      var sql = head
      sql.appendPlaceholders(length, startingAt: arguments.count + 1)
      sql.append(")")
      sql.append(contentsOf: tail)
      pieces.append((sql, arguments + piece))
    }
    return pieces
  }
}

extension SQLReader {
  /// Returns all rows of a query for any of some values; long lists run as several queries.
  ///
  /// `head` ends in `IN (`, and `arguments` are for all its placeholders; `tail` has none.
  package func query(
    _ head: SQLText, _ arguments: [SQLValue], in values: [SQLValue], _ tail: SQLText = ""
  ) throws(StorageError) -> [SQLRow] {
    var rows: [SQLRow] = []
    for piece in SQLList.pieces(head, arguments, values, tail) {
      let found = try query(dynamic: piece.sql, piece.arguments)
      if rows.isEmpty { rows = found } else { rows += found }
    }
    return rows
  }
}

extension SQLWriter {
  /// Runs a changing statement for any of some values, in the same form as the query, and returns
  /// the number of changed rows.
  @discardableResult
  package func execute(
    _ head: SQLText, _ arguments: [SQLValue], in values: [SQLValue], _ tail: SQLText = ""
  ) throws(StorageError) -> Int {
    var count = 0
    for piece in SQLList.pieces(head, arguments, values, tail) {
      count += try execute(dynamic: piece.sql, piece.arguments)
    }
    return count
  }
}
